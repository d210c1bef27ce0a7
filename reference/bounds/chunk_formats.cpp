#include "reference/bounds/chunk_formats.hpp"

#include <initializer_list>

namespace deltaproof {
namespace {

// Any two-level scan of 64 tokens is at most 10 additions deep (32 lanes by Kogge-Stone are 5, plus a carry);
// deeper scans belong to `generic`, which allows any order.
constexpr double two_level_scan_depth = 10;

bool covers(std::string_view name, const RuleInfo& rule) {
  if (rule.system != System::update_family) return false;
  if (name == "generic" || name == "deltaproof-chunk") return true;
  if (name == "fla-chunk" || name == "nvlabs-chunk") {
    return rule.residual && rule.decay != Decay::per_channel;
  }
  if (name == "fla-simple-gla-chunk") return !rule.residual && rule.decay != Decay::per_channel;
  if (name == "fla-kda-chunk") return rule.residual && rule.decay == Decay::per_channel;
  if (name == "fla-gla-chunk") return !rule.residual && rule.decay == Decay::per_channel;
  return false;
}

void set(std::initializer_list<Rounding*> points, const Rounding& rounding) {
  for (Rounding* point : points) *point = rounding;
}

// Points that every chunk kernel of the family has, in the type of its dots' operands.
ChunkFormats common(const Format& input, const Rounding& operand) {
  const bool tf32 = input == formats::f32;
  ChunkFormats f;
  if (input == formats::f16) f.dot_operand = Operand::f16;
  if (tf32) f.dot_operand = Operand::tf32;
  f.normalised = nearest(input);
  set({&f.T, &f.rv, &f.rw, &f.w, &f.state_copy, &f.v_new, &f.P}, operand);
  if (tf32) {
    // Inputs are fp32: every dot truncates its operands, if it takes them in TF32; u is not stored narrower.
    set({&f.operand, &f.value}, operand);
  } else {
    f.u = operand;
  }
  return f;
}

// The families of flash-linear-attention with fp32 where those have TF32: merges, and all products of fp32 inputs.
void keep_fp32(ChunkFormats& f, const Format& input) {
  f.inverse = ChunkFormats::Inverse::merged_in_fp32;
  f.merge = not_rounded;
  f.fp32_products = input == formats::f32;
  if (f.fp32_products) f.gram_operand = not_rounded;
}

std::string_view family_of_own_chunk(const RuleInfo& rule) {
  if (rule.decay == Decay::per_channel) return rule.residual ? "fla-kda-chunk" : "fla-gla-chunk";
  return rule.residual ? "fla-chunk" : "fla-simple-gla-chunk";
}

}  // namespace

std::optional<ChunkFormats> chunk_formats(std::string_view name, const RuleInfo& rule,
                                          const Format& input, Index chunk_size) {
  if (!covers(name, rule) || input == formats::f64) return std::nullopt;
  const bool tf32 = input == formats::f32, own = name == "deltaproof-chunk";
  if (own) name = family_of_own_chunk(rule);
  Rounding operand = nearest(input);
  if (tf32) operand = own ? not_rounded : truncated(formats::tf32);
  ChunkFormats f = common(input, operand);
  const bool per_channel = rule.decay == Decay::per_channel;
  // Scans per channel go in groups of 2 or 4 tokens, one after the other: any order is allowed for.
  const bool two_level = chunk_size <= 64 && !per_channel;
  f.gates.scan_depth = two_level ? two_level_scan_depth : static_cast<double>(chunk_size);
  if (name == "fla-chunk" || name == "fla-simple-gla-chunk") {
    f.v_scaled = operand;
  } else if (name == "nvlabs-chunk") {
    set({&f.key_beta, &f.w_decayed, &f.k_scaled, &f.q_scaled}, operand);
    f.inverse = ChunkFormats::Inverse::two_substitutions;
    f.scale = ChunkFormats::Scale::query;
    f.shared_value_type = !tf32;
  } else if (per_channel && name != "generic") {
    set({&f.k_scaled, &f.q_scaled}, operand);
    // Decayed rows enter their Gram products in fp32, which the dot truncates to TF32.
    f.gram_operand = truncated(formats::tf32);
    f.gram_dot = Operand::tf32;
    f.scale = ChunkFormats::Scale::either;
    f.shared_value_type = !tf32;
  } else {  // generic: every intermediate in the input's type, sums in any order
    const Rounding stored = tf32 ? nearest(formats::f32) : operand;
    set({&f.v_scaled, &f.k_scaled, &f.q_scaled, &f.key_beta, &f.w_decayed, &f.gram_operand}, operand);
    f.gram_dot = f.dot_operand;
    f.scale = ChunkFormats::Scale::either;
    set({&f.L, &f.product}, stored);
    f.gates.scan_depth = static_cast<double>(chunk_size);
  }
  if (own) keep_fp32(f, input);
  return f;
}

}  // namespace deltaproof
