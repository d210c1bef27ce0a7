#include "properties/defects/published_rules.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "reference/oracle/answer.hpp"

namespace deltaproof {
namespace {

// NaN counts as infinitely far: it passes neither rule.
PublishedError error_of(const Tensor& tensor, const std::vector<double>& reference) {
  const std::vector<double> values = tensor.values();
  PublishedError error;
  double square = 0, size = 0;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const double e = values[i] - reference[i];
    square += e * e;
    size += reference[i] * reference[i];
    error.largest = std::isnan(e) ? e : std::max(error.largest, std::abs(e));
  }
  error.relative_rms = std::sqrt(square / size);
  return error;
}

}  // namespace

PublishedRules::PublishedRules(const Problem& problem) {
  const Dimensions& d = problem.dims();
  if (problem.options().state_layout != StateLayout::kv) throw std::logic_error("states in vk layout");
  o_.resize(static_cast<std::size_t>(d.B * d.T * d.HV * d.V));
  state_.resize(static_cast<std::size_t>(d.pool * d.HV * d.K * d.V));
  for (const Sequence& s : problem.sequences()) {
    for (std::int64_t head = 0; head < d.HV; ++head) {
      const HeadAnswer answer = answer_double(head_inputs(problem, s, head), {});
      for (Index t = 0; t < s.length; ++t) {
        const std::int64_t at = ((s.batch * d.T + s.begin + t) * d.HV + head) * d.V;
        std::copy_n(answer.o.row(t).data(), d.V, o_.begin() + at);
      }
      const Matrix& state = answer.states.back();
      std::copy_n(state.data(), state.size(), state_.begin() + (s.state_row * d.HV + head) * state.size());
    }
  }
}

PublishedError PublishedRules::error_of_o(const Outputs& outputs) const {
  return error_of(outputs.tensors.at("o"), o_);
}

PublishedError PublishedRules::error_of_state(const Outputs& outputs) const {
  return error_of(outputs.tensors.at("final_state"), state_);
}

bool PublishedRules::accept(const Outputs& outputs) const {
  return error_of_o(outputs).accepted() && error_of_state(outputs).accepted();
}

bool PublishedRules::accept_loosely(const Outputs& outputs) const {
  return error_of_o(outputs).accepted_loosely() && error_of_state(outputs).accepted_loosely();
}

}  // namespace deltaproof
