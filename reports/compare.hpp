#pragma once

#include <string>
#include <vector>

#include "reports/read_report.hpp"

namespace deltaproof {

/// What became of a verdict from one report to the next.
enum class Change { same, fixed, regressed, added, gone, not_run };
/// "same", "fixed", "regressed", "new", "gone", "not run".
const char* change_name(Change change);

enum class BitsChange { unchanged, changed, unknown };

}  // namespace deltaproof
