#pragma once

#include <vector>

#include "reference/problem/head.hpp"
#include "reference/rules/additive.hpp"
#include "reference/rules/gated_delta.hpp"
#include "reference/rules/inputs.hpp"
#include "reference/rules/kla.hpp"
#include "reference/rules/longhorn_exact.hpp"

namespace deltaproof {

/// The update family's coefficients in the scalar R, formed from the exact inputs:
///   S~ = D_t S_{t-1},  e_t = v_t - r S~^T k_t,  S_t = S~ + b_t k_t e_t^T,  o_t = scale S_t^T q_t.
/// R is double, an MPFR number or an MPFI interval; the text is the same.
template <class R>
struct Steps {
  Index tokens = 0, K = 0, V = 0;
  Decay decay = Decay::none;
  bool residual = true;  ///< r
  std::vector<R> q, k;   ///< tokens x K, normalised where the problem says so
  std::vector<R> v;      ///< tokens x V
  std::vector<R> alpha;  ///< empty, tokens, or tokens x K
  std::vector<R> b;      ///< tokens
  R scale{};
};

/// Checks that the head's tensors have the shapes that its rule needs, and returns the shape of its
/// decay. Throws InputError, also for a rule outside the update family.
Decay update_family_decay(const HeadInputs& head);

/// b_t of one token; `k` is the key as the rule writes with it. One line for each rule.
template <Scalar R>
R write_coefficient(const HeadInputs& head, Index t, const R* k) {
  const Options& options = head.options;
  const double gate = head.write.size() == 0 ? 1.0 : head.write(t, 0);
  switch (options.rule) {
    case Rule::linear:
    case Rule::scalar_decay:
    case Rule::vector_decay:
      return additive_coefficient<R>();
    case Rule::delta:
    case Rule::gated_delta:
    case Rule::vector_decay_delta:
      return gated_delta_coefficient<R>(gate);
    case Rule::kla:
      return kla_coefficient<R>(options, gate, square_sum(k, head.K), head.first_position + t);
    case Rule::longhorn_exact:
      return longhorn_exact_coefficient<R>(gate, square_sum(k, head.K));
    case Rule::longhorn:
    case Rule::softmax:
    case Rule::gsa:
    case Rule::hola:
      break;
  }
  throw std::logic_error("no write coefficient: the rule is outside the update family");
}

/// alpha_t of every token (tokens x 1 or tokens x K; empty without decay).
template <Scalar R>
std::vector<R> decays(const HeadInputs& head, Decay decay) {
  using std::exp;
  std::vector<R> alpha;
  if (decay == Decay::none) return alpha;
  if (head.options.rule == Rule::kla && head.options.variant == KlaVariant::single_gate) {
    for (Index t = 0; t < head.tokens; ++t)
      alpha.push_back(kla_single_gate_decay<R>(head.write(t, 0)));
    return alpha;
  }
  alpha.reserve(static_cast<std::size_t>(head.g.size()));
  for (Index i = 0; i < head.g.size(); ++i) alpha.push_back(exp(R(head.g.data()[i])));
  return alpha;
}

/// Throws InputError for a rule outside the update family.
template <class R>
Steps<R> make_steps(const HeadInputs& head) {
  Steps<R> steps;
  steps.decay = update_family_decay(head);
  steps.tokens = head.tokens;
  steps.K = head.K;
  steps.V = head.V;
  steps.residual = rule_info(head.options.rule).residual;
  steps.q = queries<R>(head);
  steps.k = keys<R>(head);
  steps.v = elements<R>(head.v);
  steps.alpha = decays<R>(head, steps.decay);
  steps.b.reserve(static_cast<std::size_t>(head.tokens));
  for (Index t = 0; t < head.tokens; ++t)
    steps.b.push_back(write_coefficient<R>(head, t, steps.k.data() + t * head.K));
  steps.scale = R(head.options.scale);
  return steps;
}

extern template Steps<double> make_steps<double>(const HeadInputs&);

}  // namespace deltaproof
