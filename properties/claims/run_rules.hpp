#pragma once

#include <cstdint>
#include <functional>

#include "kernels/kernel.hpp"
#include "properties/claims/kernel_problems.hpp"

/// Rules that accept or reject a run of the emulated chunk kernel, with a defect or without.
namespace deltaproof::claims {

inline constexpr const char* judged_order = "deltaproof-chunk";

/// What a rule is put to: a run, beside the undamaged kernel's.
struct Ran {
  const Drawn& on;
  const Kernel& kernel;
  const Outputs& outputs;
  const Outputs& undamaged;
};
using RunRule = std::function<bool(const Ran&)>;

RunRule published_on_runs(PublishedRule rule);
bool same_as_undamaged(const Ran& ran);
bool anything_passes(const Ran& ran);
/// The right answer rounded once, and no other.
bool rounded_answer(const Ran& ran);
bool within_bound(const Ran& ran);

/// Values outside LOC or ADJ.
std::int64_t outside_bound(const Ran& ran);
/// Relative rms error of o.
double relative_error(const Drawn& on, const Outputs& outputs);

}  // namespace deltaproof::claims
