#pragma once

#include <vector>

#include "cli/arguments.hpp"
#include "kernels/built_in/capabilities.hpp"
#include "reference/problem/case_file.hpp"

namespace deltaproof::cli {

/// The kernels that `--kernel` names. `all` on case files or on one problem means those that compute a rule of them; if
/// there is none, those that compute any, which then say what they do not compute.
std::vector<const BuiltInInfo*> named_kernels(const CheckArguments& arguments, const std::vector<CaseFile>& cases);

}  // namespace deltaproof::cli
