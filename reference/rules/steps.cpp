#include "reference/rules/steps.hpp"

#include <string>

#include "reference/problem/input_error.hpp"

namespace deltaproof {

void require_shape(const Matrix& matrix, Index rows, Index columns, const char* tensor,
                   const char* rule) {
  if (matrix.rows() == rows && matrix.cols() == columns) return;
  throw InputError(std::string("rule ") + rule + ": one head's " + tensor + " is " +
                   std::to_string(matrix.rows()) + " x " + std::to_string(matrix.cols()) +
                   ", needs to be " + std::to_string(rows) + " x " + std::to_string(columns));
}

namespace {

void require_inputs(const HeadInputs& head, const RuleInfo& info, Decay decay) {
  const std::string rule(info.name);
  require_shape(head.q, head.tokens, head.K, "q", rule.c_str());
  require_shape(head.k, head.tokens, head.K, "k", rule.c_str());
  require_shape(head.v, head.tokens, head.V, "v", rule.c_str());
  // key_norm_only writes with 1 / (|k|^2 + eps) alone.
  const bool optional_gate =
      head.options.rule == Rule::kla && head.options.variant == KlaVariant::key_norm_only;
  if (!info.write.empty() && !(optional_gate && head.write.size() == 0))
    require_shape(head.write, head.tokens, 1, std::string(info.write).c_str(), rule.c_str());
  const bool from_gate =
      head.options.rule == Rule::kla && head.options.variant == KlaVariant::single_gate;
  if (decay != Decay::none && !from_gate)
    require_shape(head.g, head.tokens, decay == Decay::scalar ? 1 : head.K, "g", rule.c_str());
}

}  // namespace

Decay update_family_decay(const HeadInputs& head) {
  const RuleInfo& info = rule_info(head.options.rule);
  if (info.system != System::update_family)
    throw InputError("rule " + std::string(info.name) + " is outside the update family");
  Decay decay = info.decay;
  const bool single_gate =
      head.options.rule == Rule::kla && head.options.variant == KlaVariant::single_gate;
  if (info.optional_decay && head.g.size() == 0 && !single_gate) decay = Decay::none;
  require_inputs(head, info, decay);
  return decay;
}

template Steps<double> make_steps<double>(const HeadInputs&);

}  // namespace deltaproof
