#pragma once

#include "properties/claims/figures.hpp"

namespace deltaproof::claims {

/// Encloses exp(x) for every x of the range, by interval arithmetic with 128 bits: proved bounds.
Range exponential_of(const Range& x);

/// Encloses the softmax weight of an entry of logit `own` among `entries`, where every other logit is in `others`.
Range softmax_weight(int entries, const Range& own, const Range& others);

}  // namespace deltaproof::claims
