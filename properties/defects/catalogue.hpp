#pragma once

#include <span>

#include "properties/defects/defect.hpp"
#include "properties/defects/faulty_kernel.hpp"

namespace deltaproof {

/// All defects: those of recorded outputs, those of the kernel that was recorded, then variants of any kernel
/// (docs/defects.md).
const std::vector<Defect>& defect_catalogue();
/// Those that are tried on recordings (docs/defects.md, 3): the first two parts.
std::span<const Defect> recording_defects();
/// nullptr if the id is unknown.
const Defect* find_defect(std::string_view id);

/// Why the defect says nothing of a run with these outputs, recorded; empty if it does.
std::string why_not(const Defect& defect, const Problem& problem, const Outputs& outputs);
/// Why it says nothing of a kernel of this declaration on this problem; empty if it does.
std::string why_not(const Defect& defect, const Problem& problem, const Declared& declared);

/// Whether two runs of one problem have the same bits.
bool same_bits(const Outputs& x, const Outputs& y);

/// The outputs of a recorded run with the defect at place number `place` of those that `seed` gives. `kernel` is the
/// one that made `right`. Nothing must speak against it (`why_not`).
Outputs with_defect(const Defect& defect, const Problem& problem, const Outputs& right, const FaultyKernel& kernel,
                    std::uint64_t seed, std::uint64_t place);

}  // namespace deltaproof
