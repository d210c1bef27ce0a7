#include <algorithm>
#include <array>
#include <stdexcept>

#include "reference/rules/rule.hpp"

namespace deltaproof {
namespace {

using enum System;
using enum Decay;

// A new rule is one line here, one file in this folder and one test.
// {rule, name, system, decay, g may be absent, r, write gate, summary}
constexpr std::array kRules{
    RuleInfo{Rule::linear, "linear", update_family, none, false, false, "",
             "linear attention: S += k v^T"},
    RuleInfo{Rule::scalar_decay, "scalar_decay", update_family, scalar, false, false, "",
             "Mamba-2 / SSD core, simple GLA: S = alpha S + k v^T"},
    RuleInfo{Rule::vector_decay, "vector_decay", update_family, per_channel, false, false, "",
             "GLA: S = Diag(alpha) S + k v^T"},
    RuleInfo{Rule::delta, "delta", update_family, none, false, true, "beta",
             "DeltaNet: S += beta k (v - S^T k)^T"},
    RuleInfo{Rule::gated_delta, "gated_delta", update_family, scalar, false, true, "beta",
             "Gated DeltaNet: decay alpha, then the delta rule with beta"},
    RuleInfo{
        Rule::kla, "kla", update_family, scalar, true, true, "eta",
        "Kaczmarz Linear Attention: gated delta with b = eta / (|k|^2 + eps), and its variants"},
    RuleInfo{Rule::longhorn_exact, "longhorn_exact", update_family, scalar, true, true, "beta",
             "Longhorn's closed form: b = beta / (1 + beta |k|^2), with or without decay"},
    RuleInfo{Rule::vector_decay_delta, "vector_decay_delta", update_family, per_channel, false,
             true, "beta", "KDA: delta rule with one decay for each key channel"},
    RuleInfo{Rule::longhorn, "longhorn", longhorn, none, false, false, "beta",
             "Longhorn as published: diagonal approximation, beta for each value channel"},
    RuleInfo{Rule::softmax, "softmax", softmax, none, false, false, "",
             "causal softmax attention with an optional null sink"},
    RuleInfo{Rule::gsa, "gsa", gsa, none, false, false, "a",
             "gated slot attention: M slots, softmax read over the slots"},
    RuleInfo{Rule::hola, "hola", hola, scalar, false, true, "beta",
             "HOLA: a gated delta (or kla) state and an exact cache of the w highest-scoring tokens"},
};

}  // namespace

std::span<const RuleInfo> rule_table() { return kRules; }

const RuleInfo& rule_info(Rule rule) {
  const auto found = std::ranges::find(kRules, rule, &RuleInfo::rule);
  if (found == kRules.end()) throw std::logic_error("rule without a line in the table of rules");
  return *found;
}

const RuleInfo* find_rule(std::string_view name) {
  const auto found = std::ranges::find(kRules, name, &RuleInfo::name);
  return found == kRules.end() ? nullptr : &*found;
}

}  // namespace deltaproof
