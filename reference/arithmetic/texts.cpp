#include "reference/arithmetic/texts.hpp"

#include <algorithm>

namespace deltaproof {
namespace {

// Layouts of KDA and GLA that some configuration of the autotuner has (docs/arithmetic.md, 'KDA and GLA').
const TextInfo::Autotuned channel_scan = {"scan", {"pieces_of_4", "pieces_of_2"}};
const TextInfo::Autotuned channel_sum = {"channel_sum", {"eight", "four", "four_second_fused", "two", "one"}};
const TextInfo::Autotuned channel_rows = {
    "row_sum", {"halves_upper_fused", "halves_lower_fused", "eights_lower_fused", "fours_lower_fused"}};

// One warp scans two tokens a lane where they lie next to each other in memory.
const TextInfo::Autotuned scalar_scan = {"scan", {"pieces_of_32", "pairs"}};
// Of rule delta, whose kernel is not that of the gated rules.
const TextInfo::Autotuned delta_rows = {"row_sum", {"eights_lower_fused", "fours_lower_fused", "twos_lower_fused"}};

const std::vector<TextInfo>& texts() {
  using enum Point;
  static const std::vector<TextInfo> table = {
      {"fla-chunk", true, Decay::scalar, true,
       {q, k, T, k_beta, k_beta_decayed, v_beta, w, u, state_copy, v_new, v_scaled, P, o},
       {Product::gram, Product::scores, Product::u, Product::w, Product::w_state, Product::q_state,
        Product::p_v, Product::state},
       {"mma", "scan", "exp2", "inverse", "row_sum", "merge", "merge_sum", "v_scaled_from", "state_sum",
        "output_sum", "norm_sum", "layout", "f32_products", "u_ieee"},
       {scalar_scan, delta_rows}},
      {"fla-simple-gla-chunk", false, Decay::scalar, false,
       {state_copy, v_scaled, P, o},
       {Product::scores, Product::q_state, Product::p_v, Product::state},
       {"mma", "scan", "exp2", "state_sum", "output_sum", "norm_sum", "layout", "f32_products"},
       {scalar_scan}},
      {"fla-kda-chunk", true, Decay::per_channel, true,
       {q, k, x_decayed, P, T, v_beta, k_beta, k_beta_decayed, u, w, state_copy, v_new, q_scaled, o, k_scaled},
       {Product::gram, Product::scores, Product::u, Product::w, Product::w_state, Product::q_state,
        Product::p_v, Product::state},
       {"mma", "scan", "exp2", "inverse", "row_sum", "merge", "merge_sum", "state_sum", "chunk_sum",
        "channel_sum", "channel_order", "norm_sum", "layout", "f32_products"},
       {channel_scan, channel_sum, channel_rows}},
      {"fla-gla-chunk", false, Decay::per_channel, false,
       {x_decayed, P, state_copy, q_scaled, o, k_scaled},
       {Product::scores, Product::q_state, Product::p_v, Product::state},
       {"mma", "scan", "exp2", "state_sum", "chunk_sum", "channel_sum", "channel_order", "norm_sum", "layout",
        "f32_products"},
       {channel_scan, channel_sum}},
      {"nvlabs-chunk", true, Decay::scalar, false,
       {k_beta, v_beta, T, u, w, w_decayed, state_copy, v_new, q_scaled, P, o, k_scaled},
       {Product::gram, Product::scores, Product::u, Product::w, Product::w_state, Product::q_state,
        Product::p_v, Product::state},
       {"mma", "scan", "exp2", "row_sum", "state_sum", "chunk_sum"}},
      // Kernels of rules with a decay per channel sum in another layout.
      {"fla-recurrent", std::nullopt, Decay::scalar, false, {q, k, o}, {}, {"exp2", "lanes"}},
      {"deltaproof-recurrent", std::nullopt, std::nullopt, false, {q, k, o}, {},
       {"exp2", "lanes", "lane_sum", "norm_sum"}},
  };
  return table;
}

}  // namespace

bool TextInfo::covers(const RuleInfo& rule) const {
  if (rule.system != System::update_family || rule.residual != residual.value_or(rule.residual)) return false;
  return !decay || (rule.decay == Decay::per_channel) == (decay == Decay::per_channel);
}

std::span<const TextInfo> text_table() { return texts(); }

const TextInfo* find_text(std::string_view name) {
  const auto& table = texts();
  const auto found = std::find_if(table.begin(), table.end(), [&](const TextInfo& t) { return t.name == name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace deltaproof
