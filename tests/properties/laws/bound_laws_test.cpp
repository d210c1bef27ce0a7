// Laws that hold within a proven bound: right kernels obey each, in fp32, in 16 bits and in double, and for each
// there is a wrong kernel that it finds.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/built_in/built_in_kernel.hpp"
#include "kernels/built_in/open_device.hpp"
#include "properties/laws/property.hpp"
#include "tests/properties/laws/reference_kernel.hpp"
#include "tests/properties/laws/small_problems.hpp"
#include "tests/properties/laws/wrong_kernels.hpp"

namespace deltaproof {
namespace {

using namespace wrong;  // NOLINT

BuiltInKernel on_host(const std::string& kernel) {
  HostDeviceOptions options;
  options.folder = DELTAPROOF_KERNEL_LIBRARIES;
  options.threads = 1;
  return BuiltInKernel(*find_built_in_kernel(kernel), open_host_device(options));
}

// What was eps of KLA is forgotten.
RunWrongly takes_eps_for(double eps) {
  return [eps](const Kernel& right, const Problem& problem) {
    Options options = problem.options();
    if (options.rule == Rule::kla) options.eps = eps;
    return right.run(problem.with_options(options, problem.tensors()));
  };
}

// Beyond chunks of 16 every second block is wrong.
RunWrongly knows_chunks_of_16_only() {
  return [](const Kernel& right, const Problem& problem) {
    return problem.options().chunk_size == 16 ? right.run(problem) : adds_to("v", 0.25)(right, problem);
  };
}

// Of each law a way to break it.
struct Breach {
  const char* law;
  RunWrongly run;
};

std::vector<Breach> breaches() {
  return {{"split", ignores_initial_state()},
          {"one_by_one", ignores_initial_state()},
          {"chunk_sizes", knows_chunks_of_16_only()},
          {"linear_in_values", clamps("v", 0.5)},
          {"reset_gate", clamps("g", 1)},
          {"kla_unit_keys", takes_eps_for(1e-6)},
          {"zero_key", adds_to("k", 0x1p-6)},
          {"residual_contraction", adds_to("v", 0.25)},
          {"interference", clamps("k", 0.125)},
          {"projection", adds_to("eta", 0.25)},
          {"line_search", adds_to("eta", 0.5)},
          {"proximal", adds_to("v", 0.25)},
          {"closed_form", clamps("beta", 0.5)},
          {"pure_decay", adds_to("g", -0x1p-5)},
          {"slow_decay", clamps("g", 0)},
          {"exact_integers", clamps("v", 2)}};
}

std::string text(const Problem& problem, const Verdict& verdict) {
  return problem.name() + ": " + status_name(verdict.status) + ": " + verdict.reason;
}

bool needs_chunks(const std::string& law) { return law == "chunk_sizes"; }

// Passes some of the problems, and fails none.
void expect_obeyed(const Kernel& kernel, const char* law, const std::vector<Problem>& problems) {
  const Property* property = find_law(law);
  ASSERT_NE(property, nullptr) << law;
  int passed = 0;
  std::string others;
  for (const Problem& problem : problems) {
    // 2048 tokens, the law's own, whatever the problem: once is enough.
    if (passed > 0 && property->name == "slow_decay") break;
    const Verdict verdict = check_property(*property, {problem, kernel, 3});
    EXPECT_TRUE(verdict.status != Status::failed && verdict.status != Status::error)
        << law << ' ' << text(problem, verdict);
    const bool has_passed = verdict.status == Status::passed;
    EXPECT_TRUE(!has_passed || verdict.compared > 0) << law << ' ' << problem.name();
    passed += has_passed ? 1 : 0;
    if (!has_passed) others += fmt::format("\n{}", text(problem, verdict));
  }
  EXPECT_GT(passed, 0) << law << others;
}

class BoundLaws : public testing::TestWithParam<const char*> {
 protected:
  const BuiltInKernel kernel_ = on_host(GetParam());
  const std::vector<Problem> problems_ = small_problems(*find_built_in_kernel(GetParam()));
  bool applies(const char* law) const { return !needs_chunks(law) || std::string(GetParam()) == "chunk"; }
};
INSTANTIATE_TEST_SUITE_P(, BoundLaws, testing::Values("recurrent", "chunk"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(BoundLaws, AreObeyedByRightKernels) {
  for (const Breach& breach : breaches()) {
    if (applies(breach.law)) expect_obeyed(kernel_, breach.law, problems_);
  }
}

TEST_P(BoundLaws, FindTheirWrongKernels) {
  for (const Breach& breach : breaches()) {
    if (!applies(breach.law)) continue;
    const WrongKernel kernel(kernel_, breach.run);
    bool found = false;
    std::string others;
    for (const Problem& problem : problems_) {
      const Verdict verdict = check_property(*find_law(breach.law), {problem, kernel, 3});
      found = verdict.status == Status::failed;
      if (found) break;
      others += fmt::format("\n{}", text(problem, verdict));
    }
    EXPECT_TRUE(found) << breach.law << " found nothing" << others;
  }
}

TEST(BoundLawsOfTheReference, AreObeyedInDoubleAndRoundedOnce) {
  const std::vector<Problem> problems = small_problems(*find_built_in_kernel("recurrent"));
  for (const bool in_f64 : {true, false}) {
    const ReferenceKernel kernel(in_f64);
    for (const Breach& breach : breaches()) {
      if (!needs_chunks(breach.law)) expect_obeyed(kernel, breach.law, problems);
    }
  }
}

TEST(BoundLawsOfNoKernel, ArePassedByReferenceAndGate) {
  const std::vector<Problem> problems = small_problems(*find_built_in_kernel("recurrent"));
  for (const char* law : {"chunk_form", "comparator"}) expect_obeyed(ReferenceKernel(false), law, problems);
}

}  // namespace
}  // namespace deltaproof
