// Scores of HOLA's entries as the built-in kernels form them, and the sets that they choose.
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "reference/arithmetic/formed.hpp"
#include "reference/arithmetic/hola_bits.hpp"
#include "reference/arithmetic/warp_dot.hpp"

namespace deltaproof {
namespace {

float size_of(const MatrixF& rows, Index t) {
  if (t >= rows.rows()) throw std::logic_error("the state path gives no rows for the score");
  return std::sqrt(warp_square_sum(rows.row(t)));
}

// |k| of a key as it is written, from the row handed in: normalised if the kernel does so.
float written_key_size(const HeadInputs& in, Index t) {
  const float n = warp_square_sum(in.k.row(t).cast<float>());
  const L2Norm norm = in.options.qk_l2norm;
  const float size = std::sqrt(n);
  if (norm != L2Norm::k && norm != L2Norm::both) return size;
  return size * (1.0f / std::sqrt(n + static_cast<float>(in.options.qk_l2norm_eps)));
}

// A zero key writes nothing, though the sum of squares of what it would write may have overflowed.
float write_norm(float written, float key) { return key == 0 ? 0 : written * key; }

float score_of(const HolaHead& head, Index t) {
  const HeadInputs& in = head.inputs;
  switch (in.options.hola.score) {
    case CacheScore::beta_e: return size_of(head.state.written, t);
    case CacheScore::write_norm: return write_norm(size_of(head.state.written, t), written_key_size(in, t));
    case CacheScore::e: return size_of(head.state.residual, t);
    case CacheScore::beta_v: return hola_write_size(in, t) * std::sqrt(warp_square_sum(in.v.row(t).cast<float>()));
    case CacheScore::recency: return static_cast<float>(t);
    case CacheScore::attention: break;
  }
  throw std::logic_error("a score that no built-in kernel of this state path forms");
}

}  // namespace

float hola_write_size(const HeadInputs& in, Index t) {
  Options options = in.options;
  options.rule = options.hola.state_rule;
  const float k = written_key_size(in, t);
  const float w = in.write.size() == 0 ? 1.0f : static_cast<float>(in.write(t, 0));
  return std::abs(formed_write(options, w, k * k));
}

std::vector<float> hola_scores(const HolaHead& head) {
  std::vector<float> scores;
  for (Index t = 0; t < head.inputs.tokens; ++t) scores.push_back(score_of(head, t));
  return scores;
}

void refuse_nan_score(const HolaHead& head) {
  for (std::size_t t = 0; t < head.scores.size(); ++t) {
    if (!std::isnan(head.scores[t])) continue;
    throw UnrankedScore(
        fmt::format("the score of token {} of head {} of sequence {} is NaN", t, head.head, head.sequence));
  }
}

CacheSets hola_rows(const HolaHead& head) {
  const HolaOptions& hola = head.inputs.options.hola;
  const Index tokens = head.inputs.tokens;
  CacheSets rows;
  std::vector<Ranked> kept;
  for (Index begin = 0; begin < tokens; begin += hola.cache_block) {
    std::vector<Index>& row = rows.emplace_back();
    for (const Ranked& entry : kept) row.push_back(entry.token);
    const Index end = std::min<Index>(begin + hola.cache_block, tokens);
    for (Index t = begin; t < end; ++t) kept.push_back({head.scores[static_cast<std::size_t>(t)], t});
    kept = best_of(std::move(kept), hola.cache_size);
  }
  return rows;
}

}  // namespace deltaproof
