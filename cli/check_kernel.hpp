#pragma once

#include <vector>

#include "cli/arguments.hpp"
#include "reference/problem/case_file.hpp"
#include "reference/verdict.hpp"

namespace deltaproof::cli {

/// Runs the kernels that the arguments name on `cases`, or on generated cases if there are none, and judges them.
/// A device that is not there makes one `skipped` verdict a kernel.
std::vector<Verdict> check_kernels(const CheckArguments& arguments, const std::vector<CaseFile>& cases);

/// "against the host: 123456 values compared, 0 differing", or nothing if none was compared.
std::string against_host_line(const std::vector<Verdict>& verdicts);

}  // namespace deltaproof::cli
