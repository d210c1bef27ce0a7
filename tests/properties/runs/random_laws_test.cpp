// Every law on random problems of every family, with RapidCheck: a failure shrinks in structure and prints the text that
// `deltaproof check --problem` replays.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "kernels/built_in/built_in_kernel.hpp"
#include "kernels/built_in/open_device.hpp"
#include "properties/runs/check_spec.hpp"
#include "properties/runs/kernel_case.hpp"
#include "properties/runs/shrink.hpp"

namespace deltaproof {

void showValue(const ProblemSpec& spec, std::ostream& out) { out << "--problem '" << to_text(spec) << "'"; }

namespace {

// A small problem for the kernel; shrinks as `check` shrinks.
rc::Gen<ProblemSpec> any_problem(const BuiltInInfo& kernel) {
  return rc::gen::mapcat(rc::gen::arbitrary<std::uint32_t>(), [&kernel](std::uint32_t seed) -> rc::Gen<ProblemSpec> {
    const Regime& regime = regimes()[seed % regimes().size()];
    const ProblemSpec spec = kernel_case_spec(kernel, regime, seed, seed % 97, CaseSizes::small);
    return [spec](const rc::Random&, int) {
      return rc::shrinkable::shrinkRecur(
          spec, [](const ProblemSpec& of) { return rc::seq::fromContainer(simpler(of)); });
    };
  });
}

// Always the same problems: other seeds, and more, are for the campaign.
template <class Testable>
rc::detail::TestResult check(Testable testable, int problems = 100) {
  rc::detail::TestParams params;
  params.seed = 6;
  params.maxSuccess = problems;
  return rc::detail::checkTestable(std::move(testable), rc::detail::TestMetadata{}, params);
}

std::string text(const rc::detail::TestResult& result) {
  std::ostringstream out;
  rc::detail::printResultMessage(result, out);
  return out.str();
}

class RandomLaws : public testing::TestWithParam<const char*> {
 protected:
  const BuiltInInfo& info() const { return *find_built_in_kernel(GetParam()); }
};

TEST_P(RandomLaws, HoldOnEveryFamilyOfInputs) {
  HostDeviceOptions options;
  options.threads = 1;
  options.folder = DELTAPROOF_KERNEL_LIBRARIES;
  const BuiltInKernel kernel(info(), open_host_device(options));
  std::map<std::string, int> judged;
  const bool launches_per_token = info().name == "hola_decode";
  const auto holds = [&] {
    const ProblemSpec spec = *any_problem(info());
    SpecChecks checks;
    checks.run = false;
    checks.laws_in_turn = 2;
    for (const SpecVerdict& each : check_spec(spec, kernel, checks)) {
      const Verdict& verdict = each.verdict;
      if (verdict.status != Status::passed) RC_LOG() << verdict.property << ": " << verdict.reason << "\n";
      RC_ASSERT(verdict.status == Status::passed);
      ++judged[verdict.property];
    }
  };
  const rc::detail::TestResult result = check(holds, launches_per_token ? 50 : 100);
  EXPECT_TRUE(result.is<rc::detail::SuccessResult>()) << text(result);
  EXPECT_GE(judged.size(), 20u) << "laws that all problems met";
}

INSTANTIATE_TEST_SUITE_P(BuiltIn, RandomLaws, testing::Values("recurrent", "chunk", "hola", "hola_decode"),
                         [](const auto& kernel) { return std::string(kernel.param); });

// A planted fault, to see it found and made small.
TEST(RandomLawsCanFail, AndShrinkInStructure) {
  const BuiltInInfo& info = *find_built_in_kernel("recurrent");
  const rc::detail::TestResult result = check([&] {
    const ProblemSpec spec = *any_problem(info);
    RC_ASSERT(spec.shape.tokens <= 7);  // 'wrong' from the eighth token on
  });
  rc::detail::FailureResult failure;
  ASSERT_TRUE(result.match(failure));
  ASSERT_FALSE(failure.counterExample.empty());
  EXPECT_NE(failure.counterExample[0].second.find(" T=8 H=1 HV=1 K=1 V=1 "), std::string::npos)
      << failure.counterExample[0].second;
}

}  // namespace
}  // namespace deltaproof
