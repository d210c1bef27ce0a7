#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "reference/problem/format.hpp"
#include "tests/reference/bounds/simulated/float_ops.hpp"

namespace deltaproof::simulated {

/// Where a kernel may round.
enum class Point {
  normalised,
  key_beta,
  product,
  L,
  T,
  rv,
  rw,
  u,
  w,
  w_decayed,
  state_copy,
  v_new,
  v_scaled,
  k_scaled,
  q_scaled,
  P,
  gram_operand,
  count
};

enum class How { kept, nearest, truncated };

/// Which points a kernel rounds, and how. Written out for each kernel in kernels.cpp, not taken
/// from reference/bounds.
struct Roundings {
  Format format = formats::bf16;
  std::array<How, static_cast<std::size_t>(Point::count)> how{};

  How& at(Point p) { return how[static_cast<std::size_t>(p)]; }
  How at(Point p) const { return how[static_cast<std::size_t>(p)]; }
};

/// Applies the roundings, or an adversary's choice within half an ulp (an ulp where a point
/// truncates).
class Rounder {
 public:
  explicit Rounder(const Roundings& roundings) : roundings_(roundings) {}

  float operator()(Point p, float x);
  Floats operator()(Point p, const Floats& m);

  /// Numbers the decisions of the next run from 0.
  void restart() { next_ = 0; }
  std::size_t decisions() const { return next_; }

  /// nearest: as declared. none: no rounding. single: only decision `pushed` moves, by its full
  /// allowance upwards. signs: every decision moves by its full allowance, along `signs`.
  enum class Mode { declared, single, signs } mode = Mode::declared;
  std::size_t pushed = 0;
  std::vector<int> signs;

 private:
  Roundings roundings_;
  std::size_t next_ = 0;
};

}  // namespace deltaproof::simulated
