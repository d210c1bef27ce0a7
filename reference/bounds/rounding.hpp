#pragma once

#include "reference/problem/format.hpp"
#include "reference/problem/matrix.hpp"

namespace deltaproof {

/// One rounding point of a kernel: not rounded at all, to nearest, or towards zero.
struct Rounding {
  enum class Mode { exact, nearest, truncated };
  Mode mode = Mode::exact;
  Format format = formats::f32;

  /// Largest error of rounding any number of absolute value at most `size`.
  double error(double size) const;
  /// The same, element by element.
  Matrix error(const Matrix& size) const;
};

inline constexpr Rounding not_rounded{};
constexpr Rounding nearest(const Format& format) { return {Rounding::Mode::nearest, format}; }
constexpr Rounding truncated(const Format& format) { return {Rounding::Mode::truncated, format}; }

/// Unit roundoff of fp32, the type every kernel here computes in between rounding points.
inline constexpr double u32 = 0x1p-24;

/// n u / (1 - n u): the relative error of n roundings (Higham, Accuracy and Stability, Lemma 3.1).
constexpr double gamma_n(double n, double u) { return n * u / (1 - n * u); }

}  // namespace deltaproof
