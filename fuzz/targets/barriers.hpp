#pragma once

#include <functional>

#include "fuzz/finding.hpp"
#include "fuzz/targets/barriers_model.hpp"
#include "kernels/simt/schedule.hpp"

namespace deltaproof::fuzz {

/// What a launch did: its threads' registers, or its fault.
struct Launched {
  std::vector<std::uint32_t> registers;
  std::string fault;
};

/// Runs the program on the host executor.
Launched launch(const SimtProgram& program, Schedule schedule);

/// The bytes as a kernel of barriers, collectives, shared memory, divergent branches and early returns. Under two
/// schedules it must end in the model's registers, or, where the model finds that threads do not meet, in a fault that
/// says so; a program whose threads race ends somehow. `run`, for tests: an executor that is wrong.
void check_barriers(Bytes bytes, const std::function<Launched(const SimtProgram&, Schedule)>& run = &launch);

}  // namespace deltaproof::fuzz
