// When nothing can be said, the verdict says that, and why.
#include <gtest/gtest.h>

#include "double_kernel.hpp"
#include "recordings.hpp"
#include "reference/problem/input_error.hpp"
#include "small_problems.hpp"

namespace deltaproof {
namespace {

TEST(Uninformative, WhenThereIsNothingToCompare) {
  const CaseFile file = recording("mamba2_chunk_bf16");
  const Verdict verdict = judge(file, Outputs{});
  EXPECT_EQ(verdict.status, Status::uninformative);
  EXPECT_EQ(verdict.compared, 0);
  EXPECT_NE(verdict.reason.find("nothing to compare"), std::string::npos) << verdict.reason;
}

TEST(Uninformative, WhenAllSequencesArePadding) {
  TensorMap inputs = small_inputs("gated_delta", {});
  inputs["initial_state"] = filled(Dtype::f32, {2, 1, 4, 4}, [](std::int64_t) { return 1; });
  inputs["state_indices"] = Tensor::from(Dtype::i32, {1}, {-1});
  const Problem problem = make_problem("gated_delta", "fla-recurrent", inputs);
  const Verdict verdict = judge(problem, DoubleKernel().run(problem));
  EXPECT_EQ(verdict.status, Status::uninformative) << describe(verdict);
}

// Outputs of the double recurrence under a coarser arithmetic, whose order of roundings they do not have: judged by
// its bound alone.
Verdict judge_right_answer(const Problem& problem, const std::string& only = "") {
  Outputs outputs = DoubleKernel(Defect::none, Dtype::f32).run(problem);
  outputs.tensors.erase("chunk_states");
  if (!only.empty()) outputs.tensors = {{only, outputs.tensors.at(only)}};
  return judge_by_bound_alone(problem, outputs);
}

// The probe is in the verdict's list, and the reason names it.
void expect_accepted(const Verdict& verdict, const std::string& tensor,
                     const std::string& wrong_answer) {
  bool accepted = false;
  for (const Probe& probe : verdict.probes) {
    if (probe.tensor == tensor && probe.head == 0 && probe.wrong_answer == wrong_answer) {
      accepted = probe.accepted;
    }
  }
  EXPECT_TRUE(accepted) << tensor << ": " << wrong_answer;
  for (const std::string& part : {tensor, std::string("head 0"), wrong_answer}) {
    EXPECT_NE(verdict.reason.find(part), std::string::npos) << verdict.reason;
  }
}

// Parallel keys with beta |k|^2 = 2.05 expand: after some chunks ADJ is wider than the state
// itself.
TEST(Uninformative, WhenTheBoundAcceptsZeros) {
  const Sizes sizes{.T = 256, .K = 8, .V = 4};
  TensorMap inputs = small_inputs("delta", sizes);
  inputs["k"] =
      filled(Dtype::bf16, {1, 256, 1, 8}, [](std::int64_t i) { return i % 8 == 0 ? 1.0 : 0.0625; });
  inputs["beta"] = filled(Dtype::f32, {1, 256, 1},
                          [](std::int64_t) { return 2.05 / (1 + 7 * 0.0625 * 0.0625); });
  const Problem problem = make_problem("delta", "fla-chunk", inputs);
  const Verdict verdict = judge_right_answer(problem, "final_state");
  EXPECT_EQ(verdict.status, Status::uninformative) << describe(verdict);
  EXPECT_EQ(verdict.violations, 0);
  expect_accepted(verdict, "final_state", "zeros");
  expect_accepted(verdict, "final_state", "flipped sign");
}

// A last chunk that hardly changes the state: its state cannot be told from the one before.
TEST(Uninformative, WhenTheBoundAcceptsAStateLeftAsItWas) {
  const Sizes sizes{.T = 128, .K = 8, .V = 4};
  TensorMap inputs = small_inputs("gated_delta", sizes);
  inputs["beta"] =
      filled(Dtype::f32, {1, 128, 1}, [](std::int64_t t) { return t < 64 ? 0.5 : 0.0; });
  inputs["g"] = filled(Dtype::f32, {1, 128, 1}, [](std::int64_t) { return -1e-10; });
  const Problem problem = make_problem("gated_delta", "fla-chunk", inputs);
  const Verdict verdict = judge_right_answer(problem);
  EXPECT_EQ(verdict.status, Status::uninformative) << describe(verdict);
  expect_accepted(verdict, "final_state", "left as at the last boundary");
  EXPECT_EQ(verdict.reason.find("zeros"), std::string::npos) << verdict.reason;
}

// One query and key for all tokens, and values that hardly change: a shift by one token is within
// rounding.
TEST(Uninformative, WhenTheBoundAcceptsAShift) {
  TensorMap inputs = small_inputs("scalar_decay", {.T = 2});
  inputs["q"] = filled(Dtype::bf16, {1, 2, 1, 4}, [](std::int64_t) { return 1; });
  inputs["k"] = inputs["q"];
  inputs["v"] =
      filled(Dtype::bf16, {1, 2, 1, 4}, [](std::int64_t i) { return i < 4 ? 1.0 : 0x1p-12; });
  inputs["g"] = filled(Dtype::f32, {1, 2, 1}, [](std::int64_t) { return 0; });
  const Problem problem = make_problem("scalar_decay", "fla-simple-gla-chunk", inputs);
  const Verdict verdict = judge_right_answer(problem, "o");
  EXPECT_EQ(verdict.status, Status::uninformative) << describe(verdict);
  expect_accepted(verdict, "o", "shifted by one token");
}

// A bound of values that f16 cannot hold is infinite: the right answer is not called right.
TEST(Uninformative, WhenAValueHasNoFiniteBound) {
  TensorMap inputs = small_inputs("gated_delta", {.T = 8}, Dtype::f16);
  inputs["v"] = filled(Dtype::f16, {1, 8, 1, 4}, [](std::int64_t) { return 60000; });
  inputs["k"] =
      filled(Dtype::f16, {1, 8, 1, 4}, [](std::int64_t i) { return 2 * scattered(i, 2); });
  inputs["beta"] = filled(Dtype::f32, {1, 8, 1}, [](std::int64_t) { return 2; });
  const Problem problem = make_problem("gated_delta", "fla-chunk", inputs);
  const Verdict verdict = judge_right_answer(problem);
  EXPECT_EQ(verdict.status, Status::uninformative) << describe(verdict);
  EXPECT_NE(verdict.reason.find("no finite bound"), std::string::npos) << verdict.reason;
  EXPECT_NE(verdict.reason.find("token"), std::string::npos) << verdict.reason;
}

TEST(Uninformative, WhenTheArithmeticDoesNotCoverTheRule) {
  const std::pair<const char*, const char*> pairs[] = {{"vector_decay_delta", "fla-chunk"},
                                                       {"scalar_decay", "fla-kda-chunk"},
                                                       {"softmax", "generic"},
                                                       {"longhorn", "fla-recurrent"},
                                                       {"gated_delta", "fla-gla-chunk"}};
  for (const auto& [rule, arithmetic] : pairs) {
    const Problem problem = make_problem(rule, arithmetic, small_inputs(rule, {}));
    Outputs outputs;
    outputs.tensors["o"] = filled(Dtype::bf16, {1, 8, 1, 4}, [](std::int64_t) { return 0; });
    const Verdict verdict = judge(problem, outputs);
    EXPECT_EQ(verdict.status, Status::uninformative) << rule;
    EXPECT_EQ(verdict.bound, "none");
    EXPECT_NE(verdict.reason.find(arithmetic), std::string::npos) << verdict.reason;
    EXPECT_NE(verdict.reason.find(rule), std::string::npos) << verdict.reason;
  }
}

TEST(Refused, IsAnUnknownArithmetic) {
  const CaseFile file = recording("mamba2_chunk_bf16");
  try {
    check_accuracy(file.problem, GivenOutputs("fla-chunky", *file.outputs), {});
    FAIL() << "no exception";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("fla-chunky"), std::string::npos) << error.what();
  }
}

TEST(Refused, IsAnUnknownTensorCore) {
  const CaseFile file = recording("mamba2_chunk_bf16");
  AccuracyOptions options;
  options.tensor_core = "abacus";
  EXPECT_THROW(judge(file, *file.outputs, options), InputError);
}

TEST(Verdicts, NameInputsThatTheRuleDoesNotUse) {
  const CaseFile file = recording("kla_chunk_bf16_T300");
  AccuracyOptions options;
  options.sample = 0;
  const Verdict verdict = judge(file, *file.outputs, options);
  ASSERT_FALSE(verdict.notes.empty());
  EXPECT_NE(verdict.notes.front().find("'eta'"), std::string::npos) << verdict.notes.front();
}

// What a failure is explained by: terms that add up to the bound at the worst value.
TEST(Verdicts, ListTheTermsOfTheBoundThatWasBroken) {
  const CaseFile file = recording("gdn_chunk_bf16_strong_decay");
  Outputs outputs = *file.outputs;
  outputs.tensors.at("o") =
      filled(Dtype::bf16, outputs.tensors.at("o").shape, [](std::int64_t) { return 1; });
  const Verdict verdict = judge(file, outputs);
  ASSERT_EQ(verdict.status, Status::failed);
  ASSERT_GT(verdict.terms.size(), 2u);
  double sum = 0;
  for (std::size_t i = 0; i < verdict.terms.size(); ++i) {
    sum += verdict.terms[i].value;
    if (i > 0) {
      EXPECT_LE(verdict.terms[i].value, verdict.terms[i - 1].value);
    }
  }
  // The reference's radius is part of the bound shown, and at most 2^-10 of the rest.
  EXPECT_LE(sum, verdict.bound_value * (1 + 0x1p-40));
  EXPECT_GE(sum * (1 + 0x1p-9), verdict.bound_value);
}

}  // namespace
}  // namespace deltaproof
