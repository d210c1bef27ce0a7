#pragma once

#include <string>

namespace deltaproof {

/// Where and with what a report was made.
struct Environment {
  std::string version, compiler, flags, host, cpu, device, date;
};

Environment this_environment();

}  // namespace deltaproof
