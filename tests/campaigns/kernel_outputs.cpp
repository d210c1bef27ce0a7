#include "kernel_outputs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "properties/accuracy/emulated_outputs.hpp"
#include "reference/problem/head.hpp"

namespace deltaproof::campaign {
namespace {

// eta / (|k|^2 + eps), fp32 throughout: what kernels of rule kla form before they write.
HeadInputs with_formed_coefficients(HeadInputs head) {
  for (Index t = 0; t < head.tokens; ++t) {
    float square = 0;
    for (Index c = 0; c < head.K; ++c) {
      const auto k = static_cast<float>(head.k(t, c));
      square = std::fma(k, k, square);
    }
    const float divisor = square + static_cast<float>(head.options.eps);
    head.write(t, 0) = static_cast<double>(static_cast<float>(head.write(t, 0)) / divisor);
  }
  head.options.rule = Rule::gated_delta;
  return head;
}

double factor_of(Planted planted) {
  if (planted == Planted::scaled_by_0_03_percent) return 1.0003;
  return planted == Planted::scaled_by_0_3_percent ? 1.003 : 1;
}

Declared order_of(const CorrectRun& run, Planted planted) {
  Declared order = run.declared;
  if (planted == Planted::truncated_point) order[Point::u].mode = PointMode::truncated;
  if (factor_of(planted) != 1) order[Point::o].format = PointFormat::f32;  // scaled, then stored
  return order;
}

}  // namespace

Outputs kernel_outputs(const CorrectRun& run, const Problem& problem, Planted planted) {
  const Resolved resolved = resolve(order_of(run, planted), dtype_format(run.input), dtype_format(run.stored), false,
                                    false, run.beta == Dtype::f32);
  const double factor = factor_of(planted);
  const Dimensions& d = problem.dims();
  std::vector<double> o(static_cast<std::size_t>(d.B * d.T * d.HV * d.V));
  const auto run_head = [&](const Sequence& sequence, std::int64_t head) {
    HeadInputs inputs = head_inputs(problem, sequence, head);
    if (run.rule == Rule::kla) inputs = with_formed_coefficients(std::move(inputs));
    Emulation emulation = emulate(resolved, inputs, run.chunk_size, run.shape.initial_state);
    for (Index t = 0; t < sequence.length; ++t) {
      const std::int64_t at = ((sequence.batch * d.T + sequence.begin + t) * d.HV + head) * d.V;
      const Matrix row = factor * emulation.o.row(t).cast<double>();
      std::copy_n(row.data(), d.V, o.begin() + at);
    }
    return emulation;
  };
  Outputs outputs = assembled_outputs(problem, run_head, run.with_states);
  // The stored type may be another than that of q.
  outputs.tensors["o"] = Tensor::from(run.stored, {d.B, d.T, d.HV, d.V}, o);
  return outputs;
}

}  // namespace deltaproof::campaign
