// Inputs that a kernel would convert when it loads them have no bound, and the verdict says which.
#include <gtest/gtest.h>

#include "double_kernel.hpp"
#include "recordings.hpp"
#include "reference/bounds/head_bound.hpp"
#include "small_problems.hpp"

namespace deltaproof {
namespace {

Problem with_dtype(const std::string& rule, const std::string& arithmetic,
                   const std::string& tensor, Dtype dtype) {
  TensorMap inputs = small_inputs(rule, {});
  Tensor& changed = inputs.at(tensor);
  changed = Tensor::from(dtype, changed.shape, changed.values());
  return make_problem(rule, arithmetic, std::move(inputs));
}

void expect_refused(const Problem& problem, const std::vector<std::string>& parts) {
  const BoundChoice choice = choose_bound(problem.options().arithmetic, problem);
  EXPECT_EQ(choice.kind, BoundChoice::Kind::none) << problem.options().arithmetic;
  const Verdict verdict = judge_by_bound_alone(problem, DoubleKernel().run(problem));
  EXPECT_EQ(verdict.status, Status::uninformative) << describe(verdict);
  EXPECT_EQ(verdict.bound, "none");
  EXPECT_EQ(verdict.reason, choice.why_none);
  for (const std::string& part : parts)
    EXPECT_NE(verdict.reason.find(part), std::string::npos) << part << ": " << verdict.reason;
}

using Pair = std::pair<std::string, std::string>;  // rule, arithmetic

const std::vector<Pair>& chunk_kernels() {
  static const std::vector<Pair> all = {
      {"gated_delta", "fla-chunk"},      {"gated_delta", "nvlabs-chunk"},
      {"gated_delta", "generic"},        {"scalar_decay", "fla-simple-gla-chunk"},
      {"vector_decay", "fla-gla-chunk"}, {"vector_decay_delta", "fla-kda-chunk"}};
  return all;
}

TEST(InputsInDouble, HaveNoBoundButThatOfDouble) {
  std::vector<Pair> kernels = chunk_kernels();
  kernels.push_back({"gated_delta", "fla-recurrent"});
  for (const auto& [rule, arithmetic] : kernels) {
    for (const char* tensor : {"q", "k", "v", "g", "beta"}) {
      if (!small_inputs(rule, {}).contains(tensor)) continue;
      expect_refused(with_dtype(rule, arithmetic, tensor, Dtype::f64),
                     {std::string(tensor) + " is stored in f64", arithmetic});
    }
  }
  expect_refused(with_dtype("kla", "fla-chunk", "eta", Dtype::f64), {"eta is stored in f64"});
}

TEST(InputsInDouble, AreJudgedAsDouble) {
  for (const char* tensor : {"q", "k", "v", "g", "beta"}) {
    const Problem problem = with_dtype("gated_delta", "fp64", tensor, Dtype::f64);
    EXPECT_EQ(choose_bound("fp64", problem).kind, BoundChoice::Kind::fp64);
    const Verdict verdict = judge_by_bound_alone(problem, DoubleKernel().run(problem));
    EXPECT_EQ(verdict.status, Status::passed) << tensor << ": " << describe(verdict);
  }
}

TEST(InputsOfDifferentTypes, HaveNoBoundForChunkKernels) {
  for (const auto& [rule, arithmetic] : chunk_kernels()) {
    expect_refused(with_dtype(rule, arithmetic, "q", Dtype::f32),
                   {"q and k have different types", "F32", "BF16"});
    expect_refused(with_dtype(rule, arithmetic, "k", Dtype::f16),
                   {"q and k have different types", "F16", "BF16"});
    expect_refused(with_dtype(rule, arithmetic, "v", Dtype::f32),
                   {"q and v have different types", "F32", "BF16"});
  }
}

// A recurrence loads every narrower type exactly.
TEST(InputsOfDifferentTypes, AreJudgedForARecurrence) {
  for (const char* tensor : {"q", "k", "v"}) {
    const Problem problem = with_dtype("gated_delta", "fla-recurrent", tensor, Dtype::f32);
    EXPECT_EQ(choose_bound("fla-recurrent", problem).kind, BoundChoice::Kind::token);
    const Verdict verdict = judge_by_bound_alone(problem, DoubleKernel().run(problem));
    EXPECT_EQ(verdict.status, Status::passed) << tensor << ": " << describe(verdict);
  }
}

// Gates beside q, k and v are in fp32 or narrower, whatever those are.
TEST(GatesOfAnotherType, AreJudged) {
  for (const Dtype dtype : {Dtype::bf16, Dtype::f16, Dtype::f32}) {
    const Problem problem = with_dtype("gated_delta", "fla-chunk", "beta", dtype);
    EXPECT_EQ(choose_bound("fla-chunk", problem).kind, BoundChoice::Kind::chunk);
  }
}

}  // namespace
}  // namespace deltaproof
