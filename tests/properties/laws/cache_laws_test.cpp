// Laws of HOLA's cache: the built-in kernels obey each, and for each there is a cache that goes wrong and that it finds.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "kernels/built_in/built_in_kernel.hpp"
#include "kernels/built_in/open_device.hpp"
#include "properties/laws/property.hpp"
#include "properties/laws/tensors.hpp"
#include "tests/properties/laws/cache_faults.hpp"
#include "tests/properties/laws/emulated_hola_kernel.hpp"
#include "tests/properties/laws/small_problems.hpp"
#include "tests/properties/laws/wrong_kernels.hpp"

namespace deltaproof {
namespace {

using namespace wrong;  // NOLINT

struct CacheBreach {
  const char* law;
  const char* name;
  HolaFault fault;
};

std::vector<CacheBreach> breaches() {
  return {{"cache_causality", "uses_later_scores", uses_later_scores()},
          {"cache_causality", "best_of_the_sequence", best_of_the_sequence()},
          {"cache_of_scores", "loses_the_best", loses_the_best()},
          {"cache_of_scores", "uses_later_scores", uses_later_scores()},
          {"cache_bounded", "holds_its_own_block", holds_its_own_block()},
          {"cache_bounded", "holds_a_token_twice", holds_a_token_twice()},
          {"cache_ties", "later_wins_ties", later_wins_ties()},
          {"cache_closed_gate", "gate_without_sigmoid", gate_without_sigmoid()},
          {"cache_closed_gate", "sink_has_a_value", sink_has_a_value()},
          {"cache_recency", "oldest_first", oldest_first()},
          {"cache_size_zero", "reads_block_before", reads_block_before()},
          {"cache_holds_all", "room_for_a_multiple_of_8", room_for_a_multiple_of_8()},
          {"cache_block_sizes", "one_block_late", one_block_late()},
          {"cache_fixed_scores", "scores_of_odd_blocks_doubled", scores_of_odd_blocks_doubled()},
          {"cache_kept_stays", "keeps_the_lowest", keeps_the_lowest()},
          {"cache_sharpening", "rms_without_the_mean", rms_without_the_mean()},
          {"cache_weights", "does_not_divide", does_not_divide()}};
}

std::string text(const Problem& problem, const Verdict& verdict) {
  return problem.name() + ": " + status_name(verdict.status) + ": " + verdict.reason;
}

class CacheLaws : public testing::TestWithParam<const char*> {
 protected:
  BuiltInKernel on_host() const {
    HostDeviceOptions options;
    options.folder = DELTAPROOF_KERNEL_LIBRARIES;
    options.threads = 1;
    return BuiltInKernel(*find_built_in_kernel(GetParam()), open_host_device(options));
  }
  const std::vector<Problem> problems_ = small_problems(*find_built_in_kernel(GetParam()));
};
INSTANTIATE_TEST_SUITE_P(, CacheLaws, testing::Values("hola", "hola_decode"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(CacheLaws, AreObeyedByRightKernels) {
  const BuiltInKernel kernel = on_host();
  std::map<std::string, int> passed;
  for (const Property* law : all_laws()) {
    if (!law->name.starts_with("cache_")) continue;
    const std::string name(law->name);
    for (std::size_t i = 0; i < problems_.size(); ++i) {
      const Verdict verdict = check_property(*law, {problems_[i], kernel, i});
      EXPECT_TRUE(verdict.status == Status::passed || verdict.status == Status::skipped)
          << name << ": " << text(problems_[i], verdict);
      passed[name] += verdict.status == Status::passed;
    }
    EXPECT_GE(passed[name], 4) << name << " says nothing of most small problems";
  }
  EXPECT_EQ(passed.size(), 13u);
}

TEST_P(CacheLaws, FindAWrongCacheEach) {
  std::map<std::string, int> laws;
  for (const CacheBreach& breach : breaches()) {
    const EmulatedHola wrong(GetParam(), breach.fault);
    std::vector<std::string> others;
    bool found = false;
    for (std::size_t i = 0; i < problems_.size() && !found; ++i) {
      const Verdict verdict = check_property(*find_law(breach.law), {problems_[i], wrong, i});
      found = verdict.status == Status::failed;
      EXPECT_TRUE(!found || !verdict.reason.empty());
      others.push_back(text(problems_[i], verdict));
    }
    EXPECT_TRUE(found) << breach.law << " does not find " << breach.name << ": " << testing::PrintToString(others);
    ++laws[breach.law];
  }
  for (const Property* law : all_laws()) {
    EXPECT_EQ(law->name.starts_with("cache_"), laws.contains(std::string(law->name))) << law->name;
  }
}

// What the wrong kernels differ from is right.
TEST_P(CacheLaws, AreObeyedByTheEmulationWithoutAFault) {
  const EmulatedHola right(GetParam());
  for (const CacheBreach& breach : breaches()) {
    for (std::size_t i = 0; i < 4; ++i) {
      const Verdict verdict = check_property(*find_law(breach.law), {problems_[i], right, i});
      EXPECT_NE(verdict.status, Status::failed) << breach.law << ": " << text(problems_[i], verdict);
      EXPECT_NE(verdict.status, Status::error) << breach.law << ": " << text(problems_[i], verdict);
    }
  }
}

TEST_P(CacheLaws, AreSkippedWhereTheCacheIsNotGivenOut) {
  const EmulatedHola right(GetParam());
  const WrongKernel silent(right, [](const Kernel& kernel, const Problem& problem) {
    Outputs outputs = kernel.run(problem);
    outputs.tensors.erase("selected");
    return outputs;
  });
  const Verdict verdict = check_property(*find_law("cache_of_scores"), {problems_[0], silent, 0});
  EXPECT_EQ(verdict.status, Status::skipped);
  EXPECT_EQ(verdict.reason, "the kernel does not give out selected");
}

// Other values than the problem's may overflow, and a NaN has no rank: no fault of the kernel. Where its order of
// roundings has no NaN, it is one.
TEST_P(CacheLaws, AreSkippedWhereTheSecondRunHasANanScoreAndAreErrorsWhereItShouldHaveNone) {
  const EmulatedHola right(GetParam());
  TensorMap inputs = problems_[0].tensors();
  inputs.at("k") = laws::filled(inputs.at("k"), 0x1p60);
  Metadata metadata{{"format", "deltaproof.case/1"}, {"rule", "hola"}, {"chunk_size", "16"}, {"cache_block", "8"}};
  inputs.at("beta") = laws::filled(inputs.at("beta"), 0);  // nothing overflows until the law writes
  const Problem large = Problem::make("large", metadata, inputs);
  const Verdict skipped = check_property(*find_law("second_call"), {large, right, 0});
  EXPECT_EQ(skipped.status, Status::skipped) << skipped.reason;
  EXPECT_NE(skipped.reason.find("NaN"), std::string::npos) << skipped.reason;
  int runs = 0;
  const WrongKernel refuses(right, [&runs](const Kernel& kernel, const Problem& problem) {
    if (++runs > 1) throw KernelError("the score of token 3 is NaN");
    return kernel.run(problem);
  });
  EXPECT_EQ(check_property(*find_law("second_call"), {problems_[0], refuses, 0}).status, Status::error);
}

TEST(CacheLawsOfOtherRules, AreSkipped) {
  const BuiltInInfo& info = *find_built_in_kernel("recurrent");
  HostDeviceOptions options;
  options.folder = DELTAPROOF_KERNEL_LIBRARIES;
  options.threads = 1;
  const BuiltInKernel kernel(info, open_host_device(options));
  const Problem problem = small_problems(info).front();
  for (const Property* law : all_laws()) {
    if (!law->name.starts_with("cache_")) continue;
    EXPECT_EQ(check_property(*law, {problem, kernel, 0}).status, Status::skipped) << law->name;
  }
}

}  // namespace
}  // namespace deltaproof
