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

struct Constants {
  double K, root_K, u, h, gamma_dot, gamma_read, scale;
  bool residual;
};

/// Coefficients of one token with their radii.
struct Token {
  Sized alpha, k, b, q;
  bool decays = false, exact_b = false;
  double bk = 0;      ///< >= |b_t| |k_t|
  double growth = 1;  ///< >= |M_t D_t|_2
};

Sized round(Sized x, const Constants& c, double root_count) {
  return {x.size, x.radius + c.u * (x.size + x.radius) + c.h * root_count};
}

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

template <Norms norms>
inline StepRadius step(const Token& t, const Column& x, const Constants& c) {
  const double carried = t.growth * x.rho;
  Sized decayed{x.s, 0};
  if (t.decays) decayed = round(product(t.alpha, decayed), c, c.root_K);
  Sized e{x.v, 0};
  double fed_back = 0;  // error of w through the error of S_{t-1}
  if (c.residual) {
    const Sized p = dot(t.k, decayed, c);
    e = round({x.v + p.size, p.radius}, c, 1);
    fed_back = t.bk * (t.alpha.size * x.rho + outward_tiny);
  }
  Sized w = e;
  if (!t.exact_b) w = round(product(t.b, e), c, 1);
  const double w_known = norms == Norms::of_exact_trajectory ? x.w_in + fed_back : x.w_in + w.radius;
  w.size = std::min(w.size, w_known);
  const Sized kw = round(product(t.k, w), c, c.root_K);
  const double before = decayed.radius + kw.radius;
  // The sum itself is rounded once: relative to the exact step's result plus what has gone wrong so far,
  // or, a posteriori, relative to the rounded result.
  const double rounded = norms == Norms::of_exact_trajectory ? x.state_in + carried + before
                                                             : x.state_in * (1 + 2 * c.u);
  const double local = before + c.u * rounded + c.h * c.root_K;
  return {(carried + local) * outward_factor + outward_tiny,
          (w.radius + fed_back) * outward_factor + outward_tiny};
}

inline double read(const Token& t, double s, double rho, const Constants& c) {
  const double error = t.q.size * rho + t.q.radius * s + c.gamma_read * (t.q.size + t.q.radius) * s;
  return (c.scale * error + c.h * (4 * c.K * c.scale + c.root_K * s + 4)) * outward_factor + outward_tiny;
}

double finite_or_infinite(double x) { return x <= std::numeric_limits<double>::max() ? x : infinity; }

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
  c_.residual = steps.residual;
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
  token.exact_b = !steps_.residual && b == 1 && rounding_.b_error == 0;
  token.b.size = std::abs(b) * (1 + slack_) + outward_tiny;
  token.b.radius = rounding_.b_error == 0 ? 0 : token.b.size * rounding_.b_error + c_.h;
  token.bk = token.b.size * token.k.size + outward_tiny;
  double alpha = 1;
  if (steps_.decay != Decay::none) {
    token.decays = true;
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
  const bool exact = norms == Norms::of_exact_trajectory;
  RowVector norm = initial_norm;
  for (Index t = 0; t < T; ++t) {
    const Token token = this->token(t);
    const double* v = &steps_.v[static_cast<std::size_t>(t * V)];
    const double* state_in = trace.state.data() + t * V;
    const double* w_in = trace.w.data() + t * V;
    double* state = radius.state.data() + t * V;
    double* o = radius.o.data() + t * V;
    double* u = radius.u.data() + t * V;
    for (Index j = 0; j < V; ++j) {
      const double s = exact ? norm[j] + rho[j] : norm[j];
      const StepRadius r = step<norms>(token, {s, state_in[j], w_in[j], std::abs(v[j]), rho[j]}, c_);
      rho[j] = finite_or_infinite(r.state);
      norm[j] = state_in[j];
      state[j] = rho[j];
      u[j] = finite_or_infinite(r.u);
      o[j] = finite_or_infinite(read(token, exact ? norm[j] + rho[j] : norm[j], rho[j], c_));
    }
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
