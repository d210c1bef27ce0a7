// The rows of o of the first P tokens are those of a run of P tokens: how many come after is not seen. As in
// prefix_causality, signs of zeros are free, and where a run is not finite the last chunk before P is left out.
#include <fmt/format.h>

#include "kernels/stepwise.hpp"
#include "properties/laws/draws.hpp"
#include "properties/laws/promises.hpp"
#include "properties/laws/second_run.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) {
  return longest_answered(trial.problem) < 2 ? "no sequence has two tokens" : "";
}

Problem first_tokens(const Problem& problem, std::int64_t count) {
  const Problem cut = tokens_of(problem, 0, count, states_before(problem));
  if (problem.find("initial_state") != nullptr) return cut;
  TensorMap inputs = cut.tensors();
  inputs.erase("initial_state");
  return cut.with_inputs(std::move(inputs));
}

void check(const Trial& trial, Verdict& verdict) {
  const Problem& problem = trial.problem;
  Generator draw(trial.seed, {0x6c61746572});
  const std::int64_t count = draw.integer(1, static_cast<int>(longest_answered(problem)) - 1);
  const Problem cut = first_tokens(problem, count);
  Outputs all = trial.kernel.run(problem);
  const std::optional<Outputs> got = second_run(trial, cut, verdict);
  if (!got) return;
  const bool finite = all_finite(problem, all, answered(problem)) && all_finite(cut, *got, answered(cut));
  const std::int64_t seen = finite ? count : count / tokens_together(trial) * tokens_together(trial);
  all = before_token(problem, all, count);
  expect_bits(cut, without_signs_of_zero(all), without_signs_of_zero(*got),
              fmt::format("a run of the first {} tokens gives other rows of o", count), verdict,
              answered(cut, [seen](const Location& where) { return is_before(where, seen); }));
}

}  // namespace

const Property later_ignored{"later_ignored", "a run of the first P tokens gives the same rows of o", &why_not,
                             &check};

}  // namespace deltaproof::laws
