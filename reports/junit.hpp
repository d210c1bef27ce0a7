#pragma once

#include <string>
#include <vector>

#include "reference/verdict.hpp"
#include "reports/environment.hpp"

namespace deltaproof {

/// junit.xml, for CI systems: failed and nonconforming are failures, error is an error; suspect,
/// uninformative and skipped are skipped, with the status and reason as message.
std::string junit_report(const std::vector<Verdict>& verdicts, const Environment& environment);

}  // namespace deltaproof
