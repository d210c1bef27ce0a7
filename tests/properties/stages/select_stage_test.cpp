// Wrong kernels `select`, and what is said of them.
#include <cmath>
#include <limits>
#include <numeric>

#include "properties/stages/stage_head.hpp"
#include "tests/properties/stages/stage_fixture.hpp"

namespace deltaproof {
namespace {

// The w best of tokens before `end(n, C)` by `before(scores, a, b)`, row by row.
template <class Before, class End>
Outputs sorted_sets(const StageProblem& problem, const Before& before, const End& end) {
  const auto& input = std::get<SelectInput>(problem.input);
  const std::int64_t heads = input.shape.HV;
  Tensor selected{Dtype::i32, {input.shape.B, input.shape.blocks(input.C), heads, input.w}, {}};
  selected.bytes.assign(static_cast<std::size_t>(selected.size()) * 4, std::byte{0xff});
  for (const StageSequence& s : sequences_of(problem)) {
    for (std::int64_t i = 0; i < s.blocks * heads; ++i) {
      const std::int64_t n = i / heads, head = i % heads;
      std::vector<std::int32_t> tokens(static_cast<std::size_t>(std::min(end(n, input.C, s.length), s.length)));
      std::iota(tokens.begin(), tokens.end(), 0);
      const auto score = [&](std::int32_t t) {
        return input.scores[static_cast<std::size_t>((s.first + t) * heads + head)];
      };
      std::sort(tokens.begin(), tokens.end(), [&](auto a, auto b) { return before(score(a), score(b), a, b); });
      tokens.resize(std::min(tokens.size(), static_cast<std::size_t>(input.w)));
      std::copy(tokens.begin(), tokens.end(),
                elements_of<std::int32_t>(selected) + set_place(input.shape, s, n, head, input.w));
    }
  }
  Outputs outputs;
  outputs.tensors["selected"] = std::move(selected);
  return outputs;
}

bool right(float x, float y, std::int32_t a, std::int32_t b) { return x != y ? x > y : a < b; }
bool later_first(float x, float y, std::int32_t a, std::int32_t b) { return x != y ? x > y : a > b; }
std::int64_t block_begin(std::int64_t n, std::int64_t C, std::int64_t) { return n * C; }
std::int64_t block_end(std::int64_t n, std::int64_t C, std::int64_t) { return (n + 1) * C; }

Outputs by_definition(const Device&, const StageProblem& p) { return sorted_sets(p, right, block_begin); }
Outputs with_ties_reversed(const Device&, const StageProblem& p) { return sorted_sets(p, later_first, block_begin); }
Outputs with_the_block_itself(const Device&, const StageProblem& p) { return sorted_sets(p, right, block_end); }

// The last of the kept tokens of the last block's last head becomes `token`.
template <std::int32_t token>
Outputs with_last_place(const Device& device, const StageProblem& problem) {
  Outputs outputs = run_stage(device, problem);
  Tensor& selected = outputs.tensors["selected"];
  elements_of<std::int32_t>(selected)[selected.size() - 1] = token;
  return outputs;
}

Outputs in_other_order(const Device& device, const StageProblem& problem) {
  Outputs outputs = run_stage(device, problem);
  Tensor& selected = outputs.tensors["selected"];
  std::int32_t* end = elements_of<std::int32_t>(selected) + selected.size();
  std::swap(end[-1], end[-2]);
  return outputs;
}

TEST(StageSelect, SetsByTheirDefinitionPass) {
  for (const char* name : {"random", "ties at the border", "packed", "infinite", "subnormal"}) {
    EXPECT_TRUE(passes(verdict_of("accuracy", case_named("select", name), &by_definition)));
  }
}

TEST(StageSelect, AReversedTieIsSeen) {
  for (const char* name : {"ties-", "ties at the border", "subnormal"}) {
    EXPECT_TRUE(fails(verdict_of("accuracy", case_named("select", name), &with_ties_reversed), "equal score")) << name;
  }
  EXPECT_TRUE(passes(verdict_of("accuracy", case_named("select", "random"), &with_ties_reversed)));
}

TEST(StageSelect, RowsThatAreNoSetsAreNamed) {
  const StageProblem problem = case_named("select", "random");
  EXPECT_TRUE(fails(verdict_of("accuracy", problem, &with_last_place<-1>), "tokens, not"));
  EXPECT_TRUE(fails(verdict_of("accuracy", problem, &with_last_place<-2>), "token -2"));
  EXPECT_TRUE(
      fails(verdict_of("accuracy", problem, &with_last_place<1000000>), "token 1000000, which no earlier block has"));
  EXPECT_TRUE(fails(verdict_of("accuracy", problem, &with_the_block_itself), "which no earlier block has"));
  EXPECT_TRUE(fails(verdict_of("accuracy", problem, &in_other_order), "which it ranks before"));
}

TEST(StageSelect, ATokenTwiceIsNamed) {
  const Verdict verdict = verdict_of("accuracy", case_named("select", "descending"), &with_last_place<0>);
  EXPECT_TRUE(fails(verdict, "token 0 twice"));
  EXPECT_EQ(verdict.first_bad.tensor, "selected");
}

// Instead of a refusal the NaN is the lowest score.
Outputs nan_as_zero(const Device& device, const StageProblem& problem) {
  return run_edited<SelectInput>(device, problem, [](SelectInput& input) {
    for (float& score : input.scores) score = std::isnan(score) ? 0 : score;
  });
}

Outputs with_a_message(const Device& device, const StageProblem& problem) {
  try {
    return run_stage(device, problem);
  } catch (const KernelError&) {
    throw KernelError("a score is NaN");
  }
}

TEST(StageNan, WhatIsNotRefusedOrNotNamedFails) {
  for (const char* name : {"random", "w 0", "packed", "heads"}) {
    const StageProblem problem = case_named("select", name);
    EXPECT_TRUE(passes(verdict_of("stage_nan", problem)));
    EXPECT_TRUE(fails(verdict_of("stage_nan", problem, &nan_as_zero), "is not refused"));
    EXPECT_TRUE(fails(verdict_of("stage_nan", problem, &with_a_message), "does not name 'token"));
  }
}

// Every head is ranked by the scores of the first.
Outputs first_head_alone(const Device& device, const StageProblem& problem) {
  return run_edited<SelectInput>(device, problem, [](SelectInput& input) {
    const auto heads = static_cast<std::size_t>(input.shape.HV);
    for (std::size_t i = 0; i < input.scores.size(); ++i) input.scores[i] = input.scores[i / heads * heads];
  });
}

TEST(StageOrder, AHeadThatDependsOnItsPlaceFails) {
  StageProblem problem = case_named("select", "heads");
  auto& input = std::get<SelectInput>(problem.input);
  for (std::size_t i = 0; i < input.scores.size(); ++i) input.scores[i] = static_cast<float>(i * 7919 % 101);
  EXPECT_TRUE(passes(verdict_of("stage_order", problem)));
  EXPECT_TRUE(fails(verdict_of("stage_order", problem, &first_head_alone), "turned round"));
  input.shape.HV = 1, input.shape.B = 1, input.scores.resize(static_cast<std::size_t>(input.shape.T));
  EXPECT_EQ(verdict_of("stage_order", problem).status, Status::skipped);
}

TEST(StageSelect, WithoutPlacesOnlyTheRefusalIsAsked) {
  const StageProblem problem = case_named("select", "w 0");
  EXPECT_EQ(verdict_of("accuracy", problem).status, Status::skipped);
  const auto device = stage_device();
  const StageChecks checks;
  const std::vector<Verdict> verdicts = check_stage({problem, *device, checks});
  ASSERT_EQ(verdicts.size(), 1u);
  EXPECT_EQ(verdicts[0].property, "stage_nan");
}

}  // namespace
}  // namespace deltaproof
