#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "properties/accuracy/units.hpp"

namespace deltaproof {

/// The largest finite number of a floating type.
double largest_finite(Dtype dtype);

/// Units whose right answer stays in the range of the types that hold it, and where it first does not.
struct InRange {
  std::vector<Unit> units;
  std::string first;  ///< "the right answer leaves the range of F32 at sequence 0, head 1, token 40"; empty: nowhere
};

/// Leaves out, of each head of each sequence, the units from the token on at which an element of the exact o is
/// beyond the largest finite number of o's type, or one of the exact state beyond fp32's (f64's for arithmetics that
/// keep f64 states): from there on a right kernel has infinities, and what it makes of them is no fault of its own.
/// The same where the square of a row that the kernel normalises is beyond fp32, or so small that fp32 loses it.
InRange units_in_range(const Problem& problem, const Outputs& outputs, const BoundChoice& choice,
                       const std::vector<Unit>& units);

}  // namespace deltaproof
