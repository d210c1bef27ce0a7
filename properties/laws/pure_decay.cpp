// Nothing is written (b = 0; for rules that always write, v = 0 from then on is the same): S_T = exp(sum of g) S_0,
// known without the recurrence. Judged against the size of S_T itself, which a bound relative to S_0 would not see:
// gates are drawn from [-1/2, 0] in steps of 1/64, exact in every type, and at most 128 tokens leave e^-64, within
// fp32.
#include <cmath>

#include "properties/laws/applies.hpp"
#include "properties/laws/made.hpp"
#include "properties/laws/one_step.hpp"
#include "properties/laws/pieces.hpp"
#include "properties/laws/table.hpp"
#include "reference/problem/head.hpp"

namespace deltaproof::laws {
namespace {

constexpr std::int64_t most = 128;

std::string why_not(const Trial& trial) {
  const Options& options = trial.problem.options();
  if (trial.problem.find("g") == nullptr) return "there is no gate";
  if (options.rule == Rule::kla && options.variant == KlaVariant::key_norm_only) return "it writes whatever eta is";
  return not_to_be_cut(trial.problem);
}

Problem decaying(const Problem& problem, Generator& draw) {
  Made made(problem);
  made.fill_writes([] { return 0.0; });
  if (!rule_info(problem.options().rule).residual) made.fill("v", 0);
  made.fill("g", [&] { return draw.integer(-32, 0) / 64.0; });
  made.fill_states([&] { return static_cast<double>(static_cast<float>(draw.normal())); });
  return made.problem();
}

// sum of g, exact in double: multiples of 1/64.
double log_decay(const HeadInputs& head, Index i) { return head.g.col(head.g.cols() == 1 ? 0 : i).sum(); }

void check_head(const Problem& problem, const Sequence& sequence, std::int64_t h, const Outputs& got,
                const Outputs& bound, Bounded& bounded) {
  using std::exp;
  const HeadInputs head = head_inputs(problem, sequence, h);
  const Matrix state = state_of(got.tensors.at("final_state"), problem, sequence.state_row, h);
  const Matrix allowed = state_of(bound.tensors.at("final_state"), problem, sequence.state_row, h);
  for (Index i = 0; i < head.K; ++i) {
    const Mpfr decay = exp(Mpfr(log_decay(head, i)));
    for (Index c = 0; c < head.V; ++c) {
      Location where{.tensor = "final_state"};
      where.sequence = sequence.index, where.token = sequence.length, where.head = h, where.row = i, where.column = c;
      compare(bounded, where, Mpfr(state(i, c)), decay * Mpfr(head.initial_state(i, c)), allowed(i, c), Mpfr(0));
    }
  }
}

void check(const Trial& trial, Verdict& verdict) {
  const WorkingPrecision precision(step_bits);
  Generator draw = draws_of(trial, "pure_decay");
  const Problem problem = decaying(first_tokens(trial.problem, most), draw);
  const Outputs outputs = trial.kernel.run(problem);
  const RunBound bound = bound_in_range(problem, trial.kernel, outputs);
  verdict.bound = "the bound of the run";
  Bounded bounded(verdict);
  bounded.about("the state that nothing was written to against exp(sum of g) S_0");
  for (const Sequence& sequence : problem.sequences()) {
    for (std::int64_t h = 0; sequence.state_row >= 0 && h < problem.dims().HV; ++h) {
      check_head(problem, sequence, h, outputs, bound.bound, bounded);
    }
  }
  bounded.conclude();
}

}  // namespace

const Property pure_decay{
    "pure_decay",
    "without writes the last state is exp(sum of g) times the first, within a bound relative to "
    "itself",
    &why_not, &check};

}  // namespace deltaproof::laws
