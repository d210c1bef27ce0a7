// Metadata of a case: defaults, every name, and what is refused.
#include <gtest/gtest.h>

#include <cmath>

#include "reference/problem/arithmetics.hpp"
#include "tests/reference/problem/support.hpp"

namespace deltaproof {
namespace {

using testing::Case;
using testing::expect_refused;
using testing::small_case;

Options with(const std::string& key, const std::string& value,
             const std::string& rule = "gated_delta") {
  Case c = small_case(rule);
  c.metadata[key] = value;
  return c.make().options();
}

void refuses(const std::string& key, const std::string& value, std::vector<std::string> parts) {
  SCOPED_TRACE(key + " = " + value);
  parts.insert(parts.end(), {"small.safetensors", "'" + key + "'", "'" + value + "'"});
  expect_refused([&] { with(key, value); }, parts);
}

TEST(Options, DefaultsAreThoseOfTheFormat) {
  const Options options = small_case().make().options();
  EXPECT_EQ(options.rule, Rule::gated_delta);
  EXPECT_EQ(options.scale, 1 / std::sqrt(3.0));
  EXPECT_EQ(options.eps, 1e-6);
  EXPECT_EQ(options.qk_l2norm, L2Norm::none);
  EXPECT_EQ(options.qk_l2norm_eps, 1e-6);
  EXPECT_EQ(options.state_layout, StateLayout::kv);
  EXPECT_EQ(options.chunk_size, 64);
  EXPECT_EQ(options.states_every, 64);
  EXPECT_EQ(options.arithmetic, "generic");
  EXPECT_EQ(options.variant, KlaVariant::standard);
  EXPECT_EQ(options.position, Position::one);
}

TEST(Options, EveryNameIsKnown) {
  for (const RuleInfo& rule : rule_table())
    EXPECT_EQ(small_case(std::string(rule.name)).make().options().rule, rule.rule);
  for (const ArithmeticInfo& info : arithmetic_table())
    EXPECT_EQ(with("arithmetic", std::string(info.name)).arithmetic, info.name);
  EXPECT_EQ(with("qk_l2norm", "q").qk_l2norm, L2Norm::q);
  EXPECT_EQ(with("qk_l2norm", "k").qk_l2norm, L2Norm::k);
  EXPECT_EQ(with("qk_l2norm", "kernel").qk_l2norm, L2Norm::both);
  EXPECT_EQ(with("state_layout", "vk").state_layout, StateLayout::vk);
  EXPECT_EQ(with("variant", "no_norm", "kla").variant, KlaVariant::no_norm);
  EXPECT_EQ(with("variant", "learned_scalar", "kla").variant, KlaVariant::learned_scalar);
  EXPECT_EQ(with("position", "inverse", "kla").position, Position::inverse);
  EXPECT_EQ(with("position", "inverse_sqrt", "kla").position, Position::inverse_sqrt);
  EXPECT_EQ(with("position", "inverse_log", "kla").position, Position::inverse_log);
}

TEST(Options, KeysThatNoCaseHasAreReported) {
  EXPECT_TRUE(small_case().make().unknown_metadata().empty());
  Case c = small_case();
  c.metadata["chunksize"] = "16";
  c.metadata["cache_size"] = "64";  // of a rule to come
  EXPECT_EQ(c.make().unknown_metadata(), std::vector<std::string>{"chunksize"});
}

TEST(Options, NumbersAreRead) {
  EXPECT_EQ(with("scale", "1e-06").scale, 1e-6);
  EXPECT_EQ(with("scale", "-0.5").scale, -0.5);
  EXPECT_EQ(with("eps", "0").eps, 0);
  EXPECT_EQ(with("qk_l2norm_eps", "0.25").qk_l2norm_eps, 0.25);
  EXPECT_EQ(with("c", "2.5", "kla").c, 2.5);
  EXPECT_EQ(with("chunk_size", "16").states_every, 16);
  EXPECT_EQ(with("states_every", "128").states_every, 128);
  EXPECT_EQ(with("some key of another tool", "x").chunk_size, 64);
}

TEST(Options, ScaleThatIsNotANumberIsRefused) {
  for (const char* bad : {"", "x", "nan", "inf", "-inf", "1e999", "1e-999", "0.5 ", " 0.5", "+1",
                          "0,5", "1/8", "0x10", "None"})
    refuses("scale", bad, {"finite number"});
}

TEST(Options, OtherNumbersOutOfTheirDomainAreRefused) {
  for (const char* key : {"eps", "qk_l2norm_eps"})
    for (const char* bad : {"-1e-6", "nan", "small"}) refuses(key, bad, {">= 0"});
  for (const char* bad : {"0", "-64", "64.0", "2147483648", "9223372036854775807", "99999999999999999999", ""})
    refuses("chunk_size", bad, {"from 1 to 2147483647"});
  for (const char* bad : {"96", "1", "63"})
    refuses("states_every", bad, {"multiple of chunk_size 64"});
  refuses("states_every", "0", {"from 1 to"});
  refuses("c", "0", {"> 0"});
}

TEST(Options, UnknownNamesAreRefusedWithTheKnownOnes) {
  refuses("rule", "gated-delta", {"linear", "gated_delta", "gsa"});
  expect_refused([] { with("arithmetic", "fla_chunk"); },
                 {"small.safetensors", "arithmetic 'fla_chunk'", "fla-chunk", "generic", "fp64"});
  refuses("qk_l2norm", "both", {"none, q, k, kernel"});
  refuses("state_layout", "KV", {"kv, vk"});
  refuses("variant", "normal", {"standard", "single_gate"});
  refuses("position", "2", {"inverse_log"});
  refuses("format", "deltaproof.case/2", {"deltaproof.case/1"});
}

TEST(Options, RuleAndFormatAreRequired) {
  for (const std::string key : {"rule", "format"}) {
    Case c = small_case();
    c.metadata.erase(key);
    expect_refused([&] { c.make(); }, {"small.safetensors", "no '" + key + "'"});
  }
}

TEST(Options, AnotherArithmeticChangesNothingElse) {
  const Problem problem = small_case().make();
  const Problem other = problem.with_arithmetic("fp64");
  EXPECT_EQ(other.options().arithmetic, "fp64");
  EXPECT_EQ(problem.options().arithmetic, "generic");
  EXPECT_EQ(other.tensors().size(), problem.tensors().size());
  expect_refused([&] { problem.with_arithmetic("exact"); },
                 {"small.safetensors", "'exact'", "fp64"});
}

}  // namespace
}  // namespace deltaproof
