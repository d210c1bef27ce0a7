#pragma once

#include <string>
#include <vector>

#include "reference/verdict.hpp"
#include "reports/environment.hpp"

namespace deltaproof {

/// summary.md: what a pull request shows. GitHub's and GitLab's Markdown; names are escaped.
std::string markdown_summary(const std::vector<Verdict>& verdicts, const Environment& environment);

}  // namespace deltaproof
