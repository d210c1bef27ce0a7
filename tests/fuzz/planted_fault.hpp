#pragma once

#include <functional>
#include <string>

#include "fuzz/stored_inputs.hpp"

namespace deltaproof::fuzz {

/// Puts the seeds of a target to a check, with which something is wrong. Returns what it found, a line each; empty if
/// it did not notice.
std::string findings_of(const std::string& target, const std::function<void(const StoredInput&)>& check);

}  // namespace deltaproof::fuzz
