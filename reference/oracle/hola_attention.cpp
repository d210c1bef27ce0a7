#include <algorithm>

#include "reference/oracle/hola_read.hpp"
#include "reference/oracle/hola_read_radius.hpp"
#include "reference/oracle/hola_sets.hpp"

// The score `attention`: theorem 10 of docs/certificate.md.

namespace deltaproof {
namespace {

/// Follows the scores' radii through a run.
template <class R>
class AttentionRadii {
 public:
  AttentionRadii(const HeadInputs& head, int bits)
      : certificate_(head, bits), w_(head.options.hola.cache_size), mixed_(Vector::Zero(head.tokens)),
        summed_(gamma_bound(static_cast<double>(head.tokens) + 1, std::ldexp(1.0, -bits))) {
    answer.score = answer.radius = Matrix::Zero(head.tokens, 1);
  }

  void query(const BlockView<R>& view, Index i, const std::vector<R>& logits, const std::vector<R>& weights) {
    if constexpr (!std::is_same_v<R, Interval>) {
      if (i == 0) certificate_.enter(view);
      std::vector<double> z;
      for (const R& x : logits) z.push_back(to_double(x));
      const double error = certificate_.weight_error_of(i, z);
      const double relative = error < 0.5 ? error / (1 - error) : infinity;
      for (std::size_t j = 0; j < weights.size(); ++j)
        mixed_[view.tokens[j]] += relative == infinity ? infinity : size_bound(weights[j]) * relative + outward_tiny;
    }
  }

  void block_end(const BlockView<R>& view, const std::vector<R>& scores) {
    answer.certain.push_back(certain_);  // of the set that this block saw
    std::vector<Ranked> entries;
    for (const Index t : view.tokens) {
      measure(t, scores[static_cast<std::size_t>(t)]);
      entries.push_back({answer.score(t, 0), t});
    }
    const std::vector<Index> kept = tokens_of(best_of(entries, w_));
    Separation separation;
    for (const Index t : view.tokens) {
      const double score = answer.score(t, 0), radius = answer.radius(t, 0);
      if (std::ranges::binary_search(kept, t)) separation.keep(t, lowest_score(score, radius));
      else separation.leave(t, highest_score(score, radius));
    }
    certain_ = certain_ && separation.holds();
  }

  AttentionAnswer answer;

 private:
  void measure(Index t, const R& score) {
    if constexpr (std::is_same_v<R, Interval>) {
      const Enclosure enclosed = enclose(score);
      answer.score(t, 0) = enclosed.centre;
      answer.radius(t, 0) = enclosed.radius;
    } else {
      const double size = size_bound(score);
      answer.score(t, 0) = to_double(score);
      // Sums of at most `tokens` weights, here and there.
      answer.radius(t, 0) = outward((mixed_[t] + summed_ * size) * (1 + 2 * summed_) + 0x1p-53 * size);
    }
  }

  ReadCertificate certificate_;
  Index w_;
  Vector mixed_;  ///< bound of the weights' errors so far
  double summed_;
  bool certain_ = true;
};

}  // namespace

template <class R>
AttentionAnswer attention_answer(const HeadInputs& head, int bits) {
  AttentionRadii<R> radii(head, bits);
  AttentionCache<R> cache;
  std::vector<R> o(static_cast<std::size_t>(head.tokens * head.V));
  cache.run(
      head, o.data(),
      [&](const BlockView<R>& view, Index i, const std::vector<R>& z, const std::vector<R>& w) {
        radii.query(view, i, z, w);
      },
      [&](const BlockView<R>& view, const std::vector<R>& scores) { radii.block_end(view, scores); });
  radii.answer.sets = std::move(cache.sets);
  return std::move(radii.answer);
}

template AttentionAnswer attention_answer<double>(const HeadInputs&, int);
template AttentionAnswer attention_answer<Mpfr>(const HeadInputs&, int);
template AttentionAnswer attention_answer<Interval>(const HeadInputs&, int);

}  // namespace deltaproof
