#include "reference/arithmetic/built_in.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "reference/arithmetic/choices.hpp"
#include "reference/arithmetic/texts.hpp"

namespace deltaproof {
namespace {

constexpr std::string_view own_chunk = "deltaproof-chunk";

void declare_channel_decay(Declared& declared) {
  declared.scan = Scan::pieces_of_4;
  declared.channel_order = ChannelOrder::even_odd;
  declared.row_sum = RowSum::halves_upper_fused;  // one warp, inputs in 16 bits
  declared.u_ieee = false;
  declared[Point::x_decayed].format = PointFormat::f32;
  declared[Point::k_beta].format = PointFormat::beta;
}

void declare_own_recurrent(Declared& declared) {
  declared.lanes = Lanes::eight;
  declared.lane_sum = LaneSum::from_zero;
  declared.norm_sum = NormSum::warp;
}

std::optional<Declared> built_in_text(const TextInfo& text, Rule rule) {
  if (!text.covers(rule_info(rule))) return std::nullopt;
  const std::string_view name = text.name;
  Declared declared;
  declared.text = name;
  if (text.merges && rule == Rule::delta) {
    declared.merge = Merge::ieee;
    declared.row_sum = RowSum::eights_lower_fused;  // two warps
  }
  const bool recurrent = text.products.empty();
  // Triton's exp2 flushes subnormal results, its exp does not.
  if (name.starts_with("fla-") && !recurrent) declared.exp2 = Exp2::approx_ftz;
  if (name == "fla-chunk") declared[Point::k_beta].format = PointFormat::beta;
  if (text.decay == Decay::per_channel) declare_channel_decay(declared);
  if (name == "nvlabs-chunk") {
    declared.scan = Scan::sklansky;  // torch.cumsum
    declared.state_sum = StateSum::fused;
    declared.u_ieee = false;
  }
  if (recurrent) declared[Point::q].format = declared[Point::k].format = PointFormat::f32;
  if (name == "deltaproof-recurrent") declare_own_recurrent(declared);
  return declared;
}

std::string_view own_chunk_text(const RuleInfo& rule) {
  if (rule.decay == Decay::per_channel) return rule.residual ? "fla-kda-chunk" : "fla-gla-chunk";
  return rule.residual ? "fla-chunk" : "fla-simple-gla-chunk";
}

// Choices that the text does not make keep their defaults: declarations are compared member by member.
std::optional<Declared> built_in_own_chunk(Rule rule) {
  const TextInfo& text = *find_text(own_chunk_text(rule_info(rule)));
  std::optional<Declared> declared = built_in_text(text, rule);
  if (!declared) return std::nullopt;
  declared->exp2 = Exp2::approx;
  declared->norm_sum = NormSum::warp;
  declared->layout = Layout::fixed;
  declared->f32_products = F32Products::ieee;
  if (text.merges) {
    declared->merge = Merge::ieee;
    declared->row_sum = RowSum::ascending;
    declared->at[static_cast<std::size_t>(Point::k_beta)].format = PointFormat::f32;
  }
  if (text.decay == Decay::per_channel) {
    declared->scan = Scan::sequential;
    declared->channel_sum = ChannelSum::ascending;
    declared->channel_order = ChannelOrder::ascending;
  }
  return declared;
}

std::size_t differing_choices(const Declared& x, const Declared& y) {
  const auto& choices = choices_of(x.text);
  const auto differs = [&](const Choice& choice) { return choice.get(x) != choice.get(y); };
  return static_cast<std::size_t>(std::count_if(choices.begin(), choices.end(), differs));
}

}  // namespace

const std::vector<std::string_view>& built_in_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> list;
    for (const TextInfo& text : text_table()) list.push_back(text.name);
    list.push_back(own_chunk);
    return list;
  }();
  return names;
}

std::optional<Declared> built_in(std::string_view name, Rule rule) {
  if (name == own_chunk) return built_in_own_chunk(rule);
  const TextInfo* text = find_text(name);
  return text == nullptr ? std::nullopt : built_in_text(*text, rule);
}

NamedDeclaration nearest_built_in(const Declared& declared, Rule rule) {
  NamedDeclaration nearest;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const std::string_view name : built_in_names()) {
    const std::optional<Declared> candidate = built_in(name, rule);
    if (!candidate || candidate->text != declared.text) continue;
    const std::size_t count = differing_choices(declared, *candidate);
    if (count >= least) continue;
    least = count;
    nearest = {name, *candidate};
  }
  if (nearest.name.empty()) {
    throw std::logic_error("text " + declared.text + " does not compute rule " + std::string(rule_info(rule).name));
  }
  return nearest;
}

}  // namespace deltaproof
