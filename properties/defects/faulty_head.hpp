#pragma once

#include "properties/defects/fault.hpp"

namespace deltaproof {

/// The run of one head of a declared kernel with a fault in it. `right`: the run without it, if it is known, which is
/// taken where the fault changes nothing; null: all is computed. The problem must be one that can be emulated.
Emulation run_head(const Fault& fault, const Problem& problem, const Declared& declared, const Sequence& sequence,
                   std::int64_t head, const Emulation* right = nullptr);

}  // namespace deltaproof
