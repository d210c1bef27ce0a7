#pragma once

#include <algorithm>
#include <cmath>

#include "reference/oracle/outward.hpp"

/// One token of one column, in sizes and radii (docs/certificate.md, lemma 1 to theorem 3).
namespace deltaproof::certificate {

/// Whose norms a certificate is given: of the exact trajectory for a step evaluated in any of the
/// ways of lemma 4 (theorem 2), or of the computed run for the order of the code (theorem 3).
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
  double K, root_K, u, h, gamma_dot, gamma_step, gamma_read, scale;
  double residual;           ///< 1, or 0 for the additive rules
  Rounding of_e, of_column;  ///< of e (none without a residual), and of a column of the state
};

/// Coefficients of one token with their radii.
struct Token {
  Sized alpha, k, b, q;
  Rounding of_decay{}, of_w{};  ///< zero where the operation is absent or exact
  double bk = 0;                ///< >= r |b_t| |k_t|
  double growth = 1;            ///< >= |M_t D_t|_2
  double loss = 0;              ///< lemma 4: what underflow may cost w, per unit of 1 + |s| + |v|
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
  double e = infinity;  ///< of the residual; lemma 4 does not bound it
};

// What the error of S_{t-1} does to w.
inline double fed_back(const Token& t, const Column& x) {
  return t.bk * (t.alpha.size * x.rho + outward_tiny);
}

inline StepRadius outwards(double state, double u) {
  return {state * outward_factor + outward_tiny, u * outward_factor + outward_tiny};
}

// Lemma 3: the order of the code. No branches, here and below: the loop over columns is to be
// vectorised.
inline StepRadius step_in_order(const Token& t, const Column& x, const Constants& c) {
  const double carried = t.growth * x.rho;
  const Sized decayed = round(product(t.alpha, {x.s, 0}), t.of_decay);
  const Sized p = dot(t.k, decayed, c);
  const Sized e = round({x.v + c.residual * p.size, c.residual * p.radius}, c.of_e);
  Sized w = round(product(t.b, e), t.of_w);
  w.size = std::min(w.size, x.w_in + w.radius);
  const Sized kw = round(product(t.k, w), c.of_column);
  const double before = decayed.radius + kw.radius + c.of_column.h * (e.size + e.radius);
  // The sum itself is rounded once, relative to the rounded result.
  const double local = before + c.of_column.u * x.state_in * (1 + 2 * c.u) + c.of_column.h;
  StepRadius radius = outwards(carried + local, w.radius + fed_back(t, x));
  const double e_fed_back = c.residual * t.k.size * (t.alpha.size * x.rho + outward_tiny);
  radius.e = (e.radius + e_fed_back) * outward_factor + outward_tiny;
  return radius;
}

// Lemma 4: any evaluation of the step's terms. Errors of the coefficients act on sums, where terms
// may cancel; roundings act on each term by itself.
inline StepRadius step_in_any_order(const Token& t, const Column& x, const Constants& c) {
  const double carried = t.growth * x.rho, from_state = fed_back(t, x);
  // NaN where the trajectory is not finite: nothing is certified from there on.
  const double unknown = 0 * (x.state_in + x.w_in);
  const Sized decayed = product(t.alpha, {x.s, 0});
  const Sized p = product(t.k, decayed);
  const Sized w = product(t.b, {x.v + c.residual * p.size, c.residual * p.radius});
  const double w_terms = w.size + w.radius;
  const double write_terms = (t.k.size + t.k.radius) * w_terms;
  const Sized kw = product(t.k, {std::min(w.size, x.w_in + from_state), w.radius});
  const double lost = t.loss * (1 + x.s + x.v);
  const double rounded = c.gamma_step * (decayed.size + decayed.radius + write_terms);
  const double local = decayed.radius + kw.radius + rounded + c.root_K * lost;
  return outwards(carried + local + unknown, from_state + w.radius + c.gamma_step * w_terms + lost);
}

template <Norms norms>
inline StepRadius step(const Token& t, const Column& x, const Constants& c) {
  if constexpr (norms == Norms::of_exact_trajectory) return step_in_any_order(t, x, c);
  return step_in_order(t, x, c);
}

// Of a token whose sizes are known, for step_in_any_order: at most 12 K operations an element, each
// followed by less than the other factors and a factor 2 of roundings.
inline double loss_of(const Token& t, const Constants& c) {
  const double k = 1 + t.k.size + t.k.radius;
  return 24 * c.K * c.h * k * (1 + t.alpha.size + t.alpha.radius) * (1 + t.b.size + t.b.radius) *
         k * outward_factor;
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
  c.gamma_step = gamma_bound(residual ? K + 6 : 4, u);
  c.gamma_read = gamma_bound(K + 2, u);
  c.scale = std::abs(scale);
  c.residual = residual ? 1 : 0;
  c.of_e = {c.residual * c.u, c.residual * c.h};
  c.of_column = {c.u, c.h * c.root_K};
  return c;
}

}  // namespace deltaproof::certificate
