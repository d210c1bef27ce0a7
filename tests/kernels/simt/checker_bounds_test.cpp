#include "tests/kernels/simt/checker_fixture.hpp"

namespace deltaproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::string kernels = "checker_kernels_memory.cuh";

class CheckerBounds : public testing::TestWithParam<Build> {
 protected:
  std::string error(CheckerRun launch) {
    launch.build = GetParam();
    return run_checked(launch).error;
  }
};
INSTANTIATE_TEST_SUITE_P(Builds, CheckerBounds, testing::ValuesIn(checked_builds()), [](const auto& build) {
  return std::string(build.param == Build::checked_gcc ? "gcc" : "clang");
});

TEST_P(CheckerBounds, OneElementBeyondEitherEndOfABuffer) {
  const std::string load = "tests/kernels/simt/" + line_of(kernels, "out[i] = in[i + shift]");
  const std::string store = "tests/kernels/simt/" + line_of(kernels, "out[i + shift] = in[i]");
  EXPECT_THAT(error({.kernel = "read_shifted", .shift = 1}),
              AllOf(HasSubstr("reads 4 bytes, 0 bytes beyond the end of buffer in ([T], 256 bytes)"),
                    HasSubstr(load)));
  EXPECT_THAT(error({.kernel = "read_shifted", .shift = -1}),
              AllOf(HasSubstr("reads 4 bytes, 4 bytes before the start of buffer in"), HasSubstr(load)));
  EXPECT_THAT(error({.kernel = "write_shifted", .shift = 1}),
              AllOf(HasSubstr("writes 4 bytes, 0 bytes beyond the end of buffer out"), HasSubstr(store)));
  EXPECT_THAT(error({.kernel = "write_shifted", .shift = -1}),
              AllOf(HasSubstr("writes 4 bytes, 4 bytes before the start of buffer out"), HasSubstr(store)));
}

TEST_P(CheckerBounds, TheSlackBehindAnUnalignedSizeIsOutOfBounds) {
  EXPECT_THAT(error({.kernel = "read_shifted", .shift = 1, .count = 13}), HasSubstr("beyond the end of buffer in"));
  EXPECT_THAT(error({.kernel = "write_shifted", .shift = 1, .count = 13}), HasSubstr("beyond the end of buffer out"));
}

TEST_P(CheckerBounds, VectorsAndMemoryFunctions) {
  EXPECT_THAT(error({.kernel = "copy_vectors", .shift = 1}), HasSubstr("reads 16 bytes, 0 bytes beyond the end"));
  EXPECT_THAT(error({.kernel = "copy_vectors", .shift = -1}), HasSubstr("reads 16 bytes, 16 bytes before"));
  EXPECT_THAT(error({.kernel = "copy_memory", .shift = 1}),
              AllOf(HasSubstr("reads 48 bytes, byte 240 of buffer in"), HasSubstr("across its end"),
                    HasSubstr(line_of(kernels, "std::memcpy(out"))));
}

TEST_P(CheckerBounds, MisalignedAccesses) {
  EXPECT_THAT(error({.kernel = "copy_misaligned"}), IsEmpty());
  EXPECT_THAT(error({.kernel = "copy_misaligned", .shift = 2}),
              AllOf(HasSubstr("misaligned: reads 4 bytes at an address that is not a multiple of 4: byte "),
                    HasSubstr(line_of(kernels, "shift % 4"))));
  if (GetParam() == Build::checked_clang) return;  // copies the vector by memcpy, to which any address will do
  EXPECT_THAT(error({.kernel = "copy_misaligned", .shift = 4}),
              AllOf(HasSubstr("misaligned: "), HasSubstr(line_of(kernels, "(out + 8)"))));
  EXPECT_THAT(error({.kernel = "copy_misaligned", .shift = 8}),
              AllOf(HasSubstr("misaligned: "), HasSubstr(line_of(kernels, "(out + 8)"))));
}

TEST_P(CheckerBounds, AnIndexIntoTheNextArray) {
  const std::string place = line_of(kernels, "out[t] = tile[t + shift] + before");
  EXPECT_THAT(error({.kernel = "shared_shifted", .shift = 1}),
              AllOf(HasSubstr("index 64 of an array"), HasSubstr(place)));
  EXPECT_THAT(error({.kernel = "shared_shifted", .shift = -1}),
              AllOf(HasSubstr("index -1 of an array"), HasSubstr(place)));
  EXPECT_THAT(error({.kernel = "read_constants", .shift = 4}), HasSubstr("index 4 of an array"));
}

TEST_P(CheckerBounds, MoreDynamicSharedMemoryThanTheLaunchAskedFor) {
  EXPECT_THAT(error({.kernel = "dynamic_shared", .dynamic_shared = 252}),
              AllOf(HasSubstr("writes 4 bytes, 0 bytes beyond the end of the 252 bytes of dynamic shared memory"),
                    HasSubstr(line_of(kernels, "tile[t + shift] = in[t]"))));
  // The array is aligned to 128 bytes, and those of the test's kernels do not fill the bytes before it.
  EXPECT_THAT(error({.kernel = "dynamic_shared", .shift = -1}),
              HasSubstr("4 bytes before the start of the 256 bytes of dynamic shared memory"));
}

TEST_P(CheckerBounds, UninitialisedReads) {
  EXPECT_THAT(error({.kernel = "read_unwritten_shared", .shift = 1}),
              AllOf(HasSubstr("uninitialised: reads 4 bytes"), HasSubstr(line_of(kernels, "out[t] = tile[63 - t]"))));
  EXPECT_THAT(error({.kernel = "through_scratch", .shift = 1}),
              AllOf(HasSubstr("uninitialised"), HasSubstr("of buffer scratch"),
                    HasSubstr(line_of(kernels, "out[t] = scratch[t]"))));
}

TEST_P(CheckerBounds, ReadsOfABufferThatWasPoisonedAnew) {
  EXPECT_EQ(error({.kernel = "through_scratch", .shift = 1, .before = {0}}), "");
  EXPECT_THAT(error({.kernel = "through_scratch", .shift = 1, .before = {0}, .poisons = true}),
              AllOf(HasSubstr("uninitialised"), HasSubstr("of buffer scratch")));
}

TEST_P(CheckerBounds, AWriteToAnInput) {
  EXPECT_THAT(error({.kernel = "write_input", .shift = 1}),
              AllOf(HasSubstr("read only: writes 4 bytes of an input"), HasSubstr("of buffer in"),
                    HasSubstr(line_of(kernels, "const_cast<float*>(in)"))));
}

TEST_P(CheckerBounds, AWildPointer) {
  EXPECT_THAT(error({.kernel = "wild_pointer", .shift = 2}), HasSubstr("in or near no buffer"));
}

TEST_P(CheckerBounds, TheStepBudgetEndsALoopThatTouchesMemory) {
  EXPECT_THAT(error({.kernel = "hang", .shift = 2, .step_budget = 10'000}),
              AllOf(HasSubstr("step budget: 10000 memory accesses"), HasSubstr(kernels)));
}

TEST_P(CheckerBounds, AFaultLeavesTheExecutorUsable) {
  EXPECT_THAT(error({.kernel = "read_shifted", .shift = 1}), Not(IsEmpty()));
  EXPECT_THAT(error({.kernel = "read_shifted"}), IsEmpty());
}

}  // namespace
}  // namespace deltaproof
