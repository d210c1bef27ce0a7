// One gate of -1e4 wipes the state: e^-1e4 |S| is below every number of every type. From that token on the run is one
// that begins there with a zero state, and before it nothing changes. A token recurrence forms the decay as 0 and 0 x
// S as 0: its values are the same ones (but -0 and 0 are one value). Chunk kernels take the gate through sums over
// the chunk, whose rounding later tokens of the chunk feel; theirs agree within both bounds.
#include <utility>

#include "kernels/stepwise.hpp"
#include "properties/laws/applies.hpp"
#include "properties/laws/made.hpp"
#include "properties/laws/one_step.hpp"
#include "properties/laws/pieces.hpp"
#include "properties/laws/promises.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"
#include "reference/bounds/head_bound.hpp"

namespace deltaproof::laws {
namespace {

constexpr double reset = -1e4;

std::string why_not(const Trial& trial) {
  if (trial.problem.find("g") == nullptr) return "there is no gate";
  return not_to_be_cut(trial.problem);
}

Problem with_reset(const Problem& problem, std::int64_t token) {
  TensorMap inputs = problem.tensors();
  Tensor& g = inputs["g"];
  const std::int64_t row = g.size() / (problem.dims().B * problem.dims().T);
  for (const Sequence& sequence : problem.sequences()) {
    const std::int64_t first = (sequence.batch * problem.dims().T + sequence.begin + token) * row;
    for (std::int64_t i = 0; token < sequence.length && i < row; ++i) set_value(g, first + i, reset);
  }
  return problem.with_inputs(std::move(inputs));
}

// Whether one token alone, with the reset, leaves no trace of a state (the arithmetic's exponential gives 0), and a
// run from a state of zeros adds in the order of the problem's own.
bool forms_zero(const Trial& trial) {
  const bool same_order = trial.problem.find("initial_state") != nullptr || !order_depends_on_initial_state(trial);
  return same_order && choose_bound(trial.kernel.arithmetic(), trial.problem).kind == BoundChoice::Kind::token;
}

struct Known {
  Outputs got;
  Outputs bound;
};

// A run whose o from the reset on is `fresh`, and before it `before`; sequences without the token are all `before`.
Known expected_of(const Problem& problem, const Problem& from_token, std::int64_t token, const Known& before,
                  const Known& fresh) {
  Known all = before;
  const std::int64_t left = longest_answered(problem) - token;
  place_rows(fresh.got.tensors.at("o"), problem, token, left, all.got.tensors["o"]);
  place_rows(fresh.bound.tensors.at("o"), problem, token, left, all.bound.tensors["o"]);
  Tensor &states = all.got.tensors["final_state"], &bounds = all.bound.tensors["final_state"];
  for (std::int64_t i = 0; i < states.size(); ++i) {
    const Location where = place_of(from_token, "final_state", i);
    if (where.sequence < 0 || where.token <= 0) continue;
    set_value(states, i, fresh.got.tensors.at("final_state").value(i));
    set_value(bounds, i, fresh.bound.tensors.at("final_state").value(i));
  }
  return all;
}

Known known(const Trial& trial, const Problem& problem) {
  Known run;
  run.got = trial.kernel.run(problem);
  run.bound = bound_in_range(problem, trial.kernel, run.got).bound;
  return run;
}

void check(const Trial& trial, Verdict& verdict) {
  Generator draw = draws_of(trial, "reset_gate");
  const std::int64_t token = drawn_token(trial.problem, draw);
  const Problem problem = with_reset(trial.problem, token);
  const Problem from_token =
      tokens_of(problem, token, longest_answered(problem) - token, filled(states_before(problem), 0));
  const Known run = known(trial, problem);
  const Known other = expected_of(problem, from_token, token, known(trial, trial.problem), known(trial, from_token));
  Outputs allowed = sum_of(run.bound, other.bound);
  if (forms_zero(trial)) {
    allowed = none_allowed(std::move(allowed));  // where the run leaves fp32, 0 x infinity is not 0
    verdict.bound = "exact";
  }
  Bounded bounded(verdict);
  bounded.about("a run with a gate of -1e4 against a fresh start there");
  bounded.outputs(problem, other.got, allowed, run.got);
  bounded.conclude();
}

}  // namespace

const Property reset_gate{
    "reset_gate",
    "a gate of -1e4 is a fresh start from a zero state and changes nothing before it: exactly in a "
    "token recurrence, else within both bounds",
    &why_not, &check};

}  // namespace deltaproof::laws
