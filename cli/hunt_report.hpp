#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "properties/diagnose/hunt/worst_cases.hpp"

namespace deltaproof::cli {

/// How much one run of the command did.
struct HuntPace {
  std::int64_t evaluations = 0;
  double seconds = 0;
};

/// Share done of a search that ends after so many evaluations.
double share_of(const HuntState& state, std::int64_t evaluations);

/// What was found, for the terminal: each objective with its worst value, that of typical problems, and how to see it again;
/// findings; counts.
std::string hunt_report(const HuntState& state, const std::vector<WorstCase>& worst, const HuntArguments& arguments,
                        const HuntPace& pace);

}  // namespace deltaproof::cli
