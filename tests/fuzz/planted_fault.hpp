#pragma once

#include <functional>
#include <string>

#include "fuzz/stored_inputs.hpp"

namespace deltaproof::fuzz {

/// Puts the seeds of a target to a check, with which something is wrong. Returns the first finding; empty if there is
/// none, in other words if the check did not notice.
std::string finding_of(const std::string& target, const std::function<void(const StoredInput&)>& check);

}  // namespace deltaproof::fuzz
