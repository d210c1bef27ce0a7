#include "tests/properties/laws/reference_kernel.hpp"

#include "properties/laws/second_run.hpp"
#include "properties/laws/tensors.hpp"
#include "reference/oracle/answer.hpp"

namespace deltaproof {

Outputs ReferenceKernel::run(const Problem& problem) const {
  const Dimensions& d = problem.dims();
  const bool vk = problem.options().state_layout == StateLayout::vk;
  const Tensor before = laws::states_before(problem);
  Outputs outputs;
  Tensor& o = outputs.tensors["o"];
  Tensor& states = outputs.tensors["final_state"];
  o = laws::filled({in_f64_ ? Dtype::f64 : problem.find("q")->dtype, {d.B, d.T, d.HV, d.V}, {}}, 0);
  states = Tensor::from(in_f64_ ? Dtype::f64 : Dtype::f32, before.shape, before.values());
  for (const Sequence& s : problem.sequences()) {
    for (std::int64_t h = 0; s.state_row >= 0 && s.length > 0 && h < d.HV; ++h) {
      const HeadAnswer answer = answer_double(head_inputs(problem, s, h), {.every = 0, .trace = false, .u = false});
      for (std::int64_t t = 0; t < s.length; ++t) {
        const std::int64_t row = ((s.batch * d.T + s.begin + t) * d.HV + h) * d.V;
        for (std::int64_t c = 0; c < d.V; ++c) laws::set_value(o, row + c, answer.o(t, c));
      }
      const Matrix& state = answer.states.back();
      for (std::int64_t i = 0; i < d.K; ++i) {
        for (std::int64_t c = 0; c < d.V; ++c) {
          const std::int64_t at = (s.state_row * d.HV + h) * d.K * d.V + (vk ? c * d.K + i : i * d.V + c);
          laws::set_value(states, at, state(i, c));
        }
      }
    }
  }
  return outputs;
}

}  // namespace deltaproof
