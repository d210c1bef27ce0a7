// A right answer that no type holds is no fault of the kernel; a fault beside it, or before it, is one all the same.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "properties/accuracy/accuracy.hpp"
#include "properties/accuracy/emulated_outputs.hpp"
#include "tests/properties/runs/emulated_kernel.hpp"
#include "tests/properties/runs/small_problem.hpp"

namespace deltaproof {
namespace {

// Keys of head 0 so long that every token with beta = 1 multiplies the state by about -|k|^2 = -10^6.
Problem diverging(bool all_heads) {
  const Problem problem = small_problem(40);
  TensorMap inputs = problem.tensors();
  std::vector<double> keys = inputs.at("k").values();
  const auto per_row = keys.size() / 2;  // B = 2
  for (std::size_t i = 0; i < (all_heads ? keys.size() : per_row); ++i) keys[i] *= 1000;
  inputs["k"] = Tensor::from(inputs.at("k").dtype, inputs.at("k").shape, keys);
  return problem.with_inputs(std::move(inputs));
}

void set(Tensor& tensor, std::int64_t flat, double value) {
  std::vector<double> values = tensor.values();
  values[static_cast<std::size_t>(flat)] = value;
  tensor = Tensor::from(tensor.dtype, tensor.shape, values);
}

TEST(Divergence, IsReportedAsSuchAndNotAsAFault) {
  const Verdict verdict = check_accuracy(diverging(false), EmulatedKernel(), {});
  EXPECT_EQ(verdict.status, Status::uninformative) << verdict.reason;
  EXPECT_NE(verdict.reason.find("the right answer leaves the range of"), std::string::npos) << verdict.reason;
  EXPECT_NE(verdict.reason.find("sequence 0, head 0, token"), std::string::npos) << verdict.reason;
  EXPECT_GT(verdict.compared, 0) << "the other row is judged";
}

TEST(Divergence, OfEverythingLeavesNothingToJudge) {
  const Verdict verdict = check_accuracy(diverging(true), EmulatedKernel(), {});
  EXPECT_EQ(verdict.status, Status::uninformative) << verdict.reason;
  EXPECT_EQ(verdict.compared, 0);
}

// fp32 sums |k|^2 to infinity, or to less than its smallest numbers tell apart: no kernel normalises such a row.
TEST(Divergence, OfARowThatTheKernelNormalisesIsReportedAsSuch) {
  for (const double factor : {0x1p70, 0x1p-80}) {
    const Problem problem = small_problem(40);
    Options options = problem.options();
    options.qk_l2norm = L2Norm::k;
    options.qk_l2norm_eps = 0;
    TensorMap inputs = problem.tensors();
    std::vector<double> keys = inputs.at("k").values();
    for (double& x : keys) x *= factor;
    inputs["k"] = Tensor::from(inputs.at("k").dtype, inputs.at("k").shape, keys);
    const Verdict verdict = check_accuracy(problem.with_options(options, std::move(inputs)), EmulatedKernel(), {});
    EXPECT_EQ(verdict.status, Status::uninformative) << verdict.reason;
    EXPECT_NE(verdict.reason.find("|k|^2 of a row of k that the kernel normalises"), std::string::npos) << verdict.reason;
  }
}

TEST(Divergence, DoesNotHideAFaultBesideIt) {
  const EmulatedKernel damaged([](const Problem&, Outputs& outputs) {
    Tensor& o = outputs.tensors.at("o");
    set(o, o.size() - 1, 100);  // of the second row
  });
  const Verdict verdict = check_accuracy(diverging(false), damaged, {});
  EXPECT_EQ(verdict.status, Status::failed) << verdict.reason;
  EXPECT_EQ(verdict.first_bad.sequence, 1);
}

TEST(Divergence, IsNoExcuseWhereTheAnswerIsFinite) {
  const EmulatedKernel damaged([](const Problem&, Outputs& outputs) {
    set(outputs.tensors.at("o"), 0, std::numeric_limits<double>::quiet_NaN());
  });
  EXPECT_EQ(check_accuracy(small_problem(40), damaged, {}).status, Status::failed);
}

}  // namespace
}  // namespace deltaproof
