#pragma once

#include <string>
#include <vector>

#include "reference/verdict.hpp"
#include "reports/environment.hpp"

namespace deltaproof {

/// report.json, schema deltaproof.report/1 (docs/verdicts.md). JSON has no infinity or NaN: they
/// are the strings "inf", "-inf" and "nan".
std::string json_report(const std::vector<Verdict>& verdicts, const Environment& environment);

/// One verdict as an entry of its `verdicts`.
std::string json_verdict(const Verdict& verdict);

}  // namespace deltaproof
