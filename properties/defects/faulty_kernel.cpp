#include "properties/defects/faulty_kernel.hpp"

#include "properties/accuracy/emulated_outputs.hpp"
#include "properties/defects/faulty_head.hpp"

namespace deltaproof {

FaultyKernel::FaultyKernel(const Problem& problem, Declared declared)
    : problem_(problem), declared_(std::move(declared)) {
  for (const Sequence& sequence : problem.sequences()) {
    if (sequence.state_row < 0) continue;
    for (std::int64_t head = 0; head < problem.dims().HV; ++head) {
      right_[{sequence.index, head}] = run_head({}, problem, declared_, sequence, head);
    }
  }
}

Outputs FaultyKernel::run(const Fault& fault) const {
  const auto run = [&](const Sequence& sequence, std::int64_t head) {
    return run_head(fault, problem_, declared_, sequence, head, &right_.at({sequence.index, head}));
  };
  return assembled_outputs(problem_, run, true);
}

}  // namespace deltaproof
