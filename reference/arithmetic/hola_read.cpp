// HOLA's read of its cache, and the output of the layer, as the built-in kernels compute them.
#include <algorithm>
#include <cmath>

#include "reference/approximations.hpp"
#include "reference/arithmetic/float_rounding.hpp"
#include "reference/arithmetic/hola_bits.hpp"
#include "reference/arithmetic/warp_dot.hpp"

namespace deltaproof {
namespace {

constexpr float log2e = 1.4426950408889634f;

float power(float x) { return ex2_approx(x * log2e); }

// What a row with this sum of squares is multiplied by.
float row_factor(const HeadInputs& in, float squares) {
  const Options& o = in.options;
  if (o.hola.read == CacheRead::l2) return 1.0f / std::sqrt(squares + static_cast<float>(o.qk_l2norm_eps));
  return 1.0f / std::sqrt(squares / static_cast<float>(in.K) + static_cast<float>(o.hola.read_eps));
}

// The read of all queries of a head; one warp a query.
class Reads {
 public:
  Reads(const HolaHead& head, const HolaFault& fault)
      : head_(head), in_(head.inputs), fault_(fault), q_(in_.q.cast<float>()), k_(in_.k.cast<float>()),
        v_(in_.v.cast<float>()) {
    for (Index t = 0; t < in_.tokens; ++t) key_factors_.push_back(factor(k_.row(t), true));
  }

  Eigen::RowVectorXf read(Index t) const {
    const Eigen::RowVectorXf x = query(t);
    const std::vector<Index> entries = entries_of(t);
    float m = fault_.shifts ? static_cast<float>(in_.sink.value()) : 0.0f;
    float Z = fault_.shifts ? 1.0f : power(static_cast<float>(in_.sink.value()));
    Eigen::RowVectorXf sum = Eigen::RowVectorXf::Zero(in_.V);
    if (fault_.sink_has_value && !entries.empty()) sum = v_.row(entries.front());
    for (const Index j : entries) {
      const float z = warp_dot(x, k_.row(j)) * key_factors_[static_cast<std::size_t>(j)];
      const float next = fault_.shifts ? std::fmax(m, z) : 0.0f;
      const float r = fault_.rescales ? power(m - next) : 1.0f;
      const float p = power(z - next);
      Z = std::fma(Z, r, p);
      for (Index c = 0; c < in_.V; ++c) sum(c) = std::fma(sum(c), r, p * v_(j, c));
      m = next;
    }
    return fault_.divides ? Eigen::RowVectorXf(sum.unaryExpr([Z](float a) { return a / Z; })) : sum;
  }

 private:
  template <class Row>
  float factor(const Row& row, bool key) const {
    const float squares = warp_square_sum(row);
    return fault_.row_factor ? fault_.row_factor(in_, squares, key) : row_factor(in_, squares);
  }

  Eigen::RowVectorXf query(Index t) const {
    const HolaOptions& hola = in_.options.hola;
    const auto logit_scale = static_cast<float>(hola.tau / std::sqrt(static_cast<double>(in_.K)));
    const float f = factor(q_.row(t), false);
    Eigen::RowVectorXf x = q_.row(t);
    for (Index i = 0; i < in_.K; ++i) {
      x(i) = x(i) * f;
      if (hola.read == CacheRead::rmsnorm) {
        x(i) = x(i) * static_cast<float>(in_.gamma_q(0, i)) * static_cast<float>(in_.gamma_k(0, i));
      }
      x(i) = x(i) * logit_scale;
    }
    return x;
  }

  std::vector<Index> entries_of(Index t) const {
    const Index block = t / in_.options.hola.cache_block;
    std::vector<Index> entries = head_.rows[static_cast<std::size_t>(block)];
    for (Index j = block * in_.options.hola.cache_block; j <= t; ++j) entries.push_back(j);
    if (fault_.entries) fault_.entries(head_, t, entries);
    return entries;
  }

  const HolaHead& head_;
  const HeadInputs& in_;
  const HolaFault& fault_;
  MatrixF q_, k_, v_;
  std::vector<float> key_factors_;
};

}  // namespace

MatrixF hola_reads(const HolaHead& head, const HolaFault& fault) {
  const Reads reads(head, fault);
  MatrixF all(head.inputs.tokens, head.inputs.V);
  for (Index t = 0; t < all.rows(); ++t) all.row(t) = reads.read(t);
  return all;
}

MatrixF hola_outputs(const HolaHead& head, const Format& stored, const HolaFault& fault) {
  const auto gate = static_cast<float>(head.inputs.cache_gate);
  const float s = fault.gate ? fault.gate(gate) : 1.0f / (1.0f + ex2_approx(-gate * log2e));
  MatrixF o = head.state.o;
  if (s == 0) return o;  // the stored bits stay
  const MatrixF reads = hola_reads(head, fault);
  for (Index i = 0; i < o.size(); ++i) {
    float& at = o.data()[i];
    const float read = reads.data()[i];
    at = fault.combined ? fault.combined(s, read, at) : std::fma(s, read, at);
    if (stored != formats::f32) at = round_float(at, stored, PointMode::nearest_even);
  }
  return o;
}

}  // namespace deltaproof
