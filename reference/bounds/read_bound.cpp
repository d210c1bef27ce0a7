#include "reference/bounds/read_bound.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "reference/bounds/read_weights.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof {
namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();
constexpr double evaluation = 1 + 0x1p-20;  // what double loses, as in head_bound.cpp

struct Gate {
  double value, error;
};

// sigmoid(g) = 1 / (1 + e^-g); e^-g may leave the range of the exponents on either side (docs/read-bound.md, Lemma 4).
Gate gate_of(double g, const ReadFormats& f) {
  const double s = 1 / (1 + std::exp(-g));
  // Beyond +-200, e^-g as a kernel has it is out of range, or leaves the sum at 1.
  double error = s * (2 * f.u + 2 * f.division_error) + 8 * f.smallest;
  if (std::abs(g) <= 200 || f.u < u32) {
    const double x = std::expm1(3.5 * f.u * std::abs(g) + std::log1p(f.exp_error));
    error += x < 0.5 ? s / (1 + std::exp(g)) * (x / (1 - x)) : s;
  }
  error += f.read.error(s + error);
  return {s, error};
}

// Reads of one block's queries, count x V: exact; the sum of absolute values; what v as an operand is off by.
struct Reads {
  Matrix o, mixed, of_values;
};

class ReadBound {
 public:
  ReadBound(const HeadInputs& head, const CacheSets& sets, const ReadFormats& formats, bool apart)
      : head_(head), sets_(sets), f_(formats), apart_(apart), gate_(gate_of(head.cache_gate, formats)) {
    scale_ = head.options.hola.tau / std::sqrt(static_cast<double>(head.K));
    const auto factor = [](double x) { return std::max(1.0, std::abs(x)); };
    largest_factor_ = factor(scale_);
    for (const Matrix* gamma : {&head.gamma_q, &head.gamma_k}) {
      if (uses_gamma() && gamma->size() != 0) largest_factor_ *= factor(gamma->cwiseAbs().maxCoeff());
    }
    for (std::size_t i = 0; i < kept(); ++i) parts_[i] = Matrix::Zero(head.tokens, head.V);
  }

  Terms run() {
    for (std::size_t n = 0; n < sets_.size(); ++n) add_block(static_cast<Index>(n), sets_[n]);
    Terms bound(apart_);
    for (std::size_t i = 0; i < kept(); ++i) {
      bound.add(names[i], parts_[i].unaryExpr([](double x) { return std::isnan(x) ? unknown : x; }));
    }
    return bound;
  }

 private:
  static constexpr std::array names{"logits of the read", "weights and sums of the read", "gate",
                                    "underflow of the read"};

  bool uses_gamma() const { return head_.options.hola.read == CacheRead::rmsnorm; }

  void add_block(Index n, const std::vector<Index>& set) {
    const Index C = head_.options.hola.cache_block, begin = n * C, count = std::min(C, head_.tokens - begin);
    if (count <= 0) return;
    const Index cached = static_cast<Index>(set.size());
    std::vector<Index> tokens = set;
    for (Index i = 0; i < count; ++i) tokens.push_back(begin + i);
    const Matrix none;
    const ReadRows q = read_rows_of(head_.q.middleRows(begin, count), uses_gamma() ? head_.gamma_q : none, head_, f_, 6);
    const ReadRows k = read_rows_of(head_.k(tokens, Eigen::all), uses_gamma() ? head_.gamma_k : none, head_, f_, 2);
    const BlockLogits logits = block_logits(q, k, scale_, largest_factor_, f_);
    add_reads(begin, cached, read_weights(logits, cached, *head_.sink, f_), head_.v(tokens, Eigen::all));
  }

  void add_reads(Index begin, Index cached, const ReadWeights& w, const Matrix& v) {
    const Matrix v_error = f_.value.error(Matrix(v.cwiseAbs()));
    const Matrix v_size = v.cwiseAbs() + v_error;
    Reads reads{w.exact * v, w.largest * v_size, Matrix::Zero(w.exact.rows(), v.cols())};
    if (f_.value.mode != Rounding::Mode::exact) reads.of_values = w.largest * v_error;
    RowVector sum = RowVector::Zero(v.cols()), largest = sum;
    for (Index j = 0; j < v.rows(); ++j) {
      sum += v_size.row(j);
      largest = largest.cwiseMax(v_size.row(j));
      if (j < cached) continue;
      const Index i = j - cached;
      RowVector of_logits = w.sink_error(i) * reads.o.row(i).cwiseAbs();
      for (Index e = 0; e <= j; ++e) of_logits += w.error(i, e) * (v.row(e) - reads.o.row(i)).cwiseAbs();
      const RowVector of_sums = sums_error(w, reads, i, j + 1, of_logits, sum);
      add_gated(begin + i, reads.o.row(i).cwiseAbs(), of_logits, of_sums, flushed(j + 1, sum, largest));
    }
  }

  // Of the sums of n weights and of weighted values, of rounding either, and of the division (Theorem 3).
  RowVector sums_error(const ReadWeights& w, const Reads& reads, Index i, Index visible, const RowVector& of_logits,
                       const RowVector& sum) const {
    const double n = static_cast<double>(visible), gamma = gamma_n(f_.built_in_order ? n + 2 : 2 * n + 3, f_.u);
    const RowVector o_size = reads.o.row(i).cwiseAbs();
    RowVector error = reads.of_values.row(i) + ((1 + gamma) * (1 + f_.over_entries.relative) - 1) * reads.mixed.row(i);
    if (f_.weight.mode != Rounding::Mode::exact) {
      error += f_.weight.error(1.0) * (reads.mixed.row(i) + w.largest.row(i).sum() * o_size);
      error += f_.weight.error(0.0) * (n + 2) * (sum + n * o_size);
    }
    const double divided = (1 + gamma / (1 - gamma)) * (1 + f_.division_error + 2 * f_.u) - 1;
    return error + divided * (o_size + of_logits + error);
  }

  // What underflows in exponentials, rescales and products; unknown if a sum of values may overflow.
  RowVector flushed(Index visible, const RowVector& sum, const RowVector& largest) const {
    const double n = static_cast<double>(visible) + 2;
    const double each = 4 * n * n * f_.smallest + 4 * n * f_.over_entries.floor;
    if (!(sum.maxCoeff() < f_.largest)) return RowVector::Constant(sum.size(), unknown);
    return (each * (largest.array() + 1)).matrix();
  }

  void add_gated(Index t, const RowVector& o_size, const RowVector& of_logits, RowVector of_sums,
                 const RowVector& flushed) {
    const RowVector before = o_size + of_logits + of_sums + flushed;
    if (f_.read.mode != Rounding::Mode::exact) of_sums += f_.read.error(Matrix(before)).row(0);
    const RowVector held = o_size + of_logits + of_sums + flushed;
    const double s = gate_.value * evaluation;
    RowVector of_gate = evaluation * (gate_.error + f_.u * (s + gate_.error)) * held;
    if (f_.read.mode != Rounding::Mode::exact) of_gate += f_.read.error(Matrix((s + gate_.error) * held)).row(0);
    parts_[0].row(t) = s * of_logits;
    parts_[1 % kept()].row(t) += s * of_sums;
    parts_[2 % kept()].row(t) += of_gate;
    parts_[3 % kept()].row(t) += (s * flushed.array() + f_.smallest).matrix();
  }

  std::size_t kept() const { return apart_ ? names.size() : 1; }

  const HeadInputs& head_;
  const CacheSets& sets_;
  const ReadFormats& f_;
  bool apart_;
  Gate gate_;
  double scale_ = 1, largest_factor_ = 1;
  std::array<Matrix, 4> parts_;  // by `names`; all in the first unless they are wanted apart
};

}  // namespace

Terms read_bound(const HeadInputs& hola_head, const CacheSets& sets, const ReadFormats& formats, bool apart) {
  const Index blocks = block_count(hola_head.tokens, hola_head.options.hola.cache_block);
  if (static_cast<Index>(sets.size()) != blocks || !hola_head.sink) {
    throw InputError("a read of the cache needs a sink and the sets of all " + std::to_string(blocks) + " blocks");
  }
  return ReadBound(hola_head, sets, formats, apart).run();
}

Matrix sum_bound(const Matrix& state, const Matrix& read, const ReadFormats& formats) {
  const Matrix stored = formats.state.error(state);
  return ((evaluation * formats.u) * (state + stored + read) + stored).array() + 0x1p-149;
}

}  // namespace deltaproof
