// Each fault seeded into a kernel is caught by the checks of a run, by what docs/kernel-faults.md says; kernels built
// the same way without one pass them all.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <ostream>

#include "kernels/kernel.hpp"
#include "tests/kernels/faults/fault_run.hpp"

namespace deltaproof {

void PrintTo(const KernelFault& fault, std::ostream* out) { *out << fault.id; }

namespace {

class KernelFaults : public testing::TestWithParam<KernelFault> {};
INSTANTIATE_TEST_SUITE_P(, KernelFaults, testing::ValuesIn(kernel_faults()),
                         [](const auto& test) { return std::string(test.param.id); });

bool is_one_of(std::string_view names, std::string_view name) {
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(" | ", begin), names.size());
    if (names.substr(begin, end - begin) == name) return true;
    begin = end + 3;
  }
  return false;
}

TEST_P(KernelFaults, AreCaughtAsThePageSays) {
  const KernelFault& fault = GetParam();
  const Caught caught = run_with_fault(fault);
  std::cout << "caught by " << caught.by << (caught.what.empty() ? "" : ": ") << caught.what << "\n";
  EXPECT_TRUE(is_one_of(fault.caught, caught.by))
      << "expected: " << fault.caught << "; caught by: " << caught.by << "\n" << caught.what;
}

TEST(KernelFaultsList, HoldsFaultsAndControls) {
  int faults = 0, controls = 0;
  for (const KernelFault& fault : kernel_faults()) ++(fault.caught == "nothing" ? controls : faults);
  EXPECT_GE(faults, 96) << "no fault is given up";
  EXPECT_GE(controls, 5) << "one for each kernel, and of those around a cache two";
}

TEST(KernelFaultsList, SaysWhatFoundAFault) {
  Verdict verdict;
  verdict.property = "accuracy";
  verdict.status = Status::passed;
  EXPECT_EQ(caught_by(verdict), "");
  verdict.status = Status::error;
  verdict.reason = "kernel a, at b.cu:1: race: reads 4 bytes";
  EXPECT_EQ(caught_by(verdict), "race");
  verdict.reason = "no such library";
  EXPECT_EQ(caught_by(verdict), "error");
  verdict.status = Status::failed;
  verdict.reason = "2 of 9 values are further from the right answer than LOC allows";
  EXPECT_EQ(caught_by(verdict), "bound");
  verdict.status = Status::suspect;
  EXPECT_EQ(caught_by(verdict), "advisory");
}

}  // namespace
}  // namespace deltaproof
