// Laws of the triangular solve: the built-in one obeys them both ways, and for each there is a wrong solve that it
// finds.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/built_in/open_device.hpp"
#include "properties/runs/solve_properties.hpp"
#include "tests/properties/laws/wrong_solves.hpp"

namespace deltaproof {
namespace {

std::shared_ptr<const Device> host() {
  HostDeviceOptions options;
  options.folder = DELTAPROOF_KERNEL_LIBRARIES;
  options.threads = 1;
  return open_host_device(options);
}

const char* const laws_of_the_solve[] = {"accuracy", "solve_equivalence", "solve_residual", "solve_closed_form"};

Verdict put_to(const char* law, const SolveProblem& problem, const Device& device) {
  const SolveChecks none;
  return check_solve_property(*find_solve_property(law), {problem, device, none});
}

SolveProblem well_conditioned(bool blocked_inverse) {
  for (std::uint64_t index = blocked_inverse ? 1 : 0;; index += 2) {
    SolveProblem problem = solve_case(3, index);
    if (problem.name.find("typical") != std::string::npos) return problem;
  }
}

TEST(SolveLaws, AreObeyedBothWaysAtEverySize) {
  const auto device = host();
  for (const char* law : laws_of_the_solve) {
    int passed = 0;
    for (std::uint64_t index = 0; index < 12; ++index) {
      const SolveProblem problem = solve_case(5, index);
      const Verdict verdict = put_to(law, problem, *device);
      EXPECT_TRUE(verdict.status == Status::passed || verdict.status == Status::uninformative)
          << law << ' ' << problem.name << ": " << verdict.reason;
      passed += verdict.status == Status::passed ? 1 : 0;
    }
    EXPECT_GE(passed, 9) << law;
  }
}

TEST(SolveLaws, CasesHaveEqualAndOrthonormalKeysToo) {
  int equal = 0, orthonormal = 0;
  for (std::uint64_t index = 0; index < 60; ++index) {
    const std::string name = solve_case(5, index).name;
    equal += name.find("equal_keys") == 0 ? 1 : 0;
    orthonormal += name.find("orthonormal") == 0 ? 1 : 0;
  }
  EXPECT_GT(equal, 0);
  EXPECT_GT(orthonormal, 0);
}

TEST(SolveLaws, FindOneWrongElement) {
  const auto device = wrong_solves(host(), [](const SolveData&, std::vector<float>& X) { X[0] += 0.125f; });
  for (const bool blocked : {false, true}) {
    for (const char* law : {"accuracy", "solve_residual", "solve_closed_form"}) {
      EXPECT_EQ(put_to(law, well_conditioned(blocked), *device).status, Status::failed) << law;
    }
  }
  // Both ways alike: only the exact X tells.
  EXPECT_EQ(put_to("solve_equivalence", well_conditioned(false), *device).status, Status::failed);
}

TEST(SolveLaws, FindANaN) {
  const auto device = wrong_solves(host(), [](const SolveData&, std::vector<float>& X) { X.back() = std::nanf(""); });
  for (const char* law : laws_of_the_solve) {
    EXPECT_EQ(put_to(law, well_conditioned(false), *device).status, Status::failed) << law;
  }
}

// Powers of L have entries up to C(30, 15) ~ 1.6e8 on the way, infinite in fp16, and infinity less infinity is NaN.
TEST(SolveLaws, ClosedFormFindsAnInverseByPowersInFp16) {
  SolveProblem problem = solve_case(5, 2);
  ASSERT_EQ(problem.C, 32);
  const Verdict verdict = put_to("solve_closed_form", problem, *wrong_solves(host(), neumann_in_f16));
  EXPECT_EQ(verdict.status, Status::failed);
  EXPECT_TRUE(std::isinf(verdict.worst_ratio)) << "not a number: " << verdict.value;
}

// X_i grows by 3e30 a row: X_2 is beyond fp32.
TEST(SolveLaws, RightAnswerBeyondFp32IsUninformative) {
  SolveProblem problem{"grows", 1, 16, 1, false, std::vector<float>(256, 0), std::vector<float>(16, 0)};
  problem.L[1 * 16 + 0] = problem.L[2 * 16 + 1] = 3e30f;
  problem.R[0] = 1;
  const auto device = host();
  for (const bool blocked : {false, true}) {
    problem.blocked_inverse = blocked;
    for (const char* law : {"accuracy", "solve_equivalence", "solve_residual"}) {
      const Verdict verdict = put_to(law, problem, *device);
      EXPECT_EQ(verdict.status, Status::uninformative) << law;
      EXPECT_NE(verdict.reason.find("leaves the range of fp32"), std::string::npos) << law << ": " << verdict.reason;
    }
  }
  problem.blocked_inverse = false;
  const auto wrong = wrong_solves(host(), [](const SolveData&, std::vector<float>& X) { X[0] = 0; });
  EXPECT_EQ(put_to("accuracy", problem, *wrong).status, Status::failed) << "what is in range is judged all the same";
}

TEST(SolveLaws, BitsAreAskedForOrSkipped) {
  const auto device = host();
  const SolveProblem problem = well_conditioned(false);
  EXPECT_EQ(put_to("schedules", problem, *device).status, Status::skipped);
  SolveChecks checks;
  checks.schedules = {{"the same again", device}};
  EXPECT_EQ(check_solve_property(*find_solve_property("schedules"), {problem, *device, checks}).status,
            Status::passed);
  checks.schedules = {{"another", wrong_solves(device, [](const SolveData&, std::vector<float>& X) { X[0] += 1; })}};
  EXPECT_EQ(check_solve_property(*find_solve_property("schedules"), {problem, *device, checks}).status,
            Status::failed);
}

}  // namespace
}  // namespace deltaproof
