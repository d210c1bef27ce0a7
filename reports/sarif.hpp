#pragma once

#include <string>
#include <vector>

#include "reference/verdict.hpp"
#include "reports/environment.hpp"

namespace deltaproof {

/// findings.sarif: SARIF 2.1.0 of all findings with a place in a source, for code scanning.
std::string sarif_report(const std::vector<Verdict>& verdicts, const Environment& environment);

}  // namespace deltaproof
