#include "properties/defects/faulty_kernel.hpp"

#include "properties/accuracy/conformity.hpp"
#include "properties/accuracy/emulated_outputs.hpp"
#include "properties/defects/faulty_bits.hpp"
#include "reference/arithmetic/run_text.hpp"

namespace deltaproof {
FaultyKernel::FaultyKernel(const Problem& problem, Declared declared)
    : problem_(problem), declared_(std::move(declared)) {
  for (const Sequence& sequence : problem.sequences()) {
    if (sequence.state_row < 0) continue;
    for (std::int64_t head = 0; head < problem.dims().HV; ++head) {
      right_[{sequence.index, head}] = emulate(resolve_for(problem, Outputs{}, declared_),
                                               head_inputs(problem, sequence, head), problem.options().chunk_size,
                                               problem.find("initial_state") != nullptr);
    }
  }
}

Emulation FaultyKernel::run_head(const Fault& fault, const Sequence& sequence, std::int64_t head) const {
  const Emulation& right = right_.at({sequence.index, head});
  if (fault.head >= 0 && fault.head != head) return right;
  Declared declared = declared_;
  if (fault.declaration) fault.declaration(declared);
  HeadInputs inputs = head_inputs(problem_, sequence, head);
  if (fault.run_inputs) fault.run_inputs(problem_, sequence, head, inputs);
  const Bits bits(resolve_for(problem_, Outputs{}, declared));
  const Index size = problem_.options().chunk_size;
  const auto read = [&](Index chunk, const TextInput<Bits>& in) -> TextOutput<Bits> {
    if (chunk < fault.chunk) {
      return {right.o.middleRows(chunk * size, in.k.rows()), right.states[static_cast<std::size_t>(chunk)]};
    }
    if (fault.chunk >= 0 && chunk != fault.chunk) return run_text(bits, in);
    ChunkStep step{bits, in};
    return read_chunk(fault, step);
  };
  return emulate_with(bits, inputs, size, problem_.find("initial_state") != nullptr, read);
}

Outputs FaultyKernel::run(const Fault& fault) const {
  const auto run = [&](const Sequence& sequence, std::int64_t head) { return run_head(fault, sequence, head); };
  return assembled_outputs(problem_, run, true);
}

}  // namespace deltaproof
