// What is not finite: a fault under a bound that proves otherwise, whichever of a law's runs has it, and none where a
// right kernel may have it.
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "kernels/built_in/built_in_kernel.hpp"
#include "kernels/built_in/open_device.hpp"
#include "properties/laws/property.hpp"
#include "properties/laws/tensors.hpp"
#include "tests/properties/laws/reference_kernel.hpp"
#include "tests/properties/laws/small_problems.hpp"
#include "tests/properties/laws/wrong_kernels.hpp"

namespace deltaproof {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

BuiltInKernel chunk_on_host() {
  HostDeviceOptions options;
  options.folder = DELTAPROOF_KERNEL_LIBRARIES;
  options.threads = 1;
  return BuiltInKernel(*find_built_in_kernel("chunk"), open_host_device(options));
}

// All that run `number` of a law gives is NaN.
RunWrongly nan_in_run(int number) {
  const auto runs = std::make_shared<int>(0);
  return [runs, number](const Kernel& right, const Problem& problem) {
    Outputs outputs = right.run(problem);
    if ((*runs)++ != number) return outputs;
    for (auto& [name, tensor] : outputs.tensors) tensor = laws::filled(tensor, nan);
    return outputs;
  };
}

bool finds_nan_in_run(const char* law, int number, const Kernel& right, const std::vector<Problem>& problems) {
  for (const Problem& problem : problems) {
    const WrongKernel kernel(right, nan_in_run(number));
    if (check_property(*find_law(law), {problem, kernel, 3}).status == Status::failed) return true;
  }
  return false;
}

TEST(LawsWithinBounds, FindANaNInAnyOfTheirRuns) {
  const BuiltInKernel right = chunk_on_host();
  const std::vector<Problem> problems = small_problems(*find_built_in_kernel("chunk"));
  for (const char* law : {"closed_form", "pure_decay", "slow_decay", "exact_integers"}) {
    EXPECT_TRUE(finds_nan_in_run(law, 0, right, problems)) << law;
  }
  for (const char* law : {"split", "chunk_sizes", "linear_in_values", "reset_gate", "kla_unit_keys", "zero_key",
                          "residual_contraction", "interference", "projection", "line_search", "proximal"}) {
    for (const int number : {0, 1}) EXPECT_TRUE(finds_nan_in_run(law, number, right, problems)) << law << number;
  }
  EXPECT_TRUE(finds_nan_in_run("linear_in_values", 2, right, problems));
}

// Scores of 300 x 300 x 16 are infinite in fp16, and infinity times a value of 0 is NaN: the bound says so.
TEST(LawsWithinBounds, SayNothingWhereScoresLeaveTheirType) {
  const BuiltInKernel right = chunk_on_host();
  TensorMap inputs;
  for (const char* name : {"q", "k", "v"}) inputs[name] = laws::filled({Dtype::f16, {1, 20, 1, 16}, {}}, 300);
  inputs["eta"] = laws::filled({Dtype::f32, {1, 20, 1}, {}}, 1);
  const Metadata metadata{{"format", "deltaproof.case/1"}, {"rule", "kla"}, {"chunk_size", "16"}, {"scale", "1"},
                          {"arithmetic", "deltaproof-chunk"}};
  const Problem problem = Problem::make("large scores", metadata, std::move(inputs));
  for (const char* law : {"line_search", "zero_key", "split", "linear_in_values"}) {
    const Verdict verdict = check_property(*find_law(law), {problem, right, 3});
    EXPECT_NE(verdict.status, Status::failed) << law << ": " << verdict.reason;
  }
}

// Its decay at b = 1 is 1e-6, so what the writes leave of the initial state is not kept.
TEST(ClosedForm, IsNoLawOfASingleGate) {
  for (const Problem& problem : small_problems(*find_built_in_kernel("recurrent"))) {
    if (problem.options().rule != Rule::kla) continue;
    Options options = problem.options();
    options.variant = KlaVariant::single_gate;
    TensorMap inputs = problem.tensors();
    inputs.erase("g");
    const Problem single = problem.with_options(options, std::move(inputs));
    const Verdict verdict = check_property(*find_law("closed_form"), {single, ReferenceKernel(false), 3});
    EXPECT_EQ(verdict.status, Status::skipped) << problem.name() << ": " << verdict.reason;
  }
}

}  // namespace
}  // namespace deltaproof
