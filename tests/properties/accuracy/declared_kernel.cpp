#include "declared_kernel.hpp"

#include <algorithm>

#include "properties/accuracy/conformity.hpp"
#include "reference/arithmetic/emulate.hpp"
#include "reference/problem/head.hpp"

namespace deltaproof {

Outputs emulated_outputs(const Problem& problem, bool with_states) {
  return emulated_outputs(problem, built_in(problem.options().arithmetic, problem.options().rule).value(),
                          with_states);
}

Outputs emulated_outputs(const Problem& problem, const Declared& declared, bool with_states) {
  const Dimensions& d = problem.dims();
  const Resolved resolved = resolve_for(problem, Outputs{}, declared);
  std::vector<double> o(static_cast<std::size_t>(d.B * d.T * d.HV * d.V));
  std::vector<double> final(static_cast<std::size_t>(d.pool * d.HV * d.K * d.V));
  for (const Sequence& s : problem.sequences()) {
    for (std::int64_t h = 0; h < d.HV; ++h) {
      const Emulation run = emulate(resolved, head_inputs(problem, s, h), problem.options().chunk_size,
                                    problem.find("initial_state") != nullptr);
      for (Index t = 0; t < s.length; ++t) {
        const std::int64_t at = ((s.batch * d.T + s.begin + t) * d.HV + h) * d.V;
        for (Index c = 0; c < d.V; ++c) o[static_cast<std::size_t>(at + c)] = static_cast<double>(run.o(t, c));
      }
      const MatrixF& last = run.states.back();
      const std::int64_t at = (s.state_row * d.HV + h) * last.size();
      for (Index i = 0; i < last.size(); ++i) final[static_cast<std::size_t>(at + i)] = static_cast<double>(last.data()[i]);
    }
  }
  Outputs outputs;
  outputs.tensors["o"] = Tensor::from(problem.find("q")->dtype, {d.B, d.T, d.HV, d.V}, o);
  outputs.tensors["final_state"] = Tensor::from(Dtype::f32, {d.pool, d.HV, d.K, d.V}, final);
  if (with_states) outputs.tensors["chunk_states"] = emulated_states(problem, resolved, 1);
  return outputs;
}

}  // namespace deltaproof
