#pragma once

#include "properties/defects/defect.hpp"
#include "properties/defects/faulty_kernel.hpp"

namespace deltaproof {

/// All defects: those of recorded outputs, then those of the kernel, by stage (docs/defects.md).
const std::vector<Defect>& defect_catalogue();
/// nullptr if the id is unknown.
const Defect* find_defect(std::string_view id);

/// Why the defect says nothing of a run with these outputs; empty if it does.
std::string why_not(const Defect& defect, const Problem& problem, const Outputs& outputs);

/// Whether two runs of one problem have the same bits.
bool same_bits(const Outputs& x, const Outputs& y);

/// The outputs with the defect at place number `place` of those that `seed` gives. `kernel` is the one that made
/// `right`. Nothing must speak against it (`why_not`).
Outputs with_defect(const Defect& defect, const Problem& problem, const Outputs& right, const FaultyKernel& kernel,
                    std::uint64_t seed, std::uint64_t place);

}  // namespace deltaproof
