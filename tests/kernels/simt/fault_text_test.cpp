// Messages of the host executor, read back: in the words of docs/kernel-checker.md and in those of the executor's own tests.
#include <gtest/gtest.h>

#include "tests/kernels/simt/fault_round_trip.hpp"

namespace deltaproof {
namespace {

const std::string race =
    "kernel scan, block (0, 0, 0), thread (33, 0, 0), at kernels/scan.cu:30: race: reads 4 bytes that "
    "thread (30, 0, 0) wrote at kernels/scan.cu:28, and no barrier orders the two: byte 120 of the 256 "
    "bytes of __shared__ scan(float const*, float*)::tile";

const std::string deadlock =
    "kernel (anonymous namespace)::wait<(anonymous namespace)::Two, 3>, block (1, 2, 0): deadlock; threads 0-31: at "
    "__syncthreads, kernels/a.cuh:7; thread 32: at __syncwarp with mask 0x00000003, kernels/a.cuh:9; threads 33-63: "
    "returned";

struct Named {
  const char *what, *kind;
};

TEST(FaultText, IsReadBackInEveryPart) {
  const std::optional<LaunchFault> fault = parse_launch_fault("chunk: " + race);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->kernel, "scan");
  ASSERT_TRUE(fault->block && fault->thread);
  EXPECT_EQ(fault->block->x, 0u);
  EXPECT_EQ(fault->thread->x, 33u);
  EXPECT_EQ(fault->file, "kernels/scan.cu");
  EXPECT_EQ(fault->line, 30);
  EXPECT_TRUE(fault->what.starts_with("race: reads 4 bytes"));
  EXPECT_EQ(to_string(*fault), race);
}

TEST(FaultText, EveryFormGoesBothWays) {
  for (const std::string& message :
       {race, deadlock, std::string("kernel k: memory outside buffer out ([T], 52 bytes) was overwritten"),
        std::string("kernel k, launched at kernels/k.cu:12: grid of 0 x 1 x 1; allowed are 1 to 65535"),
        std::string("kernel k, block (0, 0, 0), thread (1, 0, 0), at libkernels.so+0x1f40 (compiled without -g): race: x"),
        std::string("kernel k, block (3, 0, 0): wrote beyond its dynamic shared memory: byte 256 of 256")}) {
    expect_round_trip(message);
  }
}

TEST(FaultText, NamesTheKindOfEveryFault) {
  for (const auto& [what, kind] : std::initializer_list<Named>{
           {"race: writes 4 bytes that thread (1, 0, 0) read at a.cu:1, and no barrier orders the two: x", "race"},
           {"race: the source of this cp.async was written to before its cp_async_wait", "race"},
           {"uninitialised: reads 4 bytes that no thread has written yet: x", "uninitialised read"},
           {"out of bounds: index 64 of an array of type 'float [64]'", "out of bounds"},
           {"memory outside buffer out was overwritten", "out of bounds"},
           {"wrote beyond its dynamic shared memory: byte 1 of 1", "out of bounds"},
           {"cp_async_16: destination outside shared memory", "out of bounds"},
           {"read only: writes to an input, byte 0 of buffer in", "write to an input"},
           {"misaligned: reads 8 bytes at an address that is not a multiple of 8: x", "misaligned access"},
           {"ldmatrix row not aligned to 16 bytes", "misaligned access"},
           {"reads 4 bytes while a cp.async to them is in flight (issued by thread (0, 0, 0) at a.cu:1, not waited "
            "for): x", "copy in flight"},
           {"returns while this cp.async is in flight: cp_async_wait is missing", "copy in flight"},
           {"stack overflow: the thread's stack of 65536 bytes is used up", "crash"},
           {"divides an integer by zero, or the least one by -1", "crash"},
           {"executes an instruction that this processor does not have", "crash"},
           {"the launch did not end within 4 s; this thread was here", "hang"},
           {"step budget: 7 memory accesses without a barrier", "hang"},
           {"deadlock; threads 0-31: returned", "deadlock"},
           {"threads of one block meet at different __syncthreads; x", "divergent barrier"},
           {"__syncthreads after threads of the block have returned; x", "divergent barrier"},
           {"__shfl_sync with width 12; it must be 1, 2, 4, 8, 16 or 32", "wrong call"}}) {
    const LaunchFault fault{"k", simt_index{0, 0, 0}, simt_index{1, 0, 0}, "kernels/k.cu", 5, false, what};
    expect_round_trip(to_string(fault));
    EXPECT_EQ(source_findings(to_string(fault)).at(0).kind, kind) << what;
  }
}

TEST(FaultText, BothAccessesOfARaceAreFindings) {
  const std::vector<SourceFinding> findings = source_findings(race);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].line, 30);
  EXPECT_EQ(findings[1].file, "kernels/scan.cu");
  EXPECT_EQ(findings[1].line, 28);
  EXPECT_TRUE(findings[0].message.starts_with("kernel scan, block (0, 0, 0), thread (33, 0, 0): race: "))
      << findings[0].message;
  EXPECT_TRUE(findings[1].message.starts_with("takes part in what is at kernels/scan.cu:30: ")) << findings[1].message;
}

TEST(FaultText, PlacesWhereThreadsWaitAreFindings) {
  const std::vector<SourceFinding> findings = source_findings(deadlock);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].kind, "deadlock");
  EXPECT_EQ(findings[0].line, 7);
  EXPECT_EQ(findings[1].line, 9);
}

TEST(FaultText, AnythingElseHasNone) {
  for (const char* text :
       {"", "1 of 49408 values are further from the right answer than LOC allows", "the check ran out of memory",
        "the kernel library has no kernel 'x'", "kernels/chunk.cu:80: no message of the executor", "kernel ", "kernel k",
        "kernel k, block (0, 0): x", "kernel k, block (0, 0, 99999999999): x",
        "kernel k, at libkernels.so+0x1f40 (install binutils to see the line): race: x", "kernel k: x at y.cu:0",
        "kernel k: x at y.cu:99999999999", "kernel k: :3"}) {
    EXPECT_TRUE(source_findings(text).empty()) << text;
  }
}

}  // namespace
}  // namespace deltaproof
