#include "reference/rules/longhorn.hpp"

#include "reference/oracle/captured.hpp"
#include "reference/oracle/kept_states.hpp"
#include "reference/oracle/row_bounds.hpp"
#include "reference/oracle/system_answers.hpp"

// Theorem 6 of docs/certificate.md: each column is a linear recurrence with the diagonal factor
// f_i = 1 - d k_i^2, so one step is that of the update family with per-channel decay f and no
// residual.

namespace deltaproof {
namespace {

using namespace certificate;

double largest_d_error(const HeadInputs& head, const RowBounds& keys, int bits) {
  const CoefficientArithmetic arithmetic(bits);
  double worst = 0;
  for (Index t = 0; t < head.tokens; ++t) {
    const double square = square_sum(keys.values(t), head.K);
    for (Index j = 0; j < head.V; ++j) {
      const double error =
          affine_square_error(1, head.write(t, j), square, head.K, keys.error(), arithmetic);
      worst = std::max(worst, error <= infinity ? error : infinity);
    }
  }
  return quotient_error(worst, 2, arithmetic);
}

/// Radii of one run, token after token.
class Certificate {
 public:
  Certificate(const HeadInputs& head, int bits)
      : head_(head),
        q_(RowBounds::of_queries(head, bits)),
        k_(RowBounds::of_keys(head, bits)),
        d_error_(largest_d_error(head, k_, bits)),
        slack_(k_.slack() + 2 * largest_d_error(head, RowBounds::of_keys(head, 53), 53)),
        c_(constants_of(static_cast<double>(head.K), head.options.scale, false,
                        CoefficientArithmetic(bits).u, -1)),
        rho(RowVector::Zero(head.V)),
        norm_(column_norm_bounds(head.initial_state)) {}

  /// `norms`: of the columns of the state after token t; `o`: V radii of the read-out.
  void advance(Index t, const RowVector& norms, double* o) {
    const Sized k = k_.row(t, c_.h), q = q_.row(t, c_.h);
    double largest = 0;
    for (Index i = 0; i < head_.K; ++i) largest = std::max(largest, std::abs(k_.values(t)[i]));
    const double square = square_sum(k_.values(t), head_.K);
    for (Index j = 0; j < head_.V; ++j) {
      const double beta = head_.write(t, j);
      Token token = column_token(beta / (1 + beta * square), largest * (1 + slack_) + outward_tiny);
      token.k = k;
      token.q = q;
      const StepRadius r = step<Norms::of_computed_run>(
          token, {norm_[j], norms[j], infinity, std::abs(head_.v(t, j)), rho[j]}, c_);
      rho[j] = finite_or_infinite(r.state);
      o[j] = finite_or_infinite(read(token, norms[j], rho[j], c_));
    }
    norm_ = norms;
  }

 private:
  // f = 1 - d k^2 with three roundings in d k^2 beyond those of d and k, and one in the difference.
  Token column_token(double d, double largest_k) const {
    Token token;
    token.b.size = std::abs(d) * (1 + slack_) + outward_tiny;
    token.b.radius = token.b.size * d_error_ + c_.h;
    token.of_w = {c_.u, c_.h};
    const double x = token.b.size * largest_k * largest_k;
    const double furthest = std::abs(1 - d * largest_k * largest_k) + 8 * slack_ * x +
                            outward_tiny * largest_k * largest_k;
    token.growth = furthest <= 1 ? 1 : furthest;
    const double ek = k_.error(), e = (1 + ek) * (1 + ek) * (1 + d_error_);
    // (1 + ek)^2 (1 + ed) (1 + u)^2 - 1, without the cancellation.
    const double relative = ek * (2 + ek) * (1 + d_error_) + d_error_ + c_.u * (2 + c_.u) * e;
    const double absolute = 8 * c_.h * (1 + token.b.size + largest_k * largest_k);
    const double before = x * relative + absolute;
    token.alpha = {token.growth, before + c_.u * (token.growth + before) + c_.h};
    token.of_decay = c_.of_column;
    return token;
  }

  const HeadInputs& head_;
  RowBounds q_, k_;
  double d_error_, slack_;
  Constants c_;

 public:
  RowVector rho;  ///< radius of each column of the state so far

 private:
  RowVector norm_;
};

}  // namespace

template <class R>
HeadAnswer longhorn_answer(const HeadInputs& head, const AnswerRequest& request, int bits) {
  constexpr bool certified = !std::is_same_v<R, Interval>;
  const Index T = head.tokens, K = head.K, V = head.V;
  const KeptStates kept(T, request.every);
  HeadAnswer answer;
  answer.bits = bits;
  answer.boundaries = kept.boundaries();
  answer.states.assign(answer.boundaries.size(), head.initial_state);
  answer.state_radius.assign(answer.boundaries.size(), RowVector::Zero(V));
  answer.o.resize(T, V);
  answer.o_radius = Matrix::Zero(T, V);
  Certificate certificate(head, bits);
  std::vector<R> state = elements<R>(head.initial_state), o(static_cast<std::size_t>(T * V));
  longhorn(head, state.data(), o.data(), [&](Index t, const R* S) {
    if constexpr (certified)
      certificate.advance(t, column_sizes(S, K, V), answer.o_radius.data() + t * V);
    if (kept.slot(t) < 0) return;
    const std::size_t slot = static_cast<std::size_t>(kept.slot(t));
    Matrix radius = Matrix::Zero(K, V);
    capture(S, answer.states[slot], radius);
    answer.state_radius[slot] = certified ? certificate.rho : column_norm_bounds(radius);
    if (certified)
      finish_column_radius(answer.state_radius[slot], answer.states[slot], conversion_error<R>);
  });
  capture(o.data(), answer.o, answer.o_radius);
  if (certified) finish_radius(answer.o_radius, answer.o, conversion_error<R>);
  return answer;
}

template HeadAnswer longhorn_answer<double>(const HeadInputs&, const AnswerRequest&, int);
template HeadAnswer longhorn_answer<Mpfr>(const HeadInputs&, const AnswerRequest&, int);
template HeadAnswer longhorn_answer<Interval>(const HeadInputs&, const AnswerRequest&, int);

}  // namespace deltaproof
