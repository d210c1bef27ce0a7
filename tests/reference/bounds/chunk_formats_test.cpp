#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "reference/bounds/chunk_formats.hpp"
#include "reference/problem/arithmetics.hpp"

namespace deltaproof {
namespace {

std::set<std::string> rules_of(const char* arithmetic) {
  std::set<std::string> names;
  for (const RuleInfo& rule : rule_table()) {
    if (chunk_formats(arithmetic, rule, formats::bf16, 64)) names.insert(std::string(rule.name));
  }
  return names;
}

TEST(ChunkFormats, CoverTheRulesThatTheKernelsHave) {
  const std::set<std::string> delta{"delta", "gated_delta", "kla", "longhorn_exact"};
  EXPECT_EQ(rules_of("fla-chunk"), delta);
  EXPECT_EQ(rules_of("nvlabs-chunk"), delta);
  EXPECT_EQ(rules_of("fla-simple-gla-chunk"), (std::set<std::string>{"linear", "scalar_decay"}));
  EXPECT_EQ(rules_of("fla-kda-chunk"), (std::set<std::string>{"vector_decay_delta"}));
  EXPECT_EQ(rules_of("fla-gla-chunk"), (std::set<std::string>{"vector_decay"}));
  EXPECT_EQ(rules_of("generic").size(), 8u);
  EXPECT_EQ(rules_of("deltaproof-chunk").size(), 8u);
  for (const char* none : {"fp64", "fla-recurrent", "deltaproof-recurrent", "no such arithmetic", ""})
    EXPECT_TRUE(rules_of(none).empty()) << none;
}

TEST(ChunkFormats, HaveNoKernelForF64) {
  for (const ArithmeticInfo& arithmetic : arithmetic_table()) {
    for (const RuleInfo& rule : rule_table()) {
      EXPECT_FALSE(chunk_formats(arithmetic.name, rule, formats::f64, 64)) << arithmetic.name;
    }
  }
}

using Points = std::set<std::string>;

const std::map<std::string, Rounding ChunkFormats::*>& members() {
  static const std::map<std::string, Rounding ChunkFormats::*> all{
      {"operand", &ChunkFormats::operand},
      {"value", &ChunkFormats::value},
      {"product", &ChunkFormats::product},
      {"key_beta", &ChunkFormats::key_beta},
      {"L", &ChunkFormats::L},
      {"T", &ChunkFormats::T},
      {"rv", &ChunkFormats::rv},
      {"rw", &ChunkFormats::rw},
      {"u", &ChunkFormats::u},
      {"w", &ChunkFormats::w},
      {"w_decayed", &ChunkFormats::w_decayed},
      {"state_copy", &ChunkFormats::state_copy},
      {"v_new", &ChunkFormats::v_new},
      {"v_scaled", &ChunkFormats::v_scaled},
      {"k_scaled", &ChunkFormats::k_scaled},
      {"q_scaled", &ChunkFormats::q_scaled},
      {"P", &ChunkFormats::P}};
  return all;
}

Points rounded_points(const char* arithmetic, Rule rule, const Format& input) {
  const ChunkFormats f = chunk_formats(arithmetic, rule_info(rule), input, 64).value();
  Points points;
  for (const auto& [name, member] : members()) {
    if ((f.*member).mode != Rounding::Mode::exact) points.insert(name);
  }
  return points;
}

bool includes(const Points& all, const Points& some) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

// What each kernel rounds (F8 to F22 and the lines after them) is rounded in its bound; 16-bit
// inputs.
TEST(ChunkFormats, RoundWhatTheKernelsRound) {
  for (const Format& input : {formats::bf16, formats::f16}) {
    EXPECT_TRUE(includes(rounded_points("fla-chunk", Rule::gated_delta, input),
                         {"T", "rv", "rw", "u", "w", "state_copy", "v_new", "v_scaled", "P"}));
    EXPECT_TRUE(includes(rounded_points("nvlabs-chunk", Rule::kla, input),
                         {"key_beta", "T", "rv", "u", "w", "w_decayed", "state_copy", "v_new",
                          "k_scaled", "q_scaled", "P"}));
    EXPECT_TRUE(includes(rounded_points("fla-simple-gla-chunk", Rule::scalar_decay, input),
                         {"state_copy", "v_scaled", "P"}));
    EXPECT_TRUE(
        includes(rounded_points("fla-kda-chunk", Rule::vector_decay_delta, input),
                 {"T", "rv", "rw", "u", "w", "state_copy", "v_new", "k_scaled", "q_scaled", "P"}));
    EXPECT_TRUE(includes(rounded_points("fla-gla-chunk", Rule::vector_decay, input),
                         {"state_copy", "k_scaled", "q_scaled", "P"}));
    const Points all = rounded_points("generic", Rule::gated_delta, input);
    for (const auto& [name, member] : members()) {
      if (name == "operand" || name == "value") continue;
      EXPECT_TRUE(all.contains(name)) << name;
    }
  }
}

// ... and no more: a point that no kernel has would only hide errors.
TEST(ChunkFormats, OfFlaChunkHaveNoOtherPoint) {
  EXPECT_EQ(rounded_points("fla-chunk", Rule::gated_delta, formats::bf16),
            (Points{"T", "rv", "rw", "u", "w", "state_copy", "v_new", "v_scaled", "P"}));
}

TEST(ChunkFormats, OfFp32InputsTruncateEveryOperandToTf32) {
  for (const char* arithmetic : {"fla-chunk", "nvlabs-chunk", "generic"}) {
    const ChunkFormats f =
        chunk_formats(arithmetic, rule_info(Rule::gated_delta), formats::f32, 64).value();
    EXPECT_EQ(f.dot_operand, Operand::tf32);
    for (const Rounding& point : {f.operand, f.T, f.rv, f.rw, f.w, f.state_copy, f.v_new, f.P}) {
      EXPECT_EQ(point.mode, Rounding::Mode::truncated) << arithmetic;
      EXPECT_EQ(point.format, formats::tf32) << arithmetic;
    }
  }
}

TEST(ChunkFormats, OfTheOwnKernelRoundWhatFlaChunkRounds) {
  const std::pair<Rule, const char*> families[] = {{Rule::linear, "fla-simple-gla-chunk"},
                                                   {Rule::gated_delta, "fla-chunk"},
                                                   {Rule::vector_decay, "fla-gla-chunk"},
                                                   {Rule::vector_decay_delta, "fla-kda-chunk"}};
  for (const auto& [rule, family] : families) {
    for (const Format& input : {formats::bf16, formats::f16}) {
      EXPECT_EQ(rounded_points("deltaproof-chunk", rule, input), rounded_points(family, rule, input)) << family;
      const ChunkFormats f = chunk_formats("deltaproof-chunk", rule_info(rule), input, 64).value();
      EXPECT_EQ(f.gram_operand.mode, chunk_formats(family, rule_info(rule), input, 64)->gram_operand.mode) << family;
      EXPECT_EQ(f.merge.mode, Rounding::Mode::exact);
      EXPECT_FALSE(f.fp32_products);
    }
  }
}

TEST(ChunkFormats, OfTheOwnKernelRoundNothingOfFp32Inputs) {
  for (const Rule rule : {Rule::linear, Rule::kla, Rule::vector_decay, Rule::vector_decay_delta}) {
    EXPECT_EQ(rounded_points("deltaproof-chunk", rule, formats::f32), Points{});
    const ChunkFormats f = chunk_formats("deltaproof-chunk", rule_info(rule), formats::f32, 64).value();
    EXPECT_TRUE(f.fp32_products);
    EXPECT_EQ(f.gram_operand.mode, Rounding::Mode::exact);
  }
}

TEST(ChunkFormats, AllowGenericAnyOrderOfTheScan) {
  EXPECT_EQ(chunk_formats("generic", rule_info(Rule::delta), formats::bf16, 256)->gates.scan_depth,
            256);
  EXPECT_LT(chunk_formats("fla-chunk", rule_info(Rule::delta), formats::bf16, 64)->gates.scan_depth,
            64);
}

// Two levels of 256 tokens: 32 lanes in 5 additions, then up to 7 carries one after the other.
TEST(ChunkFormats, AllowLongChunksDeeperScans) {
  EXPECT_GE(
      chunk_formats("fla-chunk", rule_info(Rule::delta), formats::bf16, 256)->gates.scan_depth, 12);
}

}  // namespace
}  // namespace deltaproof
