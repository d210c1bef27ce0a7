#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "kernels/simt/executor.hpp"
#include "tests/kernels/simt/checker_kernels.hpp"

namespace deltaproof {

class CheckerHooks;

/// How the library that a test loads was built.
enum class Build { plain, checked_gcc, checked_clang };

/// One launch of a kernel of the test library.
struct CheckerRun {
  const char* kernel;
  int shift = 0;
  Build build = Build::checked_gcc;
  Schedule schedule = Schedule::random;
  int threads = 1;
  int count = 64;              ///< elements of in, out and scratch
  std::size_t dynamic_shared = 256;
  std::vector<int> before = {};  ///< shifts of launches that come first, with the same memory
  bool poisons = false;          ///< what they wrote to the scratch is gone again
  std::chrono::duration<double> timeout{20};
  std::vector<std::uint32_t> in = {};  ///< instead of the numbers 1, 2, ...; `count` goes by it
  CheckerHooks* hooks = nullptr;       ///< in the plain build
  std::uint64_t step_budget = std::uint64_t{1} << 30;
};

struct CheckerResult {
  std::string error;       ///< empty: none
  std::vector<float> out;
  std::uint64_t accesses;  ///< that the checker saw
};

/// in[i] is i + 1. With a checker in the checked builds, with guarded memory and fault signals in all. False if the
/// build does not exist (no clang++).
bool available(Build build);
CheckerResult run_checked(const CheckerRun& run);

/// "checker_kernels_races.cuh:LINE" of the only line of the file that contains `text`.
std::string line_of(const std::string& file, const std::string& text);

/// Builds with instrumentation that exist.
std::vector<Build> checked_builds();

}  // namespace deltaproof
