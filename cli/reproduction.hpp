#pragma once

#include <string>
#include <string_view>

#include "cli/arguments.hpp"
#include "reference/verdict.hpp"

namespace deltaproof::cli {

/// A path as a word of a shell's line; one that begins with a dash would be read as an option.
std::string quoted_path(const std::string& path);

/// The command that runs a kernel again as these arguments have it, on `what` (a quoted path), or on generated cases
/// if that is empty.
std::string reproduction(const CheckArguments& arguments, std::string_view kernel, const std::string& what);

/// `line` with the property of the verdict, where it is not among those judged anyway.
std::string with_property(const CheckArguments& arguments, std::string line, const Verdict& verdict);

}  // namespace deltaproof::cli
