// The state of a chunk kernel is all that one chunk hands to the next, and that of a recurrent kernel all that one
// token does: a run that is cut there and goes on from the final state computes the same numbers in the same order.
#include <fmt/format.h>

#include "kernels/stepwise.hpp"
#include "properties/laws/applies.hpp"
#include "properties/laws/draws.hpp"
#include "properties/laws/promises.hpp"
#include "properties/laws/second_run.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) {
  if (std::string why = not_to_be_cut(trial.problem); trial.problem.options().rule == Rule::hola) return why;
  if (longest_answered(trial.problem) <= tokens_together(trial)) return "no sequence has more than one chunk";
  if (trial.problem.find("initial_state") == nullptr && order_depends_on_initial_state(trial)) {
    return "from a state that is handed in the kernel's order of additions is another one";
  }
  return {};
}

Outputs part_of(const Problem& problem, const Outputs& whole, std::int64_t begin, std::int64_t end) {
  Outputs part = whole;
  part.tensors["o"] = rows_between(problem, whole.tensors.at("o"), begin, end);
  return part;
}

void check(const Trial& trial, Verdict& verdict) {
  const Problem& problem = trial.problem;
  const std::int64_t unit = tokens_together(trial), longest = longest_answered(problem);
  Generator draw(trial.seed, {0x73706c6974});
  const std::int64_t at = unit * draw.integer(1, static_cast<int>((longest - 1) / unit));
  const Outputs whole = trial.kernel.run(problem);
  const Problem first = tokens_of(problem, 0, at, states_before(problem));
  const std::optional<Outputs> before = second_run(trial, first, verdict);
  if (!before) return;
  const About in_first = answered(first, [](const Location& where) { return where.tensor == "o"; });
  expect_bits(first, part_of(problem, whole, 0, at), *before,
              fmt::format("cut after {} tokens, with the state handed on: in the first part", at), verdict, in_first);
  const std::int64_t all = problem.dims().T;
  // What is not finite is no state to begin with.
  if (overflowed(problem, whole, answered(problem), verdict) ||
      overflowed(first, *before, answered(first), verdict)) {
    return;
  }
  const Problem second = tokens_of(problem, at, all, before->tensors.at("final_state"));
  expect_second_run(trial, second, part_of(problem, whole, at, at + all),
                    fmt::format("cut after {} tokens, with the state handed on: in the second part", at), verdict);
}

}  // namespace

const Property split_on_chunks{"split_on_chunks",
                               "a run cut between two chunks, with the state handed on, gives the bits of one run",
                               &why_not, &check};

}  // namespace deltaproof::laws
