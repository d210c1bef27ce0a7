#pragma once

#include <string>
#include <vector>

namespace deltaproof::cli {

/// Up to five of `known` that `name` may have been meant for, nearest first: those that hold it, and those that few
/// edits of a character make of it. Empty if none is near.
std::vector<std::string> near_names(const std::string& name, const std::vector<std::string>& known);

}  // namespace deltaproof::cli
