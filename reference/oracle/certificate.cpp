#include "reference/oracle/certificate.hpp"

#include <algorithm>
#include <cmath>

#include "reference/oracle/outward.hpp"

// The bound of docs/certificate.md, theorem 3. Names are those of the page: a pair (size, radius) says
// |exact| <= size and |computed - exact| <= radius, in the 2-norm for columns of the state.

namespace deltaproof {
namespace {

enum class Norms { of_exact_trajectory, of_computed_run };

struct Sized {
  double size, radius;
};

// Product of two computed quantities before it is rounded: lemma 1. What these products lose to
// underflow is put back before anything can magnify it.
inline Sized product(Sized x, Sized y) {
  return {x.size * y.size + outward_tiny,
          x.size * y.radius + x.radius * (y.size + y.radius) + outward_tiny};
}

/// One rounded operation: relative error u, absolute error h near zero (of a whole column: root_K h).
struct Rounding {
  double u, h;
};

inline Sized round(Sized x, Rounding r) { return {x.size, x.radius + r.u * (x.size + x.radius) + r.h}; }

struct Constants {
  double K, root_K, u, h, gamma_dot, gamma_read, scale;
  double residual;          ///< 1, or 0 for the additive rules
  Rounding of_e, of_column; ///< of e (none without a residual), and of a column of the state
};

/// Coefficients of one token with their radii.
struct Token {
  Sized alpha, k, b, q;
  Rounding of_decay{}, of_w{};  ///< zero where the operation is absent or exact
  double bk = 0;            ///< >= r |b_t| |k_t|
  double growth = 1;        ///< >= |M_t D_t|_2
};

// The largest error of a dot product in any order, fused or not: gamma_K |k^| |s^| and its underflows.
Sized dot(Sized x, Sized y, const Constants& c) {
  const Sized exact = product(x, y);
  const double computed = (x.size + x.radius) * (y.size + y.radius);
  return {exact.size, exact.radius + c.gamma_dot * computed + 4 * c.K * c.h};
}

struct Column {
  double s;          ///< >= |S^_{t-1}|
  double state_in;   ///< norms handed in, of S_t (or S^_t) and w_t (or w^_t)
  double w_in;
  double v;          ///< |v_t|
  double rho;        ///< radius of S_{t-1}
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
  const double w_known = norms == Norms::of_exact_trajectory ? x.w_in + fed_back : x.w_in + w.radius;
  w.size = std::min(w.size, w_known);
  const Sized kw = round(product(t.k, w), c.of_column);
  const double before = decayed.radius + kw.radius;
  // The sum itself is rounded once: relative to the exact step's result plus what has gone wrong so far,
  // or, a posteriori, relative to the rounded result.
  const double rounded = norms == Norms::of_exact_trajectory ? x.state_in + carried + before
                                                             : x.state_in * (1 + 2 * c.u);
  const double local = before + c.of_column.u * rounded + c.of_column.h;
  return {(carried + local) * outward_factor + outward_tiny,
          (w.radius + fed_back) * outward_factor + outward_tiny};
}

inline double read(const Token& t, double s, double rho, const Constants& c) {
  const double error = t.q.size * rho + t.q.radius * s + c.gamma_read * (t.q.size + t.q.radius) * s;
  return (c.scale * error + c.h * (4 * c.K * c.scale + c.root_K * s + 4)) * outward_factor + outward_tiny;
}

double finite_or_infinite(double x) { return x <= std::numeric_limits<double>::max() ? x : infinity; }

// One token, all columns. `norm` and `rho` are those of the state, before and then after the token. The
// arrays are distinct: said so that the loop is vectorised.
template <Norms norms>
void step_columns(const Token t, const Constants c, Index columns, const double* __restrict v,
                  const double* __restrict state_in, const double* __restrict w_in,
                  double* __restrict norm, double* __restrict rho, double* __restrict o,
                  double* __restrict u) {
  constexpr double exact = norms == Norms::of_exact_trajectory ? 1 : 0;
  for (Index j = 0; j < columns; ++j) {
    const double s = norm[j] + exact * rho[j];
    const StepRadius r = step<norms>(t, {s, state_in[j], w_in[j], std::abs(v[j]), rho[j]}, c);
    const double after = finite_or_infinite(r.state);
    o[j] = finite_or_infinite(read(t, state_in[j] + exact * after, after, c));
    u[j] = finite_or_infinite(r.u);
    rho[j] = after;
    norm[j] = state_in[j];
  }
}

double underflow_of(const RecurrenceRounding& rounding) {
  const double chosen = rounding.u >= 0x1p-30 ? 0x1p-126 : 0x1p-1074;
  return (rounding.underflow >= 0 ? rounding.underflow : chosen) + outward_tiny;
}

class Certificate {
 public:
  Certificate(const Steps<double>& steps, const RecurrenceRounding& rounding);

  template <Norms norms>
  RecurrenceRadius run(const NormTrace& trace, const RowVector& initial_norm, RowVector rho) const;

 private:
  Token token(Index t) const;
  Sized row(const double* x, double error) const;

  const Steps<double>& steps_;
  RecurrenceRounding rounding_;
  Constants c_{};
  double slack_ = 0;  // relative distance of the coefficients in steps_ from the exact ones
};

Certificate::Certificate(const Steps<double>& steps, const RecurrenceRounding& rounding)
    : steps_(steps), rounding_(rounding) {
  const double K = static_cast<double>(steps.K);
  c_.K = K;
  c_.root_K = std::sqrt(K) * outward_factor;
  c_.u = rounding.u;
  c_.h = underflow_of(rounding);
  c_.gamma_dot = gamma_bound(K, rounding.u);
  c_.gamma_read = gamma_bound(K + 2, rounding.u);
  c_.scale = std::abs(steps.scale);
  c_.residual = steps.residual ? 1 : 0;
  c_.of_e = {c_.residual * c_.u, c_.residual * c_.h};
  c_.of_column = {c_.u, c_.h * c_.root_K};
  slack_ = (4 * K + 64) * 0x1p-53 + rounding.coefficient_error;
  if (!(slack_ < 0.125) || !(rounding.u < 0.125)) slack_ = infinity;
}

Sized Certificate::row(const double* x, double error) const {
  const double size = norm_bound(x, steps_.K) * (1 + slack_) + outward_tiny;
  return {size, error == 0 ? 0 : size * error + c_.h * c_.root_K};
}

Token Certificate::token(Index t) const {
  Token token;
  token.k = row(&steps_.k[static_cast<std::size_t>(t * steps_.K)], rounding_.k_error);
  token.q = row(&steps_.q[static_cast<std::size_t>(t * steps_.K)], rounding_.q_error);
  const double b = steps_.b[static_cast<std::size_t>(t)];
  const bool exact_b = !steps_.residual && b == 1 && rounding_.b_error == 0;
  if (!exact_b) token.of_w = {c_.u, c_.h};
  token.b.size = std::abs(b) * (1 + slack_) + outward_tiny;
  token.b.radius = rounding_.b_error == 0 ? 0 : token.b.size * rounding_.b_error + c_.h;
  token.bk = c_.residual * (token.b.size * token.k.size + outward_tiny);
  double alpha = 1;
  if (steps_.decay != Decay::none) {
    token.of_decay = c_.of_column;
    const Index width = steps_.decay == Decay::scalar ? 1 : steps_.K;
    alpha = 0;
    for (Index i = 0; i < width; ++i) {
      const double a = std::abs(steps_.alpha[static_cast<std::size_t>(t * width + i)]);
      alpha = a <= alpha || std::isnan(alpha) ? alpha : a;
    }
    alpha = alpha * (1 + slack_) + outward_tiny;
    token.alpha = {alpha, alpha * rounding_.exp_error + c_.h};
  } else {
    token.alpha = {1, 0};
  }
  double update = 1;
  if (steps_.residual) {
    // b and |k| are each within the slack, b also within the spacing of subnormal numbers.
    const double k = token.k.size, x = b * k * k;
    const double along_k = std::abs(1 - x) + 8 * slack_ * std::abs(x) + outward_tiny * k * k;
    update = along_k <= 1 ? 1 : along_k;  // a NaN stays
  }
  token.growth = alpha * update;
  return token;
}

template <Norms norms>
RecurrenceRadius Certificate::run(const NormTrace& trace, const RowVector& initial_norm,
                                  RowVector rho) const {
  const Index V = steps_.V, T = steps_.tokens;
  RecurrenceRadius radius{Matrix(T, V), Matrix(T, V), Matrix(T, V)};
  RowVector norm = initial_norm;
  for (Index t = 0; t < T; ++t) {
    const Index row = t * V;
    step_columns<norms>(token(t), c_, V, steps_.v.data() + row, trace.state.data() + row,
                        trace.w.data() + row, norm.data(), rho.data(), radius.o.data() + row,
                        radius.u.data() + row);
    radius.state.row(t) = rho;
  }
  return radius;
}

}  // namespace

RecurrenceRadius recurrence_radius(const Steps<double>& steps, const NormTrace& trace,
                                   const RowVector& initial_norm, const RecurrenceRounding& rounding,
                                   const RowVector& initial_radius) {
  const RowVector rho = initial_radius.size() > 0 ? initial_radius : RowVector::Zero(steps.V).eval();
  return Certificate(steps, rounding).run<Norms::of_exact_trajectory>(trace, initial_norm, rho);
}

RecurrenceRadius recurrence_radius_of_run(const Steps<double>& steps, const NormTrace& computed,
                                          const RowVector& initial_norm,
                                          const RecurrenceRounding& rounding) {
  return Certificate(steps, rounding)
      .run<Norms::of_computed_run>(computed, initial_norm, RowVector::Zero(steps.V));
}

}  // namespace deltaproof
