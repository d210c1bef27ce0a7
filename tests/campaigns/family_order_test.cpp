// Which orders of operations a family allows: docs/loc.md, section 5, as this campaign reads it.
#include "family_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "reference/arithmetic/texts.hpp"

namespace deltaproof::campaign {
namespace {

const Choice& choice_of(const std::string& text, const std::string& name) {
  const auto& choices = choices_of(text);
  return *std::find_if(choices.begin(), choices.end(), [&](const Choice& choice) { return choice.name == name; });
}

std::vector<std::string> allowed(const std::string& text, const std::string& name, const FamilyLimits& limits = {}) {
  const Rule rule = text == "fla-kda-chunk" ? Rule::vector_decay_delta : Rule::gated_delta;
  return allowed_values(choice_of(text, name), built_in(text, rule).value(), limits);
}

bool has(const std::vector<std::string>& values, const std::string& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

// Every text with a rule that it computes.
std::vector<Declared> every_built_in() {
  std::vector<Declared> list;
  for (const TextInfo& text : text_table()) {
    for (const RuleInfo& rule : rule_table()) {
      if (const auto declared = built_in(text.name, rule.rule)) list.push_back(*declared);
    }
  }
  return list;
}

TEST(AllowedValues, CanBeDeclaredAndNeverCutAPoint) {
  for (const Declared& declared : every_built_in()) {
    for (const Dtype input : {Dtype::bf16, Dtype::f16, Dtype::f32}) {
      FamilyLimits limits;
      limits.input = input;
      for (const Choice& choice : choices_of(declared.text)) {
        for (const std::string& value : allowed_values(choice, declared, limits)) {
          SCOPED_TRACE(declared.text + " " + choice.name + " " + value);
          EXPECT_TRUE(has(choice.values, value));
          const bool cut = value.find("truncated") != std::string::npos;
          EXPECT_FALSE(cut && choice.section == Choice::Section::points);
        }
      }
    }
  }
}

TEST(AllowedValues, HoldWhatIsBuiltIn) {
  for (const Declared& declared : every_built_in()) {
    for (const Choice& choice : choices_of(declared.text)) {
      if (choice.name == "lanes") continue;  // named, not left to the initial state
      SCOPED_TRACE(declared.text + " " + choice.name);
      EXPECT_TRUE(has(allowed_values(choice, declared, {}), choice.get(declared)));
    }
  }
}

TEST(AllowedValues, OfAScanAreTwoLevelsDeepUpTo64Tokens) {
  EXPECT_FALSE(has(allowed("fla-chunk", "scan"), "sequential"));
  EXPECT_FALSE(has(allowed("fla-chunk", "scan"), "pieces_of_4"));
  EXPECT_TRUE(has(allowed("fla-chunk", "scan"), "kogge_stone"));
  EXPECT_TRUE(has(allowed("fla-kda-chunk", "scan"), "sequential"));
  FamilyLimits longer;
  longer.chunk_size = 128;
  EXPECT_TRUE(has(allowed("fla-chunk", "scan", longer), "sequential"));
}

TEST(AllowedValues, OfAPointAreFinerThanTheInput) {
  EXPECT_TRUE(has(allowed("fla-chunk", "T"), "f32"));
  FamilyLimits f16;
  f16.input = Dtype::f16;
  EXPECT_FALSE(has(allowed("fla-chunk", "T", f16), "f32")) << "cut to TF32 by the dot: coarser than f16";
  EXPECT_TRUE(has(allowed("fla-chunk", "u", f16), "f32")) << "enters no dot";
  FamilyLimits uncut;
  uncut.cut = false;
  EXPECT_FALSE(has(allowed("fla-chunk", "T", uncut), "f32"));
  EXPECT_TRUE(has(allowed("fla-chunk", "T", uncut), "tf32"));
  EXPECT_TRUE(has(allowed("fla-chunk", "u", uncut), "f32")) << "enters no dot";
  FamilyLimits f32;
  f32.input = Dtype::f32;
  EXPECT_TRUE(has(allowed("fla-chunk", "w", f32), "tf32")) << "rounded in place of cut";
  EXPECT_FALSE(has(allowed("fla-chunk", "u", f32), "tf32")) << "not rounded at all in the family";
  EXPECT_EQ(allowed("fla-chunk", "k_beta").size(), 1u) << "not rounded where b is in fp32";
}

TEST(AllowedValues, OfAScaledValueAreRoundedOnceWhereThereIsDecay) {
  EXPECT_FALSE(has(allowed("fla-chunk", "v_scaled_from"), "rounded"));
  FamilyLimits constant;
  constant.decays = false;
  EXPECT_TRUE(has(allowed("fla-chunk", "v_scaled_from", constant), "rounded"));
  FamilyLimits generic;
  generic.generic = true;
  EXPECT_TRUE(has(allowed("fla-chunk", "v_scaled_from", generic), "rounded"));
}

TEST(AllowedValues, OfPartsAreWholePasses) {
  FamilyLimits narrow;
  narrow.K = 32;
  EXPECT_EQ(allowed("fla-chunk", "gram", narrow), (std::vector<std::string>{"1", "2"}));
  FamilyLimits partial;
  partial.tokens = 70;
  EXPECT_EQ(allowed("fla-chunk", "state", partial), std::vector<std::string>{"1"});
}

// Theorem 6 charges v_new once from a zero state: what a dot has cut must not be rounded after it.
TEST(AnotherOrder, KeepsWhatFollowsAFinerValueAsFine) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Generator generator(seed, {});
    const Declared declared = another_order(built_in("nvlabs-chunk", Rule::gated_delta).value(), {}, generator);
    if (declared[Point::v_beta].format == PointFormat::input) continue;
    EXPECT_EQ(declared[Point::u], declared[Point::v_beta]);
    EXPECT_EQ(declared[Point::v_new], declared[Point::v_beta]);
  }
}

TEST(AnotherOrder, IsAnotherOne) {
  for (const Declared& declared : every_built_in()) {
    std::set<std::string> differences;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Generator generator(seed, {});
      differences.insert(difference(declared, another_order(declared, {}, generator)));
    }
    EXPECT_FALSE(differences.contains("")) << declared.text;
    EXPECT_GE(differences.size(), 3u) << declared.text;
  }
}

}  // namespace
}  // namespace deltaproof::campaign
