#pragma once

#include <optional>

#include "properties/claims/exact.hpp"

/// Gaussian elimination without rounding.
namespace deltaproof::claims {

std::size_t rank(RationalMatrix a);

/// Throws std::invalid_argument unless `a` is square.
Rational determinant(RationalMatrix a);

/// X of A X = B for a square A; none if A is singular. Throws std::invalid_argument on other
/// shapes.
std::optional<RationalMatrix> solve(RationalMatrix a, RationalMatrix b);

/// A and B side by side. Throws std::invalid_argument unless they have as many rows.
RationalMatrix beside(const RationalMatrix& a, const RationalMatrix& b);

}  // namespace deltaproof::claims
