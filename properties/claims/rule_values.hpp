#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "properties/claims/claim.hpp"
#include "properties/claims/kernel_problems.hpp"

namespace deltaproof::claims {

/// A published rule as a function of one tensor.
Accepts published(PublishedRule rule);

/// A run beside the right answer; the baseline is right, too.
JudgedValues values_of(std::vector<double> run, std::vector<double> reference);

/// Both tensors, as a counterexample.
Counterexample shown(const JudgedValues& values, std::string shows);

/// The largest x in [2^-100, 8] that is accepted, where all smaller ones are; 0 if none is.
template <class Accepted>
double largest_accepted(const Accepted& accepted) {
  double low = 0x1p-100, high = 8;
  if (!accepted(low)) return 0;
  if (accepted(high)) return high;
  while (std::nextafter(low, high) < high) {
    const double middle = low + (high - low) / 2;
    (accepted(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace deltaproof::claims
