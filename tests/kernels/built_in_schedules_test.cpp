// The bits of the built-in kernels under every schedule, from every build, and a run that is checked for races,
// bounds and uninitialised reads.
#include <gtest/gtest.h>

#include "tests/kernels/built_in_bits.hpp"

namespace deltaproof {
namespace {

class BuiltInSchedules : public testing::TestWithParam<const char*> {
 protected:
  std::string kernel() const { return GetParam(); }

  // Small, with tails of everything, and more than one block of each kind.
  std::vector<Problem> problems() const {
    std::vector<Problem> result;
    for (const Dtype type : input_types) {
      for (const Rule rule : {Rule::kla, Rule::scalar_decay, Rule::vector_decay_delta, Rule::vector_decay}) {
        RegimeShape shape;
        shape.tokens = 37, shape.K = 72, shape.V = 40, shape.HV = 2, shape.input = type, shape.initial_state = true;
        result.push_back(own_problem(kernel(), rule, shape,
                                     {{"chunk_size", "32"}, {"states_every", "32"}, {"qk_l2norm", "kernel"}}));
      }
    }
    return result;
  }
  void expect_bits(const HostDeviceOptions& options) const {
    const BuiltInKernel run = on_host(kernel(), options);
    for (const Problem& p : problems()) EXPECT_TRUE(same_bits(p, expected_outputs(p), run.run(p)));
  }
};
INSTANTIATE_TEST_SUITE_P(, BuiltInSchedules, testing::Values("recurrent", "chunk"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(BuiltInSchedules, ChangeNoBit) {
  for (const ScheduleInfo& schedule : schedule_table()) {
    for (const std::uint64_t seed : {1u, 2u}) {
      SCOPED_TRACE(schedule.name);
      HostDeviceOptions options;
      options.schedule = schedule.schedule, options.seed = seed, options.threads = seed == 1 ? 1 : 2;
      expect_bits(options);
    }
  }
}

TEST_P(BuiltInSchedules, CheckedRunsHaveNoReport) {
  HostDeviceOptions options;
  options.build = HostBuild::checked;
  expect_bits(options);
}

TEST_P(BuiltInSchedules, AnotherCompilerChangesNoBit) {
  HostDeviceOptions options;
  options.build = HostBuild::clang;
  const std::filesystem::path libraries = DELTAPROOF_KERNEL_LIBRARIES;
  if (!std::filesystem::exists(libraries / "libdeltaproof_kernels_clang.so")) {
    GTEST_SKIP() << "no clang++ when this was configured";
  }
  expect_bits(options);
}

}  // namespace
}  // namespace deltaproof
