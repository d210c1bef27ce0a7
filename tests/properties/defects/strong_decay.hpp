#pragma once

#include <string>

#include "properties/defects/kill_rate.hpp"

namespace deltaproof {

/// A recording of golden/recorded/, by its name without the ending; read once.
const CaseFile& recorded_case(const std::string& name);

/// The smallest recording that every kernel defect but those of KLA applies to, with its bench: 130 tokens (three
/// chunks, the last of two tokens), two heads, K = V = 64.
const CaseFile& strong_decay();
const DefectBench& strong_decay_bench();

/// The fault of a defect of the kernel, at a place. Fails the test for a damage of recorded outputs.
Fault fault_of(std::string_view id, std::uint64_t place = 0);

}  // namespace deltaproof
