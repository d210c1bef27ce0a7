#include <signal.h>

#include <chrono>
#include <limits>
#include <stdexcept>
#include <thread>

#include "kernels/simt/checker_hooks.hpp"
#include "kernels/simt/fault_signals.hpp"
#include "tests/kernels/simt/checker_fixture.hpp"

namespace deltaproof {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kernels = "checker_kernels_memory.cuh";

std::string plain_error(CheckerRun launch) {
  launch.build = Build::plain;
  return run_checked(launch).error;
}

#if defined(__SANITIZE_ADDRESS__)
#define SKIP_UNDER_ASAN() GTEST_SKIP() << "AddressSanitizer has its own handlers"
#else
#define SKIP_UNDER_ASAN()
#endif

TEST(CheckerFaults, KernelsWithoutFaultAreClean) {
  for (const char* kernel :
       {"reverse", "read_shifted", "write_shifted", "copy_vectors", "divide", "recurse", "hang"}) {
    EXPECT_THAT(plain_error({.kernel = kernel}), IsEmpty()) << kernel;
  }
}

TEST(CheckerFaults, AReadBeyondTheEndNamesTheBuffer) {
  SKIP_UNDER_ASAN();
  EXPECT_THAT(plain_error({.kernel = "read_shifted", .shift = 1}),
              AllOf(HasSubstr("kernel read_shifted, block (0, 0, 0), thread (63, 0, 0)"),
                    HasSubstr("out of bounds: reads 0 bytes beyond the end of buffer in ([T], 256 bytes)"),
                    HasSubstr("at tests/kernels/simt/" + line_of(kernels, "out[i] = in[i + shift]"))));
  EXPECT_THAT(plain_error({.kernel = "write_shifted", .shift = 1}),
              HasSubstr("out of bounds: writes 0 bytes beyond the end of buffer out"));
}

TEST(CheckerFaults, AWriteToAnInput) {
  SKIP_UNDER_ASAN();
  EXPECT_THAT(plain_error({.kernel = "write_input", .shift = 1}),
              AllOf(HasSubstr("read only: writes to an input"),
                    HasSubstr(line_of(kernels, "const_cast<float*>(in)"))));
}

TEST(CheckerFaults, AWriteIntoTheSlackIsFoundAfterTheLaunch) {
  EXPECT_THAT(plain_error({.kernel = "write_shifted", .shift = 1, .count = 13}),
              AllOf(HasSubstr("kernel write_shifted: memory outside buffer out ([T], 52 bytes) was overwritten"),
                    HasSubstr("byte 0 beyond its end"), HasSubstr("holds 0x00, was 0xa5")));
  EXPECT_THAT(plain_error({.kernel = "write_shifted", .shift = -1}), HasSubstr("before its start"));
}

TEST(CheckerFaults, IntegerDivisionByZero) {
  SKIP_UNDER_ASAN();
  EXPECT_THAT(plain_error({.kernel = "divide", .shift = 1}),
              AllOf(HasSubstr("divides an integer by zero"), HasSubstr(line_of(kernels, "/ divisor"))));
}

TEST(CheckerFaults, NullAndWildPointers) {
  SKIP_UNDER_ASAN();
  EXPECT_THAT(plain_error({.kernel = "wild_pointer", .shift = 2}), HasSubstr("writes address 0x123456789"));
}

TEST(CheckerFaults, AMisalignedVector) {
  SKIP_UNDER_ASAN();
  EXPECT_THAT(plain_error({.kernel = "copy_misaligned", .shift = 4}),
              AllOf(HasSubstr("misaligned: "), HasSubstr(line_of(kernels, "(out + 8)"))));
}

TEST(CheckerFaults, AStackOverflow) {
  SKIP_UNDER_ASAN();
  EXPECT_THAT(plain_error({.kernel = "recurse", .shift = 1}), HasSubstr("stack overflow: the thread's stack"));
}

// Again and again: now and then the loop is in the stub of the executor's function that it calls, which has no line.
TEST(CheckerFaults, TheTimeoutEndsLoops) {
  SKIP_UNDER_ASAN();
  for (int again = 0; again < 8; ++again) {
    for (const int shift : {1, 2, 3}) {
      EXPECT_THAT(plain_error({.kernel = "hang", .shift = shift, .timeout = std::chrono::milliseconds(50)}),
                  AllOf(HasSubstr("did not end within 0.05 s"), HasSubstr(kernels)));
    }
  }
  CheckerRun checked{.kernel = "hang", .shift = 1, .timeout = std::chrono::milliseconds(50)};
  EXPECT_THAT(run_checked(checked).error, HasSubstr("did not end within 0.05 s"));
}

TEST(CheckerFaults, ATimeoutIsNeverRoundedToNoneNorOverflows) {
  SKIP_UNDER_ASAN();
  CheckerRun launch{.kernel = "hang", .shift = 1};
  for (const double seconds : {4e-4, 1e-12}) {
    launch.timeout = std::chrono::duration<double>(seconds);
    EXPECT_THAT(plain_error(launch), HasSubstr(seconds == 4e-4 ? "did not end within 0.0004 s"
                                                               : "did not end within 1e-12 s"));
  }
  launch.shift = 0;
  for (const double seconds : {0.0, 1e10, 1e300, std::numeric_limits<double>::infinity()}) {
    launch.timeout = std::chrono::duration<double>(seconds);
    for (int i = 0; i < 20; ++i) EXPECT_THAT(plain_error(launch), IsEmpty()) << seconds;
  }
  for (const double seconds : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(LaunchGuard({nullptr, std::chrono::duration<double>(seconds), nullptr}), std::invalid_argument);
  }
}

// The watchdog sleeps until the end of the limit that it knows, and must be woken for a shorter one.
TEST(CheckerFaults, ATimeoutIsKeptBehindALaunchWithALongerOne) {
  SKIP_UNDER_ASAN();
  EXPECT_THAT(plain_error({.kernel = "hang", .shift = 0, .timeout = std::chrono::seconds(60)}), IsEmpty());
  std::this_thread::sleep_for(std::chrono::milliseconds(200));  // it has begun, and sleeps
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(plain_error({.kernel = "hang", .shift = 1, .timeout = std::chrono::milliseconds(50)}),
              HasSubstr("did not end within 0.05 s"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(40));
}

TEST(CheckerFaults, TheTimeoutEndsAllBlocks) {
  SKIP_UNDER_ASAN();
  CheckerRun launch{.kernel = "hang_blocks", .shift = 1, .threads = 2, .timeout = std::chrono::milliseconds(50)};
  EXPECT_THAT(plain_error(launch), HasSubstr("did not end within"));
}

/// A signal in the launching program's own code, while a launch runs.
class SignalInHook final : public CheckerHooks {
 public:
  void launch_begin(const LaunchMemory&) override {}
  void launch_end(const LaunchMemory&) override {}
  void block_begin(const BlockMemory&) override { raise(SIGSEGV); }
  void block_end(const BlockMemory&) override {}
  void block_barrier(const BlockMemory&) override {}
  void warp_barrier(const BlockMemory&, std::uint32_t, std::uint32_t) override {}
  void switched_in(const RunningThread&) override {}
  void access(const RunningThread&, const void*, std::size_t, Access, const char*, int) override {}
};

volatile sig_atomic_t handled = 0;
void count_signal(int) { handled = handled + 1; }

TEST(CheckerFaults, SignalsOutsideKernelsGoToTheHandlerBefore) {
  SKIP_UNDER_ASAN();
  struct sigaction own {}, before {};
  own.sa_handler = count_signal;
  sigaction(SIGSEGV, &own, &before);
  SignalInHook hooks;
  CheckerRun launch{.kernel = "reverse", .build = Build::plain};
  launch.hooks = &hooks;
  EXPECT_THAT(run_checked(launch).error, IsEmpty());
  sigaction(SIGSEGV, &before, nullptr);
  EXPECT_EQ(handled, 1);
}

TEST(CheckerFaultsDeathTest, SignalsOutsideKernelsEndTheProcessAsBefore) {
  SKIP_UNDER_ASAN();
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  SignalInHook hooks;
  CheckerRun launch{.kernel = "reverse", .build = Build::plain};
  launch.hooks = &hooks;
  EXPECT_EXIT(run_checked(launch), testing::KilledBySignal(SIGSEGV), "");
}

/// Signals outside kernels are somebody else's: the handlers that stood before stand again after a launch.
TEST(CheckerFaults, HandlersAreRestored) {
  struct sigaction before {};
  sigaction(SIGSEGV, nullptr, &before);
  EXPECT_THAT(plain_error({.kernel = "reverse"}), IsEmpty());
  EXPECT_NE(plain_error({.kernel = "read_shifted", .shift = 1}), "");
  struct sigaction after {};
  sigaction(SIGSEGV, nullptr, &after);
  EXPECT_EQ(before.sa_sigaction, after.sa_sigaction);
}

}  // namespace
}  // namespace deltaproof
