#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/simt/abi.hpp"
#include "reference/verdict.hpp"

namespace deltaproof {

/// A fault of a launch on the host executor, in the parts of its message.
struct LaunchFault {
  std::string kernel;
  std::optional<simt_index> block, thread;
  std::string file;      ///< empty: no place is known
  int line = 0;          ///< 0: not known, only a library and an offset in it
  bool launched = false; ///< the launch itself was refused: the place is that of the launch
  std::string what;
};

/// "kernel K, block (x, y, z), thread (x, y, z), at FILE:LINE: what", or "kernel K, launched at FILE:LINE: what". Parts that
/// are not known are left out.
std::string to_string(const LaunchFault& fault);

/// The reverse, of the first such message in `text`, which may have other words before it; nothing if there is none.
std::optional<LaunchFault> parse_launch_fault(std::string_view text);

/// What kind of fault `what` speaks of: "race", "out of bounds", "deadlock" .. (docs/verdicts.md).
std::string kind_of_fault(const LaunchFault& fault);

/// The lines of sources that a message of the executor names, each once: first where the fault is, then others that took
/// part in it (the earlier access of a race, the places where threads wait). Empty where it names none.
std::vector<SourceFinding> source_findings(std::string_view text);

}  // namespace deltaproof
