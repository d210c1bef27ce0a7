#include "properties/defects/published_baseline.hpp"

#include <algorithm>
#include <functional>

#include "properties/defects/token_step.hpp"
#include "reference/problem/format.hpp"
#include "reference/rules/hola.hpp"

namespace deltaproof {

namespace {

using Rounded = std::function<double(double)>;

// The read of a cache in the sets of the exact scores.
Matrix baseline_read(const HeadInputs& head, const Rounded& rounded) {
  const CacheSets sets = hola_layer<double>(head).sets;
  const double scale = rounded(logit_scale<double>(head)), gate = rounded(sigmoid<double>(head.cache_gate));
  Matrix o = Matrix::Zero(head.tokens, head.V);
  for (Index n = 0; n < std::ssize(sets); ++n) {
    BlockView<double> view = block_view<double>(head, n, sets[static_cast<std::size_t>(n)]);
    for (auto* values : {&view.q, &view.k, &view.v}) std::ranges::transform(*values, values->begin(), rounded);
    for (Index i = 0; i < view.count; ++i) {
      std::vector<double> weights;
      for (Index j = 0; j < view.visible(i); ++j) {
        const double dot = inner_product(view.q.data() + i * head.K, view.k.data() + j * head.K, head.K);
        weights.push_back(rounded(rounded(dot) * scale));
      }
      softmax_in_place(weights, head.sink);
      std::ranges::transform(weights, weights.begin(), rounded);
      double* row = o.row(view.begin + i).data();
      weighted_rows(weights, view.v.data(), head.V, row);
      std::transform(row, row + head.V, row, [&](double x) { return rounded(gate * rounded(x)); });
    }
  }
  return o;
}

}  // namespace

BaselineRun baseline_run(const HeadInputs& head, const Format& format) {
  const auto rounded = [&format](double x) { return round_to_nearest_even(format, x); };
  if (head.options.rule == Rule::hola) {
    BaselineRun run = baseline_run(head.state_part(), format);
    run.o = (run.o + baseline_read(head, rounded)).unaryExpr(rounded);
    return run;
  }
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
