#pragma once

#include <algorithm>
#include <cmath>

#include "reference/oracle/outward.hpp"

/// One token of one column, in sizes and radii (docs/certificate.md, lemma 1 to theorem 3).
namespace deltaproof::certificate {

/// Whose norms a certificate is given (theorems 2 and 3).
enum class Norms { of_exact_trajectory, of_computed_run };

/// |exact| <= size and |computed - exact| <= radius; 2-norms for columns of the state.
struct Sized {
  double size, radius;
};

// Product of two computed quantities before it is rounded: lemma 1. What these products lose to
// underflow is put back before anything can magnify it.
inline Sized product(Sized x, Sized y) {
  return {x.size * y.size + outward_tiny,
          x.size * y.radius + x.radius * (y.size + y.radius) + outward_tiny};
}

/// One rounded operation: relative error u, absolute error h near zero (of a whole column: root_K
/// h).
struct Rounding {
  double u, h;
};

inline Sized round(Sized x, Rounding r) {
  return {x.size, x.radius + r.u * (x.size + x.radius) + r.h};
}

struct Constants {
  double K, root_K, u, h, gamma_dot, gamma_read, scale;
  double residual;           ///< 1, or 0 for the additive rules
  Rounding of_e, of_column;  ///< of e (none without a residual), and of a column of the state
};

/// Coefficients of one token with their radii.
struct Token {
  Sized alpha, k, b, q;
  Rounding of_decay{}, of_w{};  ///< zero where the operation is absent or exact
  double bk = 0;                ///< >= r |b_t| |k_t|
  double growth = 1;            ///< >= |M_t D_t|_2
};

// The largest error of a dot product in any order, fused or not: gamma_K |k^| |s^| and its
// underflows.
inline Sized dot(Sized x, Sized y, const Constants& c) {
  const Sized exact = product(x, y);
  const double computed = (x.size + x.radius) * (y.size + y.radius);
  return {exact.size, exact.radius + c.gamma_dot * computed + 4 * c.K * c.h};
}

struct Column {
  double s;         ///< >= |S^_{t-1}|
  double state_in;  ///< norms handed in, of S_t (or S^_t) and w_t (or w^_t)
  double w_in;
  double v;    ///< |v_t|
  double rho;  ///< radius of S_{t-1}
};

struct StepRadius {
  double state, u;
};

// No branches: the loop over columns is to be vectorised.
template <Norms norms>
inline StepRadius step(const Token& t, const Column& x, const Constants& c) {
  const double carried = t.growth * x.rho;
  const Sized decayed = round(product(t.alpha, {x.s, 0}), t.of_decay);
  const Sized p = dot(t.k, decayed, c);
  const Sized e = round({x.v + c.residual * p.size, c.residual * p.radius}, c.of_e);
  // What the error of S_{t-1} does to w.
  const double fed_back = t.bk * (t.alpha.size * x.rho + outward_tiny);
  Sized w = round(product(t.b, e), t.of_w);
  const double w_known =
      norms == Norms::of_exact_trajectory ? x.w_in + fed_back : x.w_in + w.radius;
  w.size = std::min(w.size, w_known);
  const Sized kw = round(product(t.k, w), c.of_column);
  // The last term: a kernel that forms b k first may lose h of each product, times e.
  const double before = decayed.radius + kw.radius + c.of_column.h * (e.size + e.radius);
  // The sum itself is rounded once: relative to the exact step's result plus what has gone wrong so
  // far, or, a posteriori, relative to the rounded result.
  const double rounded = norms == Norms::of_exact_trajectory ? x.state_in + carried + before
                                                             : x.state_in * (1 + 2 * c.u);
  const double local = before + c.of_column.u * rounded + c.of_column.h;
  return {(carried + local) * outward_factor + outward_tiny,
          (w.radius + fed_back) * outward_factor + outward_tiny};
}

// |o^ - o| for a state of size `s` as computed, with radius rho.
inline double read(const Token& t, double s, double rho, const Constants& c) {
  const double error = t.q.size * rho + t.q.radius * s + c.gamma_read * (t.q.size + t.q.radius) * s;
  return (c.scale * error + c.h * (4 * c.K * c.scale + c.root_K * s + 4)) * outward_factor +
         outward_tiny;
}

inline double finite_or_infinite(double x) {
  return x <= std::numeric_limits<double>::max() ? x : infinity;
}

/// `underflow`: as in RecurrenceRounding; negative chooses by u.
inline Constants constants_of(double K, double scale, bool residual, double u, double underflow) {
  const double chosen = u >= 0x1p-30 ? 0x1p-126 : 0x1p-1074;
  Constants c;
  c.K = K;
  c.root_K = std::sqrt(K) * outward_factor;
  c.u = u;
  c.h = (underflow >= 0 ? underflow : chosen) + outward_tiny;
  c.gamma_dot = gamma_bound(K, u);
  c.gamma_read = gamma_bound(K + 2, u);
  c.scale = std::abs(scale);
  c.residual = residual ? 1 : 0;
  c.of_e = {c.residual * c.u, c.residual * c.h};
  c.of_column = {c.u, c.h * c.root_K};
  return c;
}

}  // namespace deltaproof::certificate
