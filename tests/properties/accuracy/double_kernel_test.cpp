// A recurrence in double passes as `fp64`; with any one defect it fails where the defect first
// acts.
#include <gtest/gtest.h>

#include <tuple>

#include "double_kernel.hpp"
#include "recordings.hpp"

namespace deltaproof {
namespace {

// Inputs of a recording; "kla" in front: as the rule that forms its own coefficient from eta.
Problem problem_of(const std::string& name) {
  const std::string prefix = "kla:";
  if (name.rfind(prefix, 0) != 0) return recording(name).problem;
  CaseFile file = recording(name.substr(prefix.size()));
  Metadata metadata = file.metadata;
  metadata["rule"] = "kla";
  TensorMap inputs = file.problem.tensors();
  inputs.erase("beta");
  inputs["eta"] = read_safetensors(file.path).tensors.at("eta");
  return Problem::make(name, metadata, std::move(inputs));
}

Tensor first_columns(const Tensor& tensor, std::int64_t columns) {
  const std::int64_t width = tensor.shape.back();
  std::vector<double> kept;
  for (std::int64_t i = 0; i < tensor.size(); ++i)
    if (i % width < columns) kept.push_back(tensor.value(i));
  std::vector<std::int64_t> shape = tensor.shape;
  shape.back() = columns;
  return Tensor::from(tensor.dtype, shape, kept);
}

// The same problem with its first value channels only: their answers do not depend on the others.
Problem narrowed(const std::string& name, std::int64_t columns) {
  const Problem whole = problem_of(name);
  Metadata metadata = recording(name.substr(name.find(':') + 1)).metadata;
  metadata["rule"] = std::string(rule_info(whole.options().rule).name);
  TensorMap inputs = whole.tensors();
  for (const char* tensor : {"v", "initial_state"}) {
    const auto found = inputs.find(tensor);
    if (found != inputs.end()) found->second = first_columns(found->second, columns);
  }
  return Problem::make(name, metadata, std::move(inputs));
}

const std::vector<std::string>& problems() {
  static const std::vector<std::string> names = {"gdn_chunk_bf16",
                                                 "gdn_chunk_bf16_strong_decay",
                                                 "kla_trained_layer0_T512",
                                                 "kla_chunk_bf16_T300",
                                                 "kla:kla_chunk_bf16_T300",
                                                 "delta_chunk_bf16",
                                                 "kda_chunk_bf16",
                                                 "gdn_chunk_bf16_varlen_gva",
                                                 "gdn_chunk_bf16_l2norm_zero_key",
                                                 "gla_chunk_bf16",
                                                 "mamba2_chunk_bf16"};
  return names;
}

class DoubleKernelStored : public testing::TestWithParam<std::tuple<std::string, Dtype>> {};

TEST_P(DoubleKernelStored, PassesUndamaged) {
  const auto& [name, stored] = GetParam();
  // Against outputs kept in fp32 and double the reference runs in multiple precision: four columns
  // do.
  const bool wide = stored == Dtype::bf16 || stored == Dtype::f16;
  const Problem problem = wide ? problem_of(name) : narrowed(name, 4);
  const Verdict verdict = check_accuracy(problem, DoubleKernel(Defect::none, stored), {});
  EXPECT_EQ(verdict.status, Status::passed) << describe(verdict);
  EXPECT_EQ(verdict.bound, "fp64");
  EXPECT_GT(verdict.worst_ratio, 0);
}

INSTANTIATE_TEST_SUITE_P(Recordings, DoubleKernelStored,
                         testing::Combine(testing::ValuesIn(problems()),
                                          testing::Values(Dtype::bf16, Dtype::f16, Dtype::f32,
                                                          Dtype::f64)),
                         [](const auto& each) {
                           return as_test_name(std::get<0>(each.param)) + "_" +
                                  std::string(dtype_name(std::get<1>(each.param)));
                         });

class DoubleKernelDefect : public testing::TestWithParam<std::tuple<std::string, Defect>> {};

// The value that is spoiled first is o of that token, or, where its rounding hides it, the state
// after it.
TEST_P(DoubleKernelDefect, FailsWhereItFirstActs) {
  const auto& [name, defect] = GetParam();
  const Problem problem = problem_of(name);
  const Verdict verdict = check_accuracy(problem, DoubleKernel(defect, Dtype::bf16), {});
  ASSERT_EQ(verdict.status, Status::failed) << describe(verdict);
  ASSERT_TRUE(verdict.has_first_bad);
  const auto [sequence, token] = first_affected(defect, problem);
  const Location& bad = verdict.first_bad;
  EXPECT_EQ(bad.sequence, sequence) << to_string(bad);
  EXPECT_EQ(bad.tensor == "o" ? bad.token : bad.token - 1, token) << to_string(bad);
}

// With o kept in double no rounding hides anything: the first bad value is o itself.
TEST_P(DoubleKernelDefect, IsSeenInTheFirstOutputItReaches) {
  const auto& [name, defect] = GetParam();
  const Problem problem = narrowed(name, 2);
  const Verdict verdict = check_accuracy(problem, DoubleKernel(defect, Dtype::f64), {});
  ASSERT_EQ(verdict.status, Status::failed) << describe(verdict);
  const auto [sequence, token] = first_affected(defect, problem);
  EXPECT_EQ(verdict.first_bad.tensor, "o") << to_string(verdict.first_bad);
  EXPECT_EQ(verdict.first_bad.sequence, sequence) << to_string(verdict.first_bad);
  EXPECT_EQ(verdict.first_bad.token, token) << to_string(verdict.first_bad);
}

std::vector<std::tuple<std::string, Defect>> applicable() {
  std::vector<std::tuple<std::string, Defect>> all;
  for (const std::string& name : problems()) {
    const Problem problem = problem_of(name);
    for (const Defect defect : all_defects()) {
      if (applies(defect, problem)) all.push_back({name, defect});
    }
  }
  return all;
}

std::string name_of(const testing::TestParamInfo<std::tuple<std::string, Defect>>& info) {
  const auto& [name, defect] = info.param;
  return as_test_name(name) + "_" + defect_name(defect);
}

INSTANTIATE_TEST_SUITE_P(Recordings, DoubleKernelDefect, testing::ValuesIn(applicable()), name_of);

}  // namespace
}  // namespace deltaproof
