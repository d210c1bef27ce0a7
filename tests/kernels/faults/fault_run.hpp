#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/built_in/open_device.hpp"
#include "reference/verdict.hpp"

namespace deltaproof {

/// A fault as the build knows it (tests/kernels/faults/*.txt).
struct KernelFault {
  std::string_view id;
  std::string_view unit;    ///< translation unit with the fault; its name says which kernel shows it
  std::string_view caught;  ///< what may find it, separated by " | "; "nothing": the kernel stays right
  int chunk;                ///< chunk size of the problems that are run; 0: all
};
const std::vector<KernelFault>& kernel_faults();

/// What a verdict found: "race", "bounds", "uninitialised", .. from the checked run; "bound" (LOC, ADJ, that of a
/// solve), "PIN", "bits", .. from the numbers; "schedules"; or, for anything else than a pass, the status. Empty for
/// a pass.
std::string caught_by(const Verdict& verdict);

/// A verdict that is no pass: what found the fault, and where.
struct Caught {
  std::string by;    ///< "nothing"
  std::string what;  ///< case, status and reason
};

/// Puts the kernel that shows the fault, from the library with it, to the problems one after the other, until one
/// verdict is no pass: the checked build, schedule random, and for the same bits reverse.
Caught run_with_fault(const KernelFault& fault);

}  // namespace deltaproof
