#pragma once

#include "reports/json_parts.hpp"

namespace deltaproof {

/// One verdict as an entry of report.json. For sources alone: it brings the JSON library with it.
json_parts::Json verdict_json(const Verdict& verdict);

}  // namespace deltaproof
