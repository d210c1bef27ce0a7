#include "properties/runs/shrink.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "properties/runs/kernel_case.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof {
namespace {

ProblemSpec large() {
  return parse_spec("T=90 B=2 H=2 HV=4 K=40 V=24 state=1 chunk_size=64 qk_l2norm=k scale=0.3 gates=BF16 state_layout=vk");
}

TEST(Shrink, FindsTheSmallestProblemThatFails) {
  // Fails where a second chunk of 64 tokens begins.
  const auto fails = [](const ProblemSpec& spec) { return spec.shape.tokens > 64; };
  const Shrunk small = shrink(large(), fails, 1000);
  EXPECT_TRUE(small.smallest);
  EXPECT_EQ(small.spec.shape.tokens, 65);
  const RegimeShape& s = small.spec.shape;
  EXPECT_EQ(s.B * s.H * s.HV * s.K * s.V, 1);
  EXPECT_EQ(small.spec.options.count("scale"), 0u);
  EXPECT_FALSE(s.initial_state);
}

TEST(Shrink, KeepsWhatTheFailureNeeds) {
  const auto fails = [](const ProblemSpec& spec) {
    const auto layout = spec.options.find("state_layout");
    return layout != spec.options.end() && layout->second == "vk" && spec.shape.HV > 1;
  };
  const Shrunk small = shrink(large(), fails, 1000);
  EXPECT_EQ(small.spec.options.at("state_layout"), "vk");
  EXPECT_EQ(small.spec.shape.HV, 2);
  EXPECT_EQ(small.spec.shape.tokens, 1);
}

TEST(Shrink, LeavesOutSequencesAndTokensOfThem) {
  const ProblemSpec packed = parse_spec("lengths=9,0,33,5 K=8 V=8 pool=1");
  const auto fails = [](const ProblemSpec& spec) {
    return spec.lengths.size() >= 2 && spec.lengths.back() >= 3;
  };
  const Shrunk small = shrink(packed, fails, 1000);
  EXPECT_EQ(small.spec.lengths, (std::vector<std::int64_t>{0, 3}));
  EXPECT_FALSE(small.spec.pool);
  EXPECT_EQ(small.spec.shape.tokens, 3);
}

TEST(Shrink, SetsValuesThatDoNotMatter) {
  const auto fails = [](const ProblemSpec& spec) {
    try {
      return problem_of(spec).find("v")->value(0) != 0;  // the first value must not be zero
    } catch (const InputError&) {
      return false;
    }
  };
  const Shrunk small = shrink(parse_spec("T=4 K=8 V=8"), fails, 1000);
  std::set<std::string> edited;
  for (const ValueEdit& edit : small.spec.edits) edited.insert(edit.tensor);
  EXPECT_EQ(edited, (std::set<std::string>{"beta", "g", "k", "q", "v"}));
}

bool makes_a_problem(const ProblemSpec& spec) {
  try {
    problem_of(spec);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

TEST(Shrink, MakesCacheAndBlocksSmaller) {
  const ProblemSpec hola = parse_spec(
      "rule=hola T=40 HV=2 H=2 K=8 V=8 cache_size=16 cache_block=20 score=beta_v read=l2 tau=2 state_rule=kla "
      "parameters=BF16 qk_l2norm=q");
  const auto fails = [](const ProblemSpec& spec) {  // a second entry, and a second block that sees it
    const auto number = [&](const char* name) { return std::stoll(spec.options.at(name)); };
    if (!makes_a_problem(spec)) return false;
    return number("cache_size") >= 2 && number("cache_block") >= 2 && spec.shape.tokens > number("cache_block");
  };
  const Shrunk small = shrink(hola, fails, 2000);
  EXPECT_TRUE(small.smallest);
  EXPECT_EQ(small.spec.options.at("cache_size"), "2");
  EXPECT_EQ(small.spec.options.at("cache_block"), "2");
  EXPECT_EQ(small.spec.shape.tokens, 3);
  for (const char* option : {"score", "read", "tau", "state_rule", "qk_l2norm"}) {
    EXPECT_FALSE(small.spec.options.contains(option)) << option;
  }
  EXPECT_EQ(small.spec.parameters, Dtype::f32);
}

TEST(Shrink, StopsAtItsBudgetAndSaysSo) {
  std::int64_t calls = 0;
  const auto fails = [&](const ProblemSpec&) { return ++calls, true; };
  const Shrunk small = shrink(large(), fails, 7);
  EXPECT_EQ(calls, 7);
  EXPECT_EQ(small.tried, 7);
  EXPECT_FALSE(small.smallest);
}

TEST(Shrink, WithoutASimplerFailureGivesTheProblemItself) {
  const Shrunk same = shrink(large(), [](const ProblemSpec&) { return false; }, 1000);
  EXPECT_EQ(to_text(same.spec), to_text(large()));
  EXPECT_TRUE(same.smallest);
}

TEST(Shrink, EndsWhateverFails) {
  const Shrunk small = shrink(large(), [](const ProblemSpec&) { return true; }, 100'000);
  EXPECT_TRUE(small.smallest);
  EXPECT_EQ(small.spec.shape.tokens, 1);
}

}  // namespace
}  // namespace deltaproof
