#pragma once

#include <cstring>
#include <type_traits>

#include "reference/rules/scalar.hpp"

namespace deltaproof {

/// Values of neighbouring columns that are computed together: four doubles in a vector register,
/// one number of any other scalar. Operators act element by element, so the result of a column does
/// not depend on the width. Compilers differ in what they make of the same loop over doubles (a
/// factor of 6 between two of them); a vector type leaves them no choice.
template <class R>
struct Lane {
  using type = R;
  static constexpr int width = 1;
};

#if defined(__GNUC__)
template <>
struct Lane<double> {
  typedef double type __attribute__((vector_size(32)));
  static constexpr int width = 4;
};
#endif

/// Number of columns in a lane of type L.
template <class R, class L>
inline constexpr int kLaneWidth = static_cast<int>(sizeof(L) / sizeof(R));

/// A factor of a whole row: a copy of a double stays in a register, where a reference would be read
/// again after each write to the state; a number of many words is not copied.
template <class R>
using Factor = std::conditional_t<std::is_same_v<R, double>, const double, const R&>;

/// Reads a lane from, or writes it to, an array of any alignment.
template <class R, class L>
inline void load(const R* from, L& to) {
  if constexpr (kLaneWidth<R, L> == 1)
    to = *from;
  else
    std::memcpy(&to, from, sizeof(L));
}

template <class R, class L>
inline void store(const L& from, R* to) {
  if constexpr (kLaneWidth<R, L> == 1)
    *to = from;
  else
    std::memcpy(to, &from, sizeof(L));
}

}  // namespace deltaproof
