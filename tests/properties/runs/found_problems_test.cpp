// Generated problems on which a right kernel once was not passed. What was wrong with the judgement stands beside each.
#include <gtest/gtest.h>

#include "kernels/built_in/built_in_kernel.hpp"
#include "kernels/built_in/open_device.hpp"
#include "properties/runs/check_spec.hpp"
#include "reference/verdict.hpp"

namespace deltaproof {
namespace {

struct Found {
  const char* was;      ///< what was wrong
  const char* problem;  ///< its text
};

constexpr Found all[] = {
    {"the emulation had +0 for -0 above the diagonal of the inverse",
     "regime=extremes seed=15 index=91 B=1 T=8 H=1 HV=1 K=8 V=16 input=F32 state=1 skip=9 arithmetic=deltaproof-chunk "
     "chunk_size=16 kernel=chunk rule=longhorn_exact edit=g:pow2 edit=initial_state:pow2 edit=v:pow2 edit=q:pow2 "
     "edit=k:pow2"},
    {"the bound had no term for what underflows in the read-out",
     "regime=extremes seed=10 index=189 B=1 T=34 H=2 HV=6 K=5 V=3 input=F32 state=1 lengths=17,17 "
     "arithmetic=deltaproof-recurrent chunk_size=64 kernel=recurrent rule=linear scale=0.3 state_layout=vk"},
    {"the relative error of a write coefficient left out what underflows in it",
     "regime=extremes seed=2 index=66 B=1 T=1 H=1 HV=1 K=8 V=8 input=F32 skip=39 arithmetic=deltaproof-chunk chunk_size=16 "
     "kernel=chunk rule=kla variant=standard edit=g:zero edit=v:pow2 edit=q:one edit=k:one edit=eta:pow2"},
    {"T overflows fp16: a NaN where nothing is proved was called a fault",
     "regime=near_parallel seed=12 index=10 B=1 T=45 H=1 HV=1 K=8 V=24 input=F16 lengths=1,9,0,13,22 writes=F16 "
     "arithmetic=deltaproof-chunk c=0.375 chunk_size=64 kernel=chunk qk_l2norm=kernel rule=kla variant=learned_scalar"},
};

TEST(FoundProblems, AreJudgedRightly) {
  HostDeviceOptions options;
  options.threads = 1;
  options.folder = DELTAPROOF_KERNEL_LIBRARIES;
  const auto device = open_host_device(options);
  for (const Found& found : all) {
    const ProblemSpec spec = parse_spec(found.problem);
    const BuiltInKernel kernel(*find_built_in_kernel(spec.options.at("kernel")), device);
    for (const SpecVerdict& each : check_spec(spec, kernel, {})) {
      const Verdict& verdict = each.verdict;
      EXPECT_TRUE(verdict.status == Status::passed || verdict.status == Status::uninformative)
          << found.was << ": " << status_name(verdict.status) << ": " << verdict.reason;
    }
  }
}

}  // namespace
}  // namespace deltaproof
