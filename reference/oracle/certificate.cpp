#include "reference/oracle/certificate.hpp"

#include <algorithm>
#include <cmath>

#include "reference/oracle/column_step.hpp"

// Theorems 2 and 3 of docs/certificate.md.

namespace deltaproof {
namespace {

using namespace certificate;

// One token, all columns. `norm` and `rho` are those of the state, before and then after the token.
// The arrays are distinct: said so that the loop is vectorised.
template <Norms norms>
void step_columns(const Token t, const Constants c, Index columns, const double* __restrict v,
                  const double* __restrict state_in, const double* __restrict w_in,
                  double* __restrict norm, double* __restrict rho, double* __restrict o,
                  double* __restrict u, double* __restrict e) {
  constexpr double exact = norms == Norms::of_exact_trajectory ? 1 : 0;
  for (Index j = 0; j < columns; ++j) {
    const double s = norm[j] + exact * rho[j];
    const StepRadius r = step<norms>(t, {s, state_in[j], w_in[j], std::abs(v[j]), rho[j]}, c);
    const double after = finite_or_infinite(r.state);
    o[j] = finite_or_infinite(read(t, state_in[j] + exact * after, after, c));
    u[j] = finite_or_infinite(r.u);
    e[j] = finite_or_infinite(r.e);
    rho[j] = after;
    norm[j] = state_in[j];
  }
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
  c_ = constants_of(K, steps.scale, steps.residual, rounding.u, rounding.underflow);
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
  token.loss = loss_of(token, c_);
  return token;
}

template <Norms norms>
RecurrenceRadius Certificate::run(const NormTrace& trace, const RowVector& initial_norm,
                                  RowVector rho) const {
  const Index V = steps_.V, T = steps_.tokens;
  RecurrenceRadius radius{Matrix(T, V), Matrix(T, V), Matrix(T, V), Matrix(T, V)};
  RowVector norm = initial_norm;
  for (Index t = 0; t < T; ++t) {
    const Index row = t * V;
    step_columns<norms>(token(t), c_, V, steps_.v.data() + row, trace.state.data() + row,
                        trace.w.data() + row, norm.data(), rho.data(), radius.o.data() + row,
                        radius.u.data() + row, radius.e.data() + row);
    radius.state.row(t) = rho;
  }
  return radius;
}

RowVector or_zero(const RowVector& radius, Index V) {
  return radius.size() > 0 ? radius : RowVector::Zero(V).eval();
}

}  // namespace

RecurrenceRadius recurrence_radius(const Steps<double>& steps, const NormTrace& trace,
                                   const RowVector& initial_norm,
                                   const RecurrenceRounding& rounding,
                                   const RowVector& initial_radius) {
  return Certificate(steps, rounding)
      .run<Norms::of_exact_trajectory>(trace, initial_norm, or_zero(initial_radius, steps.V));
}

RecurrenceRadius recurrence_radius_of_run(const Steps<double>& steps, const NormTrace& computed,
                                          const RowVector& initial_norm,
                                          const RecurrenceRounding& rounding,
                                          const RowVector& initial_radius) {
  return Certificate(steps, rounding)
      .run<Norms::of_computed_run>(computed, initial_norm, or_zero(initial_radius, steps.V));
}

}  // namespace deltaproof
