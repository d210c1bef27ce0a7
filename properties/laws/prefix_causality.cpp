// What comes later is not seen. A kernel that computes a chunk at once may add 0 times a later value to the sums of
// an earlier token: no number changes by that but the sign of a zero, so long as the later value is finite. Where a
// run is not finite, tokens of the chunk in which the change begins are therefore left out.
#include <fmt/format.h>

#include <algorithm>

#include "properties/laws/draws.hpp"
#include "properties/laws/other_values.hpp"
#include "properties/laws/promises.hpp"
#include "properties/laws/second_run.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) {
  return longest_answered(trial.problem) < 2 ? "no sequence has two tokens" : "";
}

void check_from(const Trial& trial, const Outputs& first, std::int64_t at, Verdict& verdict) {
  const Problem& problem = trial.problem;
  const Problem second =
      problem.with_inputs(with_other_values(problem, [at](const Sequence&, std::int64_t t) { return t >= at; }));
  const std::optional<Outputs> got = second_run(trial, second, verdict);
  if (!got) return;
  const bool finite = all_finite(problem, first, answered(problem)) && all_finite(problem, *got, answered(problem));
  const std::int64_t seen = finite ? at : at / tokens_together(trial) * tokens_together(trial);
  expect_bits(problem, without_signs_of_zero(first), without_signs_of_zero(*got),
              fmt::format("other inputs from token {} on change an earlier row of o", at), verdict,
              answered(problem, [seen](const Location& where) { return is_before(where, seen); }));
}

void check(const Trial& trial, Verdict& verdict) {
  const std::int64_t longest = longest_answered(trial.problem), chunk = trial.problem.options().chunk_size;
  Generator draw(trial.seed, {0x707265666978});
  const Outputs first = trial.kernel.run(trial.problem);
  check_from(trial, first, draw.integer(1, static_cast<int>(longest) - 1), verdict);
  if (longest > chunk) {
    const std::int64_t edge = chunk * draw.integer(1, static_cast<int>((longest - 1) / chunk));
    check_from(trial, first, edge, verdict);
  }
}

}  // namespace

const Property prefix_causality{"prefix_causality", "inputs of tokens from P on do not change the rows of o before P",
                                &why_not, &check};

}  // namespace deltaproof::laws
