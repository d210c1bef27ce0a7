#include "reference/rules/gsa.hpp"

#include "reference/oracle/captured.hpp"
#include "reference/oracle/kept_states.hpp"
#include "reference/oracle/row_bounds.hpp"
#include "reference/oracle/softmax_radius.hpp"
#include "reference/oracle/system_answers.hpp"

// Theorem 8 of docs/certificate.md: slots are additive recurrences with scalar decay a and write 1
// - a (a slot's key is one column of theorem 3, each element of its value another), read by
// theorem 7.

namespace deltaproof {
namespace {

using namespace certificate;

// a x + (1 - a) y: the token of theorem 3 that does it. 1 - a is rounded once.
Token slot_token(double a, Sized y, const Constants& c) {
  Token token;
  token.alpha = {std::abs(a), 0};
  token.of_decay = c.of_column;
  token.growth = std::abs(a);
  token.b.size = std::abs(1 - a) * (1 + 0x1p-52) + outward_tiny;
  token.b.radius = token.b.size * c.u + c.h;
  token.k = y;
  return token;
}

class Certificate {
 public:
  Certificate(const HeadInputs& head, int bits)
      : head_(head),
        q_(RowBounds::of_queries(head, bits)),
        k_(RowBounds::of_keys(head, bits)),
        rounding_{CoefficientArithmetic(bits).u, CoefficientArithmetic(bits).exp_error},
        of_keys_(
            constants_of(static_cast<double>(head.K), head.options.scale, false, rounding_.u, -1)),
        of_values_(constants_of(1, 1, false, rounding_.u, -1)),
        key_radius(Vector::Zero(head.slots)),
        value_radius(Matrix::Zero(head.slots, head.V)),
        key_norm_(key_norms(head.initial_state)),
        value_size_(head.initial_slot_values.cwiseAbs()) {}

  static Vector key_norms(const Matrix& keys) {
    Vector norms(keys.rows());
    for (Index m = 0; m < keys.rows(); ++m)
      norms[m] = norm_bound(keys.data() + m * keys.cols(), keys.cols());
    return norms;
  }

  /// Sizes of the slots after token t (upper bounds), logits and weights of its read; V radii of
  /// o_t.
  void advance(Index t, const Matrix& keys, const Matrix& values, const std::vector<double>& logits,
               const Vector& weights, double* radius) {
    const double logit_radius = advance_slots(t, key_norms(keys), values);
    const double omega = weight_error(logits, logit_radius, std::nullopt, rounding_);
    const double slots = static_cast<double>(head_.slots);
    for (Index c = 0; c < head_.V; ++c) {
      const double carried = weights.dot(value_radius.col(c)) / (1 - std::min(omega, 0.5));
      // |exact value| <= |computed| + radius: the weights' error multiplies the exact one.
      const Vector sizes = values.col(c) + value_radius.col(c);
      const double mixed = mixing_radius(weights.dot(sizes) * (1 + slots * 0x1p-52),
                                         sizes.maxCoeff(), slots, omega, rounding_);
      const double underflow = 16 * slots * (value_radius.col(c).maxCoeff() + 1) * outward_tiny;
      radius[c] = outward(carried * (1 + slots * 0x1p-52) + mixed + underflow);
    }
  }

 private:
  // Returns the largest radius of a logit.
  double advance_slots(Index t, const Vector& norms, const Matrix& values) {
    const Sized key = k_.row(t, of_keys_.h), query = q_.row(t, of_keys_.h);
    double logit_radius = 0;
    for (Index m = 0; m < head_.slots; ++m) {
      const double a = head_.slot_decay(t, m);
      Token token = slot_token(a, key, of_keys_);
      token.q = query;
      key_radius[m] = finite_or_infinite(
          step<Norms::of_computed_run>(token, {key_norm_[m], norms[m], infinity, 1, key_radius[m]},
                                       of_keys_)
              .state);
      logit_radius = std::max(logit_radius,
                              finite_or_infinite(read(token, norms[m], key_radius[m], of_keys_)));
      for (Index c = 0; c < head_.V; ++c) {
        const Token element = slot_token(a, {std::abs(head_.v(t, c)), 0}, of_values_);
        const Column column{value_size_(m, c), values(m, c), infinity, 1, value_radius(m, c)};
        value_radius(m, c) =
            finite_or_infinite(step<Norms::of_computed_run>(element, column, of_values_).state);
      }
    }
    key_norm_ = norms;
    value_size_ = values;
    return logit_radius;
  }

  const HeadInputs& head_;
  RowBounds q_, k_;
  SoftmaxRounding rounding_;
  Constants of_keys_, of_values_;

 public:
  Vector key_radius;    ///< 2-norm, of each slot's key
  Matrix value_radius;  ///< of each element of the slots' values

 private:
  Vector key_norm_;
  Matrix value_size_;
};

template <class R>
Matrix sizes(const R* values, Index rows, Index columns) {
  Matrix bounds(rows, columns);
  for (Index i = 0; i < bounds.size(); ++i) bounds.data()[i] = size_bound(values[i]);
  return bounds;
}

// A slot's key radius bounds each of its elements; a column of the answer spans all slots.
RowVector key_columns(const Vector& radius, Index K) {
  return RowVector::Constant(K, outward(norm_bound(radius.data(), radius.size())));
}

void prepare(HeadAnswer& answer, const HeadInputs& head, const KeptStates& kept, int bits) {
  const std::size_t count = kept.boundaries().size();
  answer.bits = bits;
  answer.boundaries = kept.boundaries();
  answer.states.assign(count, head.initial_state);
  answer.state_radius.assign(count, RowVector::Zero(head.K));
  answer.slot_values.assign(count, head.initial_slot_values);
  answer.slot_values_radius.assign(count, RowVector::Zero(head.V));
  answer.o.resize(head.tokens, head.V);
  answer.o_radius = Matrix::Zero(head.tokens, head.V);
}

}  // namespace

template <class R>
HeadAnswer gsa_answer(const HeadInputs& head, const AnswerRequest& request, int bits) {
  constexpr bool certified = !std::is_same_v<R, Interval>;
  const Index K = head.K, V = head.V, M = head.slots;
  const KeptStates kept(head.tokens, request.every);
  HeadAnswer answer;
  prepare(answer, head, kept, bits);
  Certificate certificate(head, bits);
  const auto keep = [&](std::size_t slot, const R* keys, const R* values) {
    Matrix key_radius = Matrix::Zero(M, K), value_radius = Matrix::Zero(M, V);
    capture(keys, answer.states[slot], key_radius);
    capture(values, answer.slot_values[slot], value_radius);
    answer.state_radius[slot] =
        certified ? key_columns(certificate.key_radius, K) : column_norm_bounds(key_radius);
    answer.slot_values_radius[slot] =
        column_norm_bounds(certified ? certificate.value_radius : value_radius);
    if (!certified) return;
    finish_column_radius(answer.state_radius[slot], answer.states[slot], conversion_error<R>);
    finish_column_radius(answer.slot_values_radius[slot], answer.slot_values[slot],
                         conversion_error<R>);
  };
  std::vector<R> keys = elements<R>(head.initial_state),
                 values = elements<R>(head.initial_slot_values);
  std::vector<R> o(static_cast<std::size_t>(head.tokens * V));
  gated_slots(head, keys.data(), values.data(), o.data(),
              [&](Index t, const R* k, const R* v, const std::vector<R>& logits,
                  const std::vector<R>& weights) {
                if constexpr (certified) {
                  std::vector<double> z;
                  for (const R& x : logits) z.push_back(to_double(x));
                  certificate.advance(t, sizes(k, M, K), sizes(v, M, V), z,
                                      sizes(weights.data(), M, 1), answer.o_radius.data() + t * V);
                }
                if (kept.slot(t) >= 0) keep(static_cast<std::size_t>(kept.slot(t)), k, v);
              });
  capture(o.data(), answer.o, answer.o_radius);
  if (certified) finish_radius(answer.o_radius, answer.o, conversion_error<R>);
  return answer;
}

template HeadAnswer gsa_answer<double>(const HeadInputs&, const AnswerRequest&, int);
template HeadAnswer gsa_answer<Mpfr>(const HeadInputs&, const AnswerRequest&, int);
template HeadAnswer gsa_answer<Interval>(const HeadInputs&, const AnswerRequest&, int);

}  // namespace deltaproof
