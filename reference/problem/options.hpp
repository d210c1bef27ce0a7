#pragma once

#include <string>
#include <vector>

#include "reference/problem/problem.hpp"

namespace deltaproof {

/// Options from the metadata of a case file; unknown keys are ignored. `scale` stays 0 if the file
/// does not say, for its default needs K. `file` is for messages. Throws InputError.
Options parse_options(const std::string& file, const Metadata& metadata);

/// Keys of the metadata that no case file has.
std::vector<std::string> unknown_keys(const Metadata& metadata);

/// Refuses a name that is not in the table of arithmetics.
void check_arithmetic(const std::string& file, const std::string& name);

}  // namespace deltaproof
