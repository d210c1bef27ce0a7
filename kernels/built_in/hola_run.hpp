#pragma once

#include "kernels/built_in/device.hpp"
#include "reference/problem/case_file.hpp"

namespace deltaproof {

/// A kernel around HOLA's cache by its name. Throws KernelError if the library has none.
const HolaEntry& hola_entry(const Device& device, std::string_view name);

/// The layer `hola` over whole sequences: o, final_state, chunk_states, scores, selected (32 bits,
/// scores descending). What belongs to no sequence keeps its poison, 0xFF. Throws KernelError.
Outputs run_hola(const Device& device, const Problem& problem);

/// What of the call the options and the tensors of heads say. `state`: the call of
/// problem.state_part().
HolaCall hola_call(const Problem& problem, const KernelCall& state, DeviceRun& run);

}  // namespace deltaproof
