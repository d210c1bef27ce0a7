#include "properties/runs/check_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "emulated_kernel.hpp"
#include "properties/runs/problem_spec.hpp"
#include "small_problem.hpp"

namespace deltaproof {
namespace {

using Damage = EmulatedKernel::Damage;

void flip_last_bit_of_o(const Problem&, Outputs& outputs) { outputs.tensors["o"].bytes[0] ^= std::byte{1}; }
void break_off(const Problem&, Outputs&) { throw KernelError("kernel emulated: block 3 never ended"); }

std::shared_ptr<const Kernel> kernel(Damage damage = {}) {
  return std::make_shared<EmulatedKernel>(std::move(damage));
}

RunChecks every_check(Damage schedule = {}, Damage checked = {}, Damage against = {}) {
  RunChecks checks;
  checks.schedules = {{"schedule forward", kernel()}, {"schedule reverse", kernel(std::move(schedule))}};
  checks.checked = kernel(std::move(checked));
  checks.against = Rerun{"the host executor", kernel(std::move(against))};
  return checks;
}

const Verdict& property(const std::vector<Verdict>& verdicts, const std::string& name) {
  for (const Verdict& verdict : verdicts) {
    if (verdict.property == name) return verdict;
  }
  throw std::logic_error("no verdict on " + name);
}

TEST(CheckRun, RightKernelPassesEveryProperty) {
  const std::vector<Verdict> verdicts = check_run(small_problem(), EmulatedKernel(), every_check());
  ASSERT_EQ(verdicts.size(), 4u);
  for (const Verdict& verdict : verdicts) EXPECT_EQ(verdict.status, Status::passed) << verdict.reason;
  EXPECT_EQ(verdicts[0].bound, "LOC");
  EXPECT_EQ(verdicts[0].conformity->bits_unequal, 0);
  EXPECT_EQ(property(verdicts, "schedules").compared, 2 * property(verdicts, "against_host").compared);
}

// A cache whose scores are NaN in the kernel's own arithmetic has no order: to refuse is right, and proves nothing.
class RefusesScores : public EmulatedKernel {
 public:
  std::string arithmetic() const override { return "deltaproof-chunk"; }
  std::string refusal(const Problem&) const override { return {}; }
  Outputs run(const Problem&) const override { throw KernelError("the score of token 0 is NaN"); }
};

TEST(CheckRun, RefusedScoreIsNoErrorWhereItIsRight) {
  ProblemSpec spec;
  spec.options = {{"rule", "hola"}, {"chunk_size", "16"}, {"arithmetic", "deltaproof-chunk"}};
  spec.shape.input = Dtype::f16;
  spec.shape.K = spec.shape.V = 8;
  const Problem problem = problem_of(spec);
  EXPECT_EQ(check_run(problem, RefusesScores(), {}).front().status, Status::error);
  TensorMap inputs = problem.tensors();
  for (const char* name : {"v", "beta"}) {
    Tensor& tensor = inputs.at(name);
    tensor =
        Tensor::from(tensor.dtype, tensor.shape, std::vector<double>(static_cast<std::size_t>(tensor.size()), 60000));
  }
  const Verdict verdict = check_run(problem.with_inputs(inputs), RefusesScores(), {}).front();
  EXPECT_EQ(verdict.status, Status::uninformative) << verdict.reason;
  EXPECT_NE(verdict.reason.find("right to refuse"), std::string::npos) << verdict.reason;
}

TEST(CheckRun, OtherBitsUnderOneScheduleFail) {
  const std::vector<Verdict> verdicts = check_run(small_problem(), EmulatedKernel(), every_check(flip_last_bit_of_o));
  const Verdict& verdict = property(verdicts, "schedules");
  EXPECT_EQ(verdict.status, Status::failed);
  EXPECT_EQ(verdict.violations, 1);
  EXPECT_NE(verdict.reason.find("under schedule reverse 1 of"), std::string::npos) << verdict.reason;
  EXPECT_EQ(property(verdicts, "accuracy").status, Status::passed);
  EXPECT_EQ(property(verdicts, "against_host").status, Status::passed);
}

TEST(CheckRun, FaultInTheCheckedRunIsAnError) {
  const std::vector<Verdict> verdicts = check_run(small_problem(), EmulatedKernel(), every_check({}, break_off));
  const Verdict& verdict = property(verdicts, "checked");
  EXPECT_EQ(verdict.status, Status::error);
  EXPECT_EQ(verdict.reason, "kernel emulated: block 3 never ended");
  EXPECT_EQ(property(verdicts, "against_host").status, Status::passed) << "one property's error ends no other";
}

TEST(CheckRun, OtherBitsOnTheOtherDeviceFail) {
  const std::vector<Verdict> verdicts =
      check_run(small_problem(), EmulatedKernel(), every_check({}, {}, flip_last_bit_of_o));
  EXPECT_EQ(property(verdicts, "against_host").status, Status::failed);
}

TEST(CheckRun, KernelThatBreaksOffIsAnErrorAndNothingElseIsAsked) {
  const std::vector<Verdict> verdicts = check_run(small_problem(), EmulatedKernel(break_off), every_check());
  ASSERT_EQ(verdicts.size(), 1u);
  EXPECT_EQ(verdicts[0].status, Status::error);
}

TEST(CheckRun, RefusedProblemIsSkippedByName) {
  const std::vector<Verdict> verdicts = check_run(small_problem(40, Rule::linear).with_arithmetic("generic"),
                                                  EmulatedKernel(), every_check());
  ASSERT_EQ(verdicts.size(), 1u);
  EXPECT_EQ(verdicts[0].status, Status::skipped);
  EXPECT_EQ(verdicts[0].reason, "emulated: rule linear is not computed");
}

TEST(CheckRun, StateThatIsNotHandedOnFails) {
  // Within every bound, but not the state of a run chunk by chunk.
  const auto damage = [](const Problem& problem, Outputs& outputs) {
    if (problem.dims().T > 16) outputs.tensors["final_state"].bytes[0] ^= std::byte{1};
  };
  const std::vector<Verdict> verdicts = check_run(small_problem(), EmulatedKernel(damage), {});
  EXPECT_EQ(verdicts[0].status, Status::failed);
  EXPECT_NE(verdicts[0].reason.find("chunk by chunk"), std::string::npos) << verdicts[0].reason;
}

TEST(CheckRun, StateThatIsNotFiniteFailsAndIsNoErrorOfTheInput) {
  const auto damage = [](const Problem&, Outputs& outputs) {
    outputs.tensors["final_state"].bytes[2] = outputs.tensors["final_state"].bytes[3] = std::byte{0xff};  // NaN
  };
  const std::vector<Verdict> verdicts = check_run(small_problem(), EmulatedKernel(damage), {});
  EXPECT_EQ(verdicts[0].status, Status::failed);
  EXPECT_NE(verdicts[0].reason.find("not finite"), std::string::npos) << verdicts[0].reason;
}

// The first sequence has row 2, the second is skipped: rows 0 and 1 are nobody's.
Problem with_pool() {
  const Problem problem = small_problem();
  TensorMap inputs = problem.tensors();
  inputs["state_indices"] = Tensor::from(Dtype::i32, {2}, {2, -1});
  inputs["initial_state"] = Tensor::from(Dtype::f32, {3, 2, 16, 16}, std::vector<double>(3 * 2 * 16 * 16, 0.5));
  return problem.with_inputs(std::move(inputs));
}

// What no sequence has stays as it was, but for one bit of `changed`.
EmulatedKernel::Damage pool_updated_in_place(std::int64_t changed) {
  return [changed](const Problem& problem, Outputs& outputs) {
    std::vector<std::byte>& states = outputs.tensors["final_state"].bytes;
    const std::vector<std::byte>& before = problem.find("initial_state")->bytes;
    const std::size_t row = states.size() / 3;
    std::copy_n(before.begin(), 2 * row, states.begin());
    if (changed >= 0) states[static_cast<std::size_t>(changed) * row] ^= std::byte{1};
  };
}

TEST(CheckRun, RowOfThePoolThatNoSequenceHasMustStay) {
  EXPECT_EQ(check_run(with_pool(), EmulatedKernel(pool_updated_in_place(-1)), {})[0].status, Status::passed);
  for (const std::int64_t changed : {0, 1}) {
    const std::vector<Verdict> verdicts = check_run(with_pool(), EmulatedKernel(pool_updated_in_place(changed)), {});
    EXPECT_EQ(verdicts[0].status, Status::failed);
    EXPECT_NE(verdicts[0].reason.find("row " + std::to_string(changed) + " of the pool"), std::string::npos)
        << verdicts[0].reason;
  }
}

// The second of two sequences is padding; its rows of o are `left`.
std::vector<Verdict> with_padding(std::byte left) {
  const Problem rows = small_problem();
  TensorMap tensors = rows.tensors();
  tensors["state_indices"] = Tensor::from(Dtype::i32, {2}, {1, -1});
  tensors["initial_state"] = Tensor::from(Dtype::f32, {2, 2, 16, 16}, std::vector<double>(2 * 2 * 16 * 16, 0.5));
  const auto damage = [left](const Problem& problem, Outputs& outputs) {
    Tensor& o = outputs.tensors["o"];
    std::fill(o.bytes.begin() + static_cast<std::ptrdiff_t>(o.bytes.size() / 2), o.bytes.end(), left);
    const Tensor& before = *problem.find("initial_state");  // row 0 is no sequence's
    std::copy_n(before.bytes.begin(), before.bytes.size() / 2, outputs.tensors["final_state"].bytes.begin());
  };
  class Poisoned : public EmulatedKernel {
   public:
    using EmulatedKernel::EmulatedKernel;
    bool poisons_outputs() const override { return true; }
  };
  return check_run(rows.with_inputs(std::move(tensors)), Poisoned(damage), {});
}

TEST(CheckRun, RowsOfASkippedSequenceMustStayAsTheyWere) {
  EXPECT_EQ(with_padding(std::byte{0xff})[0].status, Status::passed) << with_padding(std::byte{0xff})[0].reason;
  const Verdict written = with_padding(std::byte{0})[0];
  EXPECT_EQ(written.status, Status::failed);
  EXPECT_EQ(written.reason, "rows of o of sequence 1, which state_indices skips, were written");
}

TEST(CheckRun, WrongOutputFailsWithOrWithoutStates) {
  const auto damage = [](const Problem&, Outputs& outputs) {
    std::vector<double> values = outputs.tensors["o"].values();
    values[7] += 0.5;
    outputs.tensors["o"] = Tensor::from(Dtype::bf16, outputs.tensors["o"].shape, values);
  };
  const std::vector<Verdict> verdicts = check_run(small_problem(), EmulatedKernel(damage), {});
  EXPECT_EQ(verdicts[0].status, Status::failed);
  EXPECT_GT(verdicts[0].worst_ratio, 1);
}

}  // namespace
}  // namespace deltaproof
