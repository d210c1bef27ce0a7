#pragma once

#include <string>
#include <vector>

#include "reference/verdict.hpp"

namespace deltaproof {

/// Where and with what a report was made.
struct Environment {
  std::string version, compiler, flags, host, cpu, device, date;
};

Environment this_environment();
/// The same with the device that the verdicts' kernels ran on.
Environment environment_of(const std::vector<Verdict>& verdicts);

}  // namespace deltaproof
