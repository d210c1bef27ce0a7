#include "properties/defects/published_baseline.hpp"

#include "properties/defects/token_step.hpp"
#include "reference/problem/format.hpp"

namespace deltaproof {

BaselineRun baseline_run(const HeadInputs& head, const Format& format) {
  const auto rounded = [&format](double x) { return round_to_nearest_even(format, x); };
  Steps<double> steps = make_steps<double>(head);
  for (auto* values : {&steps.q, &steps.k, &steps.v, &steps.alpha, &steps.b}) {
    for (double& x : *values) x = rounded(x);
  }
  BaselineRun run{Matrix::Zero(steps.tokens, steps.V), head.initial_state.unaryExpr(rounded)};
  for (Index t = 0; t < steps.tokens; ++t) {
    write_token(steps, t, run.state, rounded);
    run.o.row(t) = read_token(steps, t, run.state, rounded);
  }
  return run;
}

}  // namespace deltaproof
