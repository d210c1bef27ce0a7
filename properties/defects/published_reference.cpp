// What published rules hold a run against: the right answer, and the baseline of twice_baseline.
#include <utility>

#include "properties/defects/published_baseline.hpp"
#include "properties/defects/published_rules.hpp"
#include "reference/oracle/answer.hpp"

namespace deltaproof {

std::vector<double> PublishedRules::Reference::values_of(const Tensor& tensor) const {
  std::vector<double> values;
  values.reserve(at.size());
  for (const std::int64_t place : at) values.push_back(tensor.value(place));
  return values;
}

PublishedRules::PublishedRules(const Problem& problem) : input_(problem.find("q")->dtype) {
  const Dimensions& d = problem.dims();
  const bool vk = problem.options().state_layout == StateLayout::vk;
  const auto add = [](Reference& to, std::int64_t place, double right, double baseline) {
    to.at.push_back(place);
    to.right.push_back(right);
    to.baseline.push_back(baseline);
  };
  for (const Sequence& s : problem.sequences()) {
    if (s.state_row < 0) continue;
    for (std::int64_t head = 0; head < d.HV; ++head) {
      const HeadInputs inputs = head_inputs(problem, s, head);
      const HeadAnswer answer = answer_double(inputs, {});
      const BaselineRun baseline = baseline_run(inputs, dtype_format(input_));
      for (Index t = 0; t < s.length; ++t) {
        const std::int64_t row = ((s.batch * d.T + s.begin + t) * d.HV + head) * d.V;
        for (Index j = 0; j < d.V; ++j) add(o_, row + j, answer.o(t, j), baseline.o(t, j));
      }
      const Matrix& state = answer.states.back();
      const std::int64_t first = (s.state_row * d.HV + head) * d.K * d.V;
      for (Index i = 0; i < d.K; ++i) {
        for (Index j = 0; j < d.V; ++j) {
          add(state_, first + (vk ? j * d.K + i : i * d.V + j), state(i, j), baseline.state(i, j));
        }
      }
    }
  }
}

PublishedError PublishedRules::error_of_o(const Outputs& outputs) const {
  return published_error(o_.values_of(outputs.tensors.at("o")), o_.right);
}

PublishedError PublishedRules::error_of_state(const Outputs& outputs) const {
  return published_error(state_.values_of(outputs.tensors.at("final_state")), state_.right);
}

bool PublishedRules::accept(PublishedRule rule, const Outputs& outputs) const {
  for (const auto& [name, reference] : {std::pair{"o", &o_}, std::pair{"final_state", &state_}}) {
    if (reference->at.empty()) continue;
    const JudgedValues values{reference->values_of(outputs.tensors.at(name)), reference->right, reference->baseline,
                              input_};
    if (!accepts(rule, values)) return false;
  }
  return true;
}

}  // namespace deltaproof
