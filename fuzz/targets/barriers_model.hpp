#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/finding.hpp"
#include "fuzz/targets/simt_program.hpp"

namespace deltaproof::fuzz {

/// The bytes as a program: two for the sizes, then six an operation.
SimtProgram read_program(Bytes bytes);

/// What a program must do, whatever the order in which its threads run.
struct ModelOutcome {
  std::vector<std::uint32_t> registers;  ///< [block, thread, 4]
  std::string fault;  ///< why threads do not meet; empty if they do. Registers mean nothing then
  bool races = false; ///< two threads touch a slot without a barrier between: registers may be anything
};

/// Follows the threads of a block from one meeting to the next, by the rules of docs/host-executor.md, and orders
/// accesses to shared memory by vector clocks. Shares no code with the executor.
ModelOutcome model_of(const SimtProgram& program);

}  // namespace deltaproof::fuzz
