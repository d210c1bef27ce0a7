#pragma once

#include <span>
#include <string_view>

namespace deltaproof {

/// The rules whose right answer is known (`semantics` page in docs/).
enum class Rule {
  linear,
  scalar_decay,
  vector_decay,
  delta,
  gated_delta,
  kla,
  longhorn_exact,
  vector_decay_delta,
  longhorn,
  softmax,
  gsa,
  hola,
};

/// Which recurrence a rule belongs to.
enum class System {
  update_family,  ///< S~ = D S, e = v - r S~^T k, S = S~ + b k e^T, o = scale S^T q
  longhorn,       ///< diagonal approximation, beta per value channel
  softmax,        ///< causal softmax attention, optional null sink
  gsa,            ///< gated slot attention
  hola,           ///< a state of the update family beside an exact cache of bounded size
};

enum class Decay { none, scalar, per_channel };

/// One line of the table of rules.
struct RuleInfo {
  Rule rule;
  std::string_view name;
  System system;
  Decay decay;  ///< shape of D_t; `optional_decay` says that `g` may be absent
  bool optional_decay;
  bool residual;           ///< r of the update family: 1 for delta rules
  std::string_view write;  ///< tensor that carries the write gate: "beta", "eta", "a", or ""
  std::string_view summary;
};

std::span<const RuleInfo> rule_table();
const RuleInfo& rule_info(Rule rule);
/// nullptr if the name is unknown.
const RuleInfo* find_rule(std::string_view name);

/// Write coefficient of `kla` (KLA paper, Eq. 3 and its ablations).
enum class KlaVariant {
  standard,        ///< eta / (|k|^2 + eps)
  no_norm,         ///< eta
  key_norm_only,   ///< 1 / (|k|^2 + eps)
  learned_scalar,  ///< eta / (c |k|^2 + eps); c as given
  single_gate,     ///< standard, with alpha = clamp(1 - eta, 1e-6, 1)
};

/// Position factor on b, t counted from 1 in its sequence (KLA ablation).
enum class Position { one, inverse, inverse_sqrt, inverse_log };

}  // namespace deltaproof
