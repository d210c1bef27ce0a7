#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "properties/diagnose/hunt/hunt_state.hpp"

namespace deltaproof {

/// A case that a search is about to hand out: one of the worst of an objective, or a finding.
struct WorstCase {
  std::string name;  ///< "relative-1", "failed-2": objective or status, and rank
  Candidate candidate;
  std::string note;  ///< in words, what it reaches
  std::int64_t evaluation = 0;
};

/// The worst of each objective that was searched, at most `count`, and all findings; by rank.
std::vector<WorstCase> worst_cases(const HuntState& state, std::size_t count = 10);

/// Runs the kernel once more and writes FOLDER/NAME.safetensors: problem, outputs with the states between chunks where they
/// are known, and a note. `check` judges the file as a recorded run. Of a run that does not end, the problem alone.
/// Throws InputError if it cannot be written.
void write_worst_case(const std::filesystem::path& folder, const WorstCase& worst, const Kernel& kernel);

}  // namespace deltaproof
