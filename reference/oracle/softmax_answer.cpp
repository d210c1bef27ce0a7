#include "reference/rules/softmax.hpp"

#include "reference/oracle/captured.hpp"
#include "reference/oracle/row_bounds.hpp"
#include "reference/oracle/softmax_radius.hpp"
#include "reference/oracle/system_answers.hpp"

// Theorem 7 of docs/certificate.md.

namespace deltaproof {
namespace {

using namespace certificate;

class Certificate {
 public:
  Certificate(const HeadInputs& head, int bits)
      : head_(head),
        q_(RowBounds::of_queries(head, bits)),
        k_(RowBounds::of_keys(head, bits)),
        rounding_{CoefficientArithmetic(bits).u, CoefficientArithmetic(bits).exp_error},
        c_(constants_of(static_cast<double>(head.K), head.options.scale, false, rounding_.u, -1)),
        value_sizes_(head.v.cwiseAbs()),
        largest_value_(RowVector::Zero(head.V)) {}

  /// Radii of o_t (V values) from the logits and weights of the run, rounded to double, upwards for
  /// weights.
  void advance(Index t, const std::vector<double>& logits, const Vector& weights, double* radius) {
    const Sized k = k_.row(t, c_.h);
    largest_key_ = {std::max(largest_key_.size, k.size), std::max(largest_key_.radius, k.radius)};
    const Sized computed_dot = dot(q_.row(t, c_.h), largest_key_, c_);
    const double size = computed_dot.size + computed_dot.radius;
    const double logit_radius = outward(c_.scale * (computed_dot.radius + 2 * c_.u * size) +
                                        4 * c_.h * (1 + c_.K * c_.scale));
    const double omega = weight_error(logits, logit_radius, head_.sink, rounding_);
    largest_value_ = largest_value_.cwiseMax(value_sizes_.row(t));
    const RowVector mixed = weights.transpose() * value_sizes_.topRows(t + 1);
    const double count = static_cast<double>(t + 1);
    for (Index c = 0; c < head_.V; ++c)
      radius[c] = mixing_radius(mixed[c] * (1 + count * 0x1p-52), largest_value_[c], count, omega,
                                rounding_);
  }

 private:
  const HeadInputs& head_;
  RowBounds q_, k_;
  SoftmaxRounding rounding_;
  Constants c_;
  Sized largest_key_{0, 0};
  Matrix value_sizes_;
  RowVector largest_value_;
};

}  // namespace

template <class R>
HeadAnswer softmax_answer(const HeadInputs& head, const AnswerRequest&, int bits) {
  constexpr bool certified = !std::is_same_v<R, Interval>;
  HeadAnswer answer;
  answer.bits = bits;
  answer.o.resize(head.tokens, head.V);
  answer.o_radius = Matrix::Zero(head.tokens, head.V);
  Certificate certificate(head, bits);
  std::vector<R> o(static_cast<std::size_t>(head.tokens * head.V));
  softmax_attention(head, o.data(),
                    [&](Index t, const std::vector<R>& logits, const std::vector<R>& weights) {
                      if constexpr (certified) {
                        std::vector<double> z;
                        for (const R& x : logits) z.push_back(to_double(x));
                        Vector w(t + 1);
                        for (Index j = 0; j <= t; ++j)
                          w[j] = size_bound(weights[static_cast<std::size_t>(j)]);
                        certificate.advance(t, z, w, answer.o_radius.data() + t * head.V);
                      }
                    });
  capture(o.data(), answer.o, answer.o_radius);
  if (certified) finish_radius(answer.o_radius, answer.o, conversion_error<R>);
  return answer;
}

template HeadAnswer softmax_answer<double>(const HeadInputs&, const AnswerRequest&, int);
template HeadAnswer softmax_answer<Mpfr>(const HeadInputs&, const AnswerRequest&, int);
template HeadAnswer softmax_answer<Interval>(const HeadInputs&, const AnswerRequest&, int);

}  // namespace deltaproof
