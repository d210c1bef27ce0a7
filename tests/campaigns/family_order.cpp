#include "family_order.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "reference/arithmetic/texts.hpp"

namespace deltaproof::campaign {
namespace {

using Values = std::vector<std::string>;

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool per_channel(const Declared& declared) { return find_text(declared.text)->decay == Decay::per_channel; }

// Scans of at most 10 additions on any path; any order above 64 tokens and where the decay is per channel.
Values scans(const Choice& choice, const Declared& declared, const FamilyLimits& limits) {
  if (limits.generic || limits.chunk_size > 64 || per_channel(declared)) return choice.values;
  return {"pieces_of_32", "pieces_of_16", "pairs", "kogge_stone", "sklansky"};
}

// A dot may be split where its pieces are whole passes of the tensor core, of at most 16 products.
Values part_counts(const Choice& choice, const FamilyLimits& limits) {
  const bool over_channels = is_one_of(choice.name, {"gram", "scores", "w_state", "q_state"});
  if (!over_channels && limits.tokens % limits.chunk_size != 0) return {"1"};
  const std::int64_t inner = over_channels ? limits.K : limits.chunk_size;
  Values values;
  for (const std::string& count : choice.values) {
    if (inner / std::stoi(count) >= 16) values.push_back(count);
  }
  return values;
}

// Points that LOC rounds for this input type and that may be kept finer. What is kept in fp32 enters a dot in TF32,
// cut: finer than bf16, but not than f16. With fp32 inputs the operands are cut, and may be rounded instead.
Values roundings(const Choice& choice, const Declared& declared, const FamilyLimits& limits) {
  const std::string now = choice.get(declared);
  const bool is_operand = choice.name != "u";
  if (choice.name == "x_decayed") return {now, "tf32"};
  if (is_one_of(choice.name, {"q", "k", "o"}) || now == "beta") return {now};
  if (limits.input == Dtype::f32) return is_operand ? Values{now, "tf32"} : Values{now};
  if (limits.input == Dtype::f16) return is_operand ? Values{now} : Values{now, "f32"};
  if (is_operand && !limits.cut) return {now, "tf32"};
  return {now, "tf32", "f32"};
}

// Where u and v_new share a type, a value already in it is charged one rounding (docs/loc.md, Theorem 6). A finer
// value that a dot cuts to TF32 and that is then rounded after all would have two errors.
void keep_later_points_as_fine(Declared& declared, const FamilyLimits& limits) {
  const bool shared = declared.text == "nvlabs-chunk" || declared.text == "fla-kda-chunk";
  const bool finer = declared[Point::v_beta].format != PointFormat::input;
  if (!shared || !finer || limits.input == Dtype::f32) return;
  for (const Point later : {Point::u, Point::v_new}) declared[later] = declared[Point::v_beta];
}

}  // namespace

Values allowed_values(const Choice& choice, const Declared& declared, const FamilyLimits& limits) {
  if (choice.section == Choice::Section::points) return roundings(choice, declared, limits);
  if (choice.section == Choice::Section::parts) return part_counts(choice, limits);
  if (choice.name == "mma") return {"hopper", "blackwell", "ada", "ampere", "fp32_rn"};
  if (choice.name == "scan") return scans(choice, declared, limits);
  if (choice.name == "lanes") return {"four", "eight", "sixteen"};
  if (is_one_of(choice.name, {"norm_sum", "layout"})) return {choice.get(declared)};
  // One substitution over the whole chunk is another family, unless nothing is declared.
  if (choice.name == "inverse" && !limits.generic) return {choice.get(declared)};
  // LOC charges one rounding of what is scaled: without decay the second does nothing.
  if (choice.name == "v_scaled_from" && limits.decays && !limits.generic) return {choice.get(declared)};
  return choice.values;
}

Declared another_order(const Declared& declared, const FamilyLimits& limits, Generator& generator) {
  Declared other = declared;
  while (other == declared) {
    for (const Choice& choice : choices_of(declared.text)) {
      const Values values = allowed_values(choice, declared, limits);
      const bool anew = generator.integer(0, 2) == 0;
      const int which = generator.integer(0, static_cast<int>(values.size()) - 1);
      if (anew) choice.set(other, values[static_cast<std::size_t>(which)]);
    }
    keep_later_points_as_fine(other, limits);
  }
  return other;
}

}  // namespace deltaproof::campaign
