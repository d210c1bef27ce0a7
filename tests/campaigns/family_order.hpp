#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "properties/regimes/generator.hpp"
#include "reference/arithmetic/choices.hpp"
#include "reference/problem/tensor.hpp"

namespace deltaproof::campaign {

/// What decides which orders of operations a bound allows (docs/loc.md, 5).
struct FamilyLimits {
  bool generic = false;    ///< by what is assumed where nothing is declared
  bool decays = true;      ///< there are gates, of which some are not 0
  bool cut = true;         ///< a point may be kept in fp32 where a dot cuts it to TF32: a bias (docs/advisory.md, 4)
  Dtype input = Dtype::bf16;
  std::int64_t K = 64, chunk_size = 64, tokens = 64;
};

/// The values that one choice may have so that the kernel stays inside the family of the text's arithmetic: finer
/// rounding points, other scans of allowed depth, other sums. Always with the value of `declared` itself.
std::vector<std::string> allowed_values(const Choice& choice, const Declared& declared, const FamilyLimits& limits);

/// An order other than `declared`: about every third choice is drawn anew among the values that are allowed.
Declared another_order(const Declared& declared, const FamilyLimits& limits, Generator& generator);

}  // namespace deltaproof::campaign
