#pragma once

#include <string>
#include <vector>

#include "properties/diagnose/shrink/run_case.hpp"

namespace deltaproof {

// What may be taken out of a recorded run so that it is a recording of the same kernel on a smaller problem (docs/shrink.md):
// always sequences, heads and last tokens, which nothing else depends on.

/// Why no sequence can begin later, with the recorded state before it; empty if it can.
std::string why_not_later(const RunCase& run);
/// Why all value channels have to stay; empty if each stands for itself.
std::string why_not_fewer_columns(const RunCase& run);
/// Both as sentences, and what can never be changed.
std::vector<std::string> cannot_be_sliced(const RunCase& run);

}  // namespace deltaproof
