// Presence, dtype, rank and dimensions of a problem's tensors.
#include <gtest/gtest.h>

#include "tests/reference/problem/support.hpp"

namespace deltaproof {
namespace {

using testing::Case;
using testing::expect_refused;
using testing::filled;
using testing::small_case;

void refuses(const Case& c, std::vector<std::string> parts) {
  parts.emplace_back("small.safetensors");
  expect_refused([&] { c.make(); }, parts);
}

TEST(ProblemShape, DimensionsComeFromTheTensors) {
  const Dimensions dims = small_case().make().dims();
  EXPECT_EQ(dims.B, 1);
  EXPECT_EQ(dims.T, 6);
  EXPECT_EQ(dims.H, 2);
  EXPECT_EQ(dims.HV, 4);
  EXPECT_EQ(dims.K, 3);
  EXPECT_EQ(dims.V, 5);
  EXPECT_EQ(dims.N, 1);
  EXPECT_EQ(dims.pool, 1);
  EXPECT_EQ(dims.slots, 0);
  EXPECT_EQ(small_case("gsa").make().dims().slots, 7);
}

class EveryRule : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryRule, NeedsEachOfItsTensors) {
  const Case whole = small_case(GetParam());
  EXPECT_TRUE(whole.make().unused().empty());
  const bool optional_decay = find_rule(GetParam())->optional_decay;
  for (const auto& [name, tensor] : whole.tensors) {
    Case c = whole;
    c.tensors.erase(name);
    if (name == "g" && optional_decay)
      EXPECT_EQ(c.make().find("g"), nullptr);
    else
      refuses(c, {"'" + name + "'", "missing", GetParam()});
  }
}

TEST_P(EveryRule, RefusesEachTensorOfAnotherShape) {
  const Case whole = small_case(GetParam());
  for (const auto& [name, tensor] : whole.tensors) {
    // q, v and a define the dimensions; another tensor then disagrees, so any name may be reported.
    const bool defines = name == "q" || name == "v" || name == "a";
    for (std::size_t axis = 0; axis < tensor.shape.size(); ++axis) {
      if (defines && axis == tensor.shape.size() - 1) continue;
      if (name == "v" && axis == 2) continue;  // HV not of H: a test of its own
      SCOPED_TRACE(name + " axis " + std::to_string(axis));
      Case c = whole;
      std::vector<std::int64_t> shape = tensor.shape;
      shape[axis] += 1;
      c.tensors[name] = filled(name, shape);
      std::vector<std::string> parts{"tensor '", "["};
      if (!defines) parts = {"'" + name + "'", shape_string(shape), shape_string(tensor.shape)};
      refuses(c, parts);
    }
  }
}

TEST_P(EveryRule, RefusesEachTensorOfAnotherRank) {
  const Case whole = small_case(GetParam());
  for (const auto& [name, tensor] : whole.tensors) {
    Case c = whole;
    c.tensors[name].shape.push_back(1);
    refuses(c, {"'" + name + "'", shape_string(c.tensors[name].shape), "rank"});
    c.tensors[name] = filled(name, {});
    refuses(c, {"'" + name + "'", "[]", "rank"});
  }
}

TEST_P(EveryRule, RefusesIntegersWhereFloatsBelong) {
  const Case whole = small_case(GetParam());
  for (const auto& [name, tensor] : whole.tensors) {
    Case c = whole;
    c.tensors[name] = Tensor{Dtype::i32, tensor.shape, tensor.bytes};
    refuses(c, {"'" + name + "'", "I32", "BF16"});
  }
}

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (const RuleInfo& rule : rule_table()) names.emplace_back(rule.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Rules, EveryRule, ::testing::ValuesIn(rule_names()),
                         [](const auto& tested) { return tested.param; });

TEST(ProblemShape, ValueHeadsAreAMultipleOfKeyHeads) {
  refuses(small_case("gated_delta", {.H = 3, .HV = 4}), {"'v'", "HV = 4", "H = 3"});
  EXPECT_EQ(small_case("gated_delta", {.H = 4, .HV = 4}).make().dims().H, 4);
  refuses(small_case("gated_delta", {.H = 4, .HV = 2}), {"'v'", "HV = 2", "H = 4"});
}

TEST(ProblemShape, NoTokensAreAllowedButNoOtherEmptyAxis) {
  EXPECT_EQ(small_case("gated_delta", {.T = 0}).make().sequences().at(0).length, 0);
  refuses(small_case("gated_delta", {.B = 0}), {"'q'", "B is 0"});
  refuses(small_case("gated_delta", {.H = 0, .HV = 4}), {"'q'", "H is 0"});
  refuses(small_case("gated_delta", {.HV = 0}), {"'v'", "HV is 0"});
  refuses(small_case("gated_delta", {.K = 0}), {"'q'", "K is 0"});
  refuses(small_case("gated_delta", {.V = 0}), {"'v'", "V is 0"});
  refuses(small_case("gsa", {.M = 0}), {"'a'", "M is 0"});
}

TEST(ProblemShape, SizesThatOnlyAnEmptyFileCanClaimAreRefused) {
  refuses(small_case("linear", {.B = std::int64_t{1} << 40, .T = 0}),
          {"'q'", "B is 1099511627776"});
  refuses(small_case("linear", {.T = 0, .K = 65537}), {"'q'", "K is 65537", "65536"});
  refuses(small_case("linear", {.T = 0, .V = 65537}), {"'v'", "V is 65537", "65536"});
  refuses(small_case("gsa", {.T = 0, .M = 65537}), {"'a'", "M is 65537", "65536"});
  refuses(small_case("linear", {.T = 0, .K = 65536, .V = 65536}), {"'v'", "65536 x 65536"});
  refuses(small_case("gsa", {.T = 0, .V = 4096, .M = 65536}), {"'a'", "65536 x 4096"});
  EXPECT_EQ(small_case("softmax", {.T = 0, .K = 65536, .V = 65536}).make().dims().K, 65536);
}

TEST(ProblemShape, InitialStatesFollowTheLayout) {
  Case c = small_case();
  c.tensors["initial_state"] = filled("initial_state", {1, 4, 3, 5});
  EXPECT_NE(c.make().find("initial_state"), nullptr);
  c.metadata["state_layout"] = "vk";
  refuses(c, {"'initial_state'", "[1, 4, 3, 5]", "[N, HV, V, K] = [1, 4, 5, 3]"});
  c.tensors["initial_state"] = filled("initial_state", {1, 4, 5, 3});
  EXPECT_NE(c.make().find("initial_state"), nullptr);
}

TEST(ProblemShape, SlotStatesAreAPairAndAlwaysKv) {
  Case c = small_case("gsa");
  c.metadata["state_layout"] = "vk";
  c.tensors["initial_slot_keys"] = filled("x", {1, 4, 7, 3});
  refuses(c, {"'initial_slot_values'", "missing"});
  c.tensors["initial_slot_values"] = filled("x", {1, 4, 7, 5});
  EXPECT_NE(c.make().find("initial_slot_values"), nullptr);
  c.tensors.erase("initial_slot_keys");
  refuses(c, {"'initial_slot_keys'", "missing"});
}

TEST(ProblemShape, TensorsThatTheRuleDoesNotReadAreReportedAndNotJudged) {
  Case c = small_case("gated_delta");
  c.tensors["eta"] = Tensor::from(Dtype::i64, {2}, {1, 2});
  c.tensors["my own"] = filled("x", {3});
  const Problem problem = c.make();
  EXPECT_EQ(problem.unused(), (std::vector<std::string>{"eta", "my own"}));
  EXPECT_EQ(problem.find("eta"), nullptr);
}

TEST(ProblemShape, KlaVariantsReadTheirOwnTensors) {
  Case c = small_case("kla");
  c.metadata["variant"] = "single_gate";
  EXPECT_EQ(c.make().unused(), std::vector<std::string>{"g"});
  c.tensors.erase("g");
  EXPECT_TRUE(c.make().unused().empty());
  c.metadata["variant"] = "key_norm_only";
  EXPECT_EQ(c.make().unused(), std::vector<std::string>{"eta"});
  c.tensors.erase("eta");
  EXPECT_TRUE(c.make().unused().empty());
  c.metadata["variant"] = "no_norm";
  refuses(c, {"'eta'", "missing"});
}

TEST(ProblemShape, SinkIsOneLogitAHead) {
  Case c = small_case("softmax");
  c.tensors["sink"] = filled("sink", {2});
  refuses(c, {"'sink'", "[2]", "[HV] = [4]"});
  c.tensors["sink"] = filled("sink", {4});
  EXPECT_NE(c.make().find("sink"), nullptr);
}

}  // namespace
}  // namespace deltaproof
