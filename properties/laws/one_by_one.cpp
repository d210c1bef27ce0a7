// Decoding token by token against prefill: the same tokens, the state handed on after each.
#include <algorithm>

#include "properties/laws/applies.hpp"
#include "properties/laws/pieces.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

constexpr std::int64_t most = 40;  // more tokens say no more, and each is a run

std::string why_not(const Trial& trial) { return not_to_be_cut(trial.problem); }

void check(const Trial& trial, Verdict& verdict) {
  const Problem problem = first_tokens(trial.problem, most);
  std::vector<std::int64_t> cuts;
  for (std::int64_t t = 0; t <= longest_answered(problem); ++t) cuts.push_back(t);
  agree_in_pieces(trial, problem, cuts, verdict);
}

}  // namespace

const Property one_by_one{"one_by_one",
                          "the first 40 tokens one by one, with the state handed on, agree with one run within both "
                          "bounds",
                          &why_not, &check};

}  // namespace deltaproof::laws
