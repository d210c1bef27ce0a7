#pragma once

#include <string>

#include "properties/defects/kill_matrix.hpp"

namespace deltaproof {

/// kill_matrix.json, schema deltaproof.kill_matrix/1 (docs/kill-matrix.md): every cell. Ends in a newline.
std::string json_of(const KillMatrix& matrix);

/// For a terminal: a line for each defect (in how many regimes each rule kills it, of those it says something of),
/// what each rule kills in all, and the survivors with reasons.
std::string text_of(const KillMatrix& matrix);

/// How many defects that should be killed the rule kills in some regime, and how many it says something of.
struct RuleTotal {
  int killed = 0, applicable = 0;
};
RuleTotal total_of(const KillMatrix& matrix, std::size_t rule);
/// The same in one regime.
RuleTotal total_of(const KillMatrix& matrix, std::size_t rule, std::size_t regime);

}  // namespace deltaproof
