#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "kernels/given_outputs.hpp"
#include "properties/accuracy/accuracy.hpp"

namespace deltaproof {

/// A recording of golden/recorded/, by its name without the ending.
CaseFile recording(const std::string& name);

/// Names of all recordings that ship.
const std::vector<std::string>& all_recordings();

/// The verdict on `outputs`, judged as the file's own arithmetic.
Verdict judge(const CaseFile& file, const Outputs& outputs, const AccuracyOptions& options = {});
/// The verdict on outputs of a problem under its declared arithmetic.
Verdict judge(const Problem& problem, const Outputs& outputs, const AccuracyOptions& options = {});
/// Without conformity: for outputs that are near the right answer but of no declared order of roundings.
Verdict judge_by_bound_alone(const Problem& problem, const Outputs& outputs);

/// For the message of a failing assertion.
std::string describe(const Verdict& verdict);

/// A test's parameter as part of its name: letters, digits and underscores only.
std::string as_test_name(std::string text);

}  // namespace deltaproof
