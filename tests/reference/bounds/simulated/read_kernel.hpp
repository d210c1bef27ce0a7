#pragma once

#include <cstdint>

#include "reference/bounds/read_bound.hpp"

namespace deltaproof::simulated {

/// A kernel that reads HOLA's cache in fp32, with the freedoms that docs/read-bound.md allows.
struct ReadKernel {
  Index tile = 1;              ///< entries between two updates of the running maximum
  bool two_passes = false;     ///< the maximum first, then the sums
  bool shuffled = false;       ///< entries in any order, the sink somewhere among them; else the built-in order
  bool fused = true;
  bool factor_after_dot = true;  ///< of the key; else keys are normalised first
  bool base_two = false;       ///< logits times log2 e before their maximum is subtracted
  bool normalises_first = false;  ///< weights are divided before they meet the values
  double push = 0;             ///< of each exponential, in units of 2^-21; below 0.87
  /// Spread: up for entries above the mean of column 0, down below.
  enum class Push { all, random, spread } pushed = Push::all;
  Rounding rows = not_rounded, logit = not_rounded, weight = not_rounded, value = not_rounded, read = not_rounded;
};

/// sigmoid(gate) o_cache of every token, as the kernel adds it to the state's o.
Matrix run_reads(const ReadKernel& kernel, const HeadInputs& head, const CacheSets& sets, std::uint64_t seed);

/// The same from the equations, in long double.
Matrix exact_reads(const HeadInputs& head, const CacheSets& sets);

}  // namespace deltaproof::simulated
