#pragma once

#include "properties/accuracy/conformity.hpp"
#include "properties/accuracy/judge_unit.hpp"

namespace deltaproof {

/// Holds a run of rule `hola` against the emulation of the whole of it, cache and all, where the declared order is that of
/// a built-in kernel. Nothing is compared where it is another's, or where that kernel refuses the problem. `context`: of
/// the state's problem, with reads.
BitCount cache_bits(const JudgeContext& context, const Declared& declared);

}  // namespace deltaproof
