#pragma once

#include <type_traits>
#include <vector>

#include "reference/oracle/enclosure.hpp"
#include "reference/oracle/outward.hpp"
#include "reference/rules/scalar.hpp"

namespace deltaproof {

inline double size_bound(double x) { return std::abs(x); }
inline double size_bound(const Mpfr& x) {
  return std::abs(mpfr_get_d(x.backend().data(), MPFR_RNDA));
}

/// What rounding a value of R to double adds to its radius, relative to the value.
template <class R>
inline constexpr double conversion_error = std::is_same_v<R, double> ? 0 : 0x1p-53;

/// Values of a run as doubles. `radius` is filled for intervals alone: other scalars carry none.
template <class R>
void capture(const R* values, Matrix& centre, Matrix& radius) {
  for (Index i = 0; i < centre.size(); ++i) {
    if constexpr (std::is_same_v<R, Interval>) {
      const Enclosure enclosure = enclose(values[i]);
      centre.data()[i] = enclosure.centre;
      radius.data()[i] = enclosure.radius;
    } else {
      centre.data()[i] = to_double(values[i]);
    }
  }
}

/// Upper bounds of the 2-norms of the columns of `rows` x `columns` values.
template <class R>
RowVector column_sizes(const R* values, Index rows, Index columns) {
  Matrix sizes(rows, columns);
  for (Index i = 0; i < sizes.size(); ++i) sizes.data()[i] = size_bound(values[i]);
  return column_norm_bounds(sizes);
}

}  // namespace deltaproof
