#pragma once

#include <string>
#include <vector>

#include "reference/verdict.hpp"

namespace deltaproof {

/// What the probabilistic tier saw, one string a line, for the indented block of a verdict. Printable ASCII.
std::vector<std::string> advisory_lines(const AdvisoryReport& report);

}  // namespace deltaproof
