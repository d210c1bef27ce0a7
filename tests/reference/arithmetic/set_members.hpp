#pragma once

#include <limits>
#include <random>
#include <string>

#include "reference/arithmetic/bits.hpp"
#include "reference/arithmetic/interval_rounding.hpp"
#include "reference/arithmetic/sets.hpp"
#include "reference/arithmetic/texts.hpp"

namespace deltaproof::arithmetic_tests {

using Random = std::mt19937_64;
inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// fla-chunk, unless it is changed.
Declared declared();
Declared with_point(Point point, PointFormat format, PointMode mode);
Resolved resolved(const Declared& declared, const Format& input = formats::bf16);
Sets sets(const Declared& declared = arithmetic_tests::declared(), const Format& input = formats::bf16);
Bits bits(const Declared& declared = arithmetic_tests::declared(), const Format& input = formats::bf16);

SetBlock ball(double centre, double radius);
bool unknown(const SetBlock& a, Index i = 0, Index j = 0);
bool holds(const SetBlock& set, Index i, Index j, float x);
void expect_holds(const SetBlock& set, const MatrixF& values, const std::string& what);

double uniform(Random& random, double low, double high);
/// Of a size from 2^low to 2^(high + 1), or smaller.
float any_float(Random& random, int low, int high);

/// A set of fp32 numbers, and one of them: at an end, within, or the only one.
struct Drawn {
  SetBlock set;
  MatrixF member;
};
Drawn draw(Random& random, Index rows, Index cols, int low, int high);

}  // namespace deltaproof::arithmetic_tests
