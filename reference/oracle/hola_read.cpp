#include "reference/oracle/hola_read.hpp"

#include <algorithm>

#include "reference/oracle/hola_read_radius.hpp"
#include "reference/oracle/hola_sets.hpp"
#include "reference/rules/hola.hpp"

// Theorem 10 of docs/certificate.md.

namespace deltaproof {
namespace {

template <class R>
inline constexpr bool certified = !std::is_same_v<R, Interval>;

const std::vector<double>& in_double(const std::vector<double>& x) { return x; }
template <class R>
std::vector<double> in_double(const std::vector<R>& x) {
  std::vector<double> result;
  for (const R& value : x) result.push_back(to_double(value));
  return result;
}

template <class R>
Vector size_bounds(const std::vector<R>& x) {
  Vector result(static_cast<Index>(x.size()));
  for (Index i = 0; i < result.size(); ++i) result[i] = size_bound(x[static_cast<std::size_t>(i)]);
  return result;
}

/// A block of reads, gated, with radii.
template <class R>
class ReadRun {
 public:
  ReadRun(const HeadInputs& head, int bits)
      : head_(head), certificate_(head, bits), gate_(sigmoid<R>(head.cache_gate)),
        gate_bound_(sigmoid_bound(head.cache_gate, bits)), u_(std::ldexp(1.0, -bits)) {
    require_cache_inputs(head);
  }

  CacheReadAnswer block(Index n, const std::vector<Index>& set) {
    const BlockView<R> view = block_view<R>(head_, n, set);
    CacheReadAnswer answer{Matrix(view.count, head_.V), Matrix::Zero(view.count, head_.V)};
    std::vector<R> o(static_cast<std::size_t>(answer.o.size()));
    if constexpr (certified<R>) certificate_.enter(view);
    read_block(head_, view, o.data(), [&](Index i, const std::vector<R>& logits, const std::vector<R>& weights) {
      if constexpr (certified<R>)
        certificate_.read_radius(size_bounds(weights), certificate_.weight_error_of(i, in_double(logits)),
                                 answer.o_radius.data() + i * head_.V);
    });
    if constexpr (certified<R>) gate_radii(o, answer.o_radius);
    for (R& x : o) x *= gate_;
    capture(o.data(), answer.o, answer.o_radius);
    if constexpr (certified<R>) finish_radius(answer.o_radius, answer.o, conversion_error<R>);
    return answer;
  }

 private:
  void gate_radii(const std::vector<R>& o, Matrix& radius) const {
    const double gate = gate_bound_.size, off = gate_bound_.radius;
    for (std::size_t i = 0; i < o.size(); ++i) {
      double& r = radius.data()[i];
      const double size = size_bound(o[i]) + r;
      r = outward(gate * r + off * size + u_ * (gate + off) * size);
    }
  }

  const HeadInputs& head_;
  ReadCertificate certificate_;
  R gate_;
  certificate::Sized gate_bound_;
  double u_;
};

template <class R>
CacheReadAnswer read_all(const HeadInputs& head, const CacheSets& sets, int bits) {
  ReadRun<R> run(head, bits);
  const Index block = head.options.hola.cache_block, blocks = block_count(head.tokens, block);
  if (static_cast<Index>(sets.size()) != blocks)
    throw InputError("the cache is read with " + std::to_string(sets.size()) + " sets for " + std::to_string(blocks) +
                     " blocks");
  CacheReadAnswer answer{Matrix(head.tokens, head.V), Matrix(head.tokens, head.V)};
  for (Index n = 0; n < blocks; ++n) {
    const CacheReadAnswer part = run.block(n, sets[static_cast<std::size_t>(n)]);
    answer.o.middleRows(n * block, part.o.rows()) = part.o;
    answer.o_radius.middleRows(n * block, part.o.rows()) = part.o_radius;
  }
  return answer;
}

}  // namespace

CacheReadAnswer cache_read_answer(const HeadInputs& head, const CacheSets& sets, int bits) {
  if (bits == 53) return read_all<double>(head, sets, bits);
  const WorkingPrecision precision(bits);
  return read_all<Mpfr>(head, sets, bits);
}

CacheReadAnswer cache_read_intervals(const HeadInputs& head, const CacheSets& sets, int bits) {
  const WorkingPrecision precision(bits);
  return read_all<Interval>(head, sets, bits);
}

CacheReadAnswer cache_block_intervals(const HeadInputs& head, Index n, const std::vector<Index>& set, int bits) {
  const WorkingPrecision precision(bits);
  return ReadRun<Interval>(head, bits).block(n, set);
}

}  // namespace deltaproof
