#include "reference/oracle/hola_scores.hpp"

#include <algorithm>
#include <cmath>

#include "reference/oracle/certificate.hpp"
#include "reference/oracle/enclosure.hpp"
#include "reference/rules/cache_scores.hpp"

// Theorem 9 of docs/certificate.md.

namespace deltaproof {
namespace {

// Tokens whose keys are formed at a time.
constexpr Index piece_tokens = 128;

/// A number that is at least 0, and a bound of its error.
struct Measured {
  double value, radius;
};

Measured times(Measured x, Measured y) {
  const double value = x.value * y.value;
  return {value, outward(x.value * y.radius + x.radius * (y.value + y.radius) + 0x1p-53 * value)};
}

// A quantity within a relative error of the exact one.
Measured with_relative_error(double value, double error) {
  return {value, error == 0 ? 0 : error < 0.5 ? outward(value * (error / (1 - error))) : infinity};
}

// |x|_2 of doubles: squares, sums and the root are at most n + 2 roundings.
Measured norm_of(const double* x, Index n) {
  double sum = 0, largest = 0;
  for (Index i = 0; i < n; ++i) {
    sum += x[i] * x[i];
    largest = std::max(largest, std::abs(x[i]));
  }
  if (largest == 0) return {0, std::isnan(sum) ? infinity : 0};
  if (!(largest <= std::numeric_limits<double>::max())) return {infinity, infinity};
  int exponent = 0;
  if (!(sum > 0x1p-900 && sum < 0x1p1000)) {
    exponent = std::ilogb(largest);
    sum = 0;
    for (Index i = 0; i < n; ++i) sum += std::scalbn(x[i], -exponent) * std::scalbn(x[i], -exponent);
  }
  const double value = std::scalbn(std::sqrt(sum), exponent);
  return {value, outward(value * gamma_bound(static_cast<double>(n) + 2, 0x1p-53))};
}

// Tokens of the head under the rule of its state.
HeadInputs state_piece(const HeadInputs& head, Index begin, Index count) {
  return head.slice(begin, count, Matrix()).state_part();
}

bool needs_keys(CacheScore score) { return score == CacheScore::write_norm || score == CacheScore::beta_v; }

/// The rows of b e or e that a score is made of.
struct WrittenRows {
  const Matrix& value;
  const Matrix& radius;
};

WrittenRows written_rows(const HeadAnswer& answer, CacheScore score) {
  if (score == CacheScore::e) return {answer.e, answer.e_radius};
  return {answer.u, answer.u_radius};
}

class ScoresInDouble {
 public:
  ScoresInDouble(const HeadInputs& head, const HeadAnswer& answer)
      : head_(head), score_(head.options.hola.score), rows_(written_rows(answer, score_)) {
    if (needs_keys(score_)) rounding_ = oracle_rounding(head.state_part(), 53);
  }

  void piece(Index begin, Index count, CacheScores& scores) const {
    std::vector<double> k;
    HeadInputs part;
    if (needs_keys(score_)) {
      part = state_piece(head_, begin, count);
      k = keys<double>(part);
    }
    for (Index i = 0; i < count; ++i) {
      const Measured score = of_token(begin + i, part, i, k.data() + i * head_.K);
      scores.score(begin + i, 0) = score.value;
      scores.radius(begin + i, 0) = score.radius;
    }
  }

 private:
  Measured of_token(Index t, const HeadInputs& part, Index row, const double* k) const {
    if (score_ == CacheScore::recency) return {static_cast<double>(t), 0};
    if (score_ == CacheScore::beta_v) {
      const double b = std::abs(write_coefficient<double>(part, row, k));
      return times(with_relative_error(b, rounding_.b_error), norm_of(head_.v.row(t).data(), head_.V));
    }
    Measured written = norm_of(rows_.value.row(t).data(), head_.V);
    written.radius = outward(written.radius + norm_bound(rows_.radius.row(t).data(), head_.V));
    if (score_ != CacheScore::write_norm) return written;
    Measured key = norm_of(k, head_.K);
    const double lost = static_cast<double>(head_.K) * outward_tiny;  // rows divided by their norm
    key.radius = outward(key.radius + with_relative_error(key.value, rounding_.k_error).radius + lost);
    return times(written, key);
  }

  const HeadInputs& head_;
  CacheScore score_;
  WrittenRows rows_;
  RecurrenceRounding rounding_;
};

Interval interval_of(double value, double radius) {
  const Interval low = Interval(value) - Interval(radius), high = Interval(value) + Interval(radius);
  Interval hull;
  mpfi_union(hull.backend().data(), low.backend().data(), high.backend().data());
  return hull;
}

/// The text of the rule on intervals: no proof but their own.
class ScoresInIntervals {
 public:
  ScoresInIntervals(const HeadInputs& head, const HeadAnswer& answer)
      : precision_(std::max(answer.bits, 113)),
        head_(head),
        score_(head.options.hola.score),
        rows_(written_rows(answer, score_)) {}

  void piece(Index begin, Index count, CacheScores& scores) const {
    const HeadInputs part = state_piece(head_, begin, count);
    const bool with_keys = needs_keys(score_);
    const std::vector<Interval> k = with_keys ? keys<Interval>(part) : std::vector<Interval>(),
                                v = elements<Interval>(part.v);
    for (Index i = 0; i < count; ++i) {
      ScoreParts<Interval> parts;
      parts.k = k.data() + i * head_.K;
      parts.v = v.data() + i * head_.V;
      if (score_ == CacheScore::beta_v) parts.b = write_coefficient<Interval>(part, i, parts.k);
      else if (score_ != CacheScore::recency) parts.written = written(begin + i);
      const Enclosure enclosed = enclose(cache_score(score_, parts, begin + i, head_.K, head_.V));
      scores.score(begin + i, 0) = enclosed.centre;
      scores.radius(begin + i, 0) = enclosed.radius;
    }
  }

 private:
  Interval written(Index t) const {
    std::vector<Interval> row;
    for (Index c = 0; c < head_.V; ++c) row.push_back(interval_of(rows_.value(t, c), rows_.radius(t, c)));
    return euclidean_norm(row.data(), head_.V);
  }

  WorkingPrecision precision_;
  const HeadInputs& head_;
  CacheScore score_;
  WrittenRows rows_;
};

template <class Scores>
void all_pieces(const Scores& of, Index tokens, CacheScores& scores) {
  for (Index begin = 0; begin < tokens; begin += piece_tokens)
    of.piece(begin, std::min(piece_tokens, tokens - begin), scores);
}

}  // namespace

AnswerRequest score_request(AnswerRequest request, CacheScore score) {
  if (score == CacheScore::e) request.e = true;
  if (score == CacheScore::beta_e || score == CacheScore::write_norm) request.u = true;
  return request;
}

CacheScores cache_scores(const HeadInputs& head, const HeadAnswer& state_answer) {
  if (head.options.hola.score == CacheScore::attention)
    throw InputError("the score 'attention' is not fixed when a token is written");
  CacheScores scores{Matrix(head.tokens, 1), Matrix(head.tokens, 1)};
  if (state_answer.route == "double")
    all_pieces(ScoresInDouble(head, state_answer), head.tokens, scores);
  else
    all_pieces(ScoresInIntervals(head, state_answer), head.tokens, scores);
  for (Index t = 0; t < head.tokens; ++t) {
    double &score = scores.score(t, 0), &radius = scores.radius(t, 0);
    if (std::isfinite(score) && radius < infinity) continue;
    if (std::isnan(score)) score = infinity;  // not a double: nothing is known of it
    radius = infinity;
  }
  return scores;
}

}  // namespace deltaproof
