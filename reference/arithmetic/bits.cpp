#include "reference/arithmetic/bits.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "reference/approximations.hpp"
#include "reference/arithmetic/broadcast.hpp"
#include "reference/arithmetic/channel_layout.hpp"
#include "reference/arithmetic/float_rounding.hpp"
#include "reference/arithmetic/scan.hpp"

namespace deltaproof {
namespace {

float power_of_two(float x, Exp2 exp2) {
  switch (exp2) {
    case Exp2::approx: return ex2_approx(x);
    case Exp2::approx_ftz: return ex2_approx_ftz(x);
    case Exp2::correctly_rounded: break;
  }
  // 64 bits: no fp32 argument has 2^x so near a midpoint of two fp32 numbers that they could not tell.
  return static_cast<float>(std::exp2(static_cast<long double>(x)));
}

// C + A B, each element a chain of fp32 fma over ascending k.
MatrixF fma_product(MatrixF c, const MatrixF& a, const MatrixF& b) {
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index k = 0; k < a.cols(); ++k) {
      const float x = a(i, k);
      for (Index j = 0; j < b.cols(); ++j) c(i, j) = std::fma(x, b(k, j), c(i, j));
    }
  }
  return c;
}

MatrixF tensor_product(const TensorCoreModel& model, MatrixF c, const MatrixF& a, const MatrixF& b,
                       Operand operand) {
  tensor_core_product(model, operand, a.rows(), b.cols(), a.cols(), {a.data(), a.cols()},
                      {b.data(), b.cols()}, {c.data(), c.cols()});
  return c;
}

// Sum of the n terms x_r y_r of one element of a substitution's row, from rows `a` and columns `x`.
float row_sum(RowSum order, const float* a, const MatrixF& x, Index column, Index n, std::vector<float>& terms) {
  const Index half = n / 2;
  const auto product = [&](Index r) { return a[r] * x(r, column); };
  const auto fused = [&](Index r, float rest) { return std::fma(a[r], x(r, column), rest); };
  if (order == RowSum::exact) {
    double sum = 0;
    for (Index r = 0; r < n; ++r) sum += static_cast<double>(a[r]) * static_cast<double>(x(r, column));
    return static_cast<float>(sum);
  }
  if (order == RowSum::ascending) {
    float sum = 0;
    for (Index r = 0; r < n; ++r) sum = fused(r, sum);
    return sum;
  }
  if (order == RowSum::eights_lower_fused || order == RowSum::fours_lower_fused ||
      order == RowSum::twos_lower_fused) {
    const Index size = order == RowSum::eights_lower_fused ? 8 : order == RowSum::fours_lower_fused ? 4 : 2;
    std::vector<float> sums;
    for (Index begin = 0; begin < n; begin += size) {
      const MatrixF rows = x.block(begin, column, size, 1);
      sums.push_back(row_sum(RowSum::halves_lower_fused, a + begin, rows, 0, size, terms));
    }
    return sum_by_halves(sums);
  }
  for (Index r = 0; r < half; ++r) {
    float& term = terms[static_cast<std::size_t>(r)];
    switch (order) {
      case RowSum::halves_upper_fused: term = fused(r + half, product(r)); break;
      case RowSum::halves_unfused: term = product(r) + product(r + half); break;
      default: term = fused(r, product(r + half)); break;
    }
  }
  return sum_by_halves(std::span(terms).first(static_cast<std::size_t>(half)));
}

}  // namespace

Bits::Bits(Resolved resolved)
    : resolved_(std::move(resolved)),
      tensor_core_(&tensor_core(resolved_.declared.mma == "any" ? "hopper" : resolved_.declared.mma)) {}

// Eigen negates vectors as 0 - x, which makes +0 of 0; a kernel flips the sign.
MatrixF Bits::negate(const Block& a) const {
  return a.unaryExpr([](float x) { return -x; });
}

MatrixF Bits::lower(const Block& a) const { return on_and_below(a, 0); }
MatrixF Bits::strictly_lower(const Block& a) const { return on_and_below(a, -1); }

MatrixF Bits::add(const Block& a, const Block& b) const {
  return broadcast<Block>(a, b, [](float x, float y) { return x + y; });
}
MatrixF Bits::subtract(const Block& a, const Block& b) const {
  return broadcast<Block>(a, b, [](float x, float y) { return x - y; });
}
MatrixF Bits::times(const Block& a, const Block& b) const {
  return broadcast<Block>(a, b, [](float x, float y) { return x * y; });
}

MatrixF Bits::fma(const Block& a, const Block& b, const Block& c) const {
  const Index rows = common(common(a.rows(), b.rows()), c.rows());
  const Index cols = common(common(a.cols(), b.cols()), c.cols());
  Block result(rows, cols);
  const auto at = [](const Block& m, Index i, Index j) { return m(m.rows() > 1 ? i : 0, m.cols() > 1 ? j : 0); };
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) result(i, j) = std::fma(at(a, i, j), at(b, i, j), at(c, i, j));
  }
  return result;
}

MatrixF Bits::log2e() const { return constant(1.4426950408889634); }

MatrixF Bits::exp2(const Block& a) const {
  return a.unaryExpr([this](float x) { return power_of_two(x, resolved_.declared.exp2); });
}

MatrixF Bits::scan(const Block& g) const { return prefix_sums(g, resolved_.declared.scan); }

MatrixF Bits::mma(const Block& c, const Block& a, const Block& b, Product product) const {
  if (takes_evens_first(product)) return dot(c, evens_first(a), evens_first(b.transpose()).transpose(), product);
  return dot(c, a, b, product);
}

MatrixF Bits::dot(const Block& c, const Block& a, const Block& b, Product product) const {
  const std::optional<Operand> operand = resolved_.operand(product);
  const auto chain = [&](const Block& from, const Block& x, const Block& y) {
    return operand ? tensor_product(*tensor_core_, from, x, y, *operand) : fma_product(from, x, y);
  };
  const Index parts = std::max<Index>(1, std::min<Index>(declared()[product], a.cols()));
  const Index step = (a.cols() + parts - 1) / parts;
  Block sum = chain(c, a.leftCols(std::min(step, a.cols())), b.topRows(std::min(step, b.rows())));
  for (Index k = step; k < a.cols(); k += step) {
    const Index n = std::min(step, a.cols() - k);
    sum += chain(zero(sum.rows(), sum.cols()), a.middleCols(k, n), b.middleRows(k, n));
  }
  return sum;
}

// Between blocks of 16 tokens with a decay per channel; q and k in fp32 are loaded four bytes at a time.
bool Bits::takes_evens_first(Product product) const {
  return declared().channel_order == ChannelOrder::even_odd && resolved_.input != formats::f32 &&
         (product == Product::gram || product == Product::scores);
}

MatrixF Bits::merge(const Block& c, const Block& a, const Block& b) const {
  const Merge merge = declared().merge;
  if (merge == Merge::ieee) return fma_product(c, a, b);
  const auto factor = [merge](float x) { return merge_factor(x, merge); };
  return tensor_product(*tensor_core_, c, a.unaryExpr(factor), b.unaryExpr(factor), Operand::tf32);
}

// Rows of X from top to bottom: X_i = -L_i - sum_r L_ir X_r over all rows; the unit diagonal is added last.
MatrixF Bits::inverse(const Block& L) const {
  Index n = 16;
  while (n < L.rows()) n *= 2;
  Block x = Block::Zero(n, n);
  x.topLeftCorner(L.rows(), L.cols()) = negate(L);
  std::vector<float> terms(static_cast<std::size_t>(n));
  for (Index i = 2; i < L.rows(); ++i) {
    const Eigen::RowVectorXf a = x.row(i);
    for (Index j = 0; j < i; ++j) x(i, j) = a(j) + row_sum(declared().row_sum, a.data(), x, j, n, terms);
  }
  Block result = x.topLeftCorner(L.rows(), L.cols());
  result.diagonal().setOnes();
  return result;
}

// Rows r, r + lanes, ... lie in one lane, which fuses them in ascending order, onto zero or, the first of them, onto
// the rounded second product; then each lane adds that of the lane half the lanes away, a quarter, ... Lanes are a
// power of two; rows beyond the last are zero.
MatrixF Bits::lane_dot(const Block& S, const Block& x, Index lanes) const {
  const bool second_first = declared().lane_sum == LaneSum::second_product;
  MatrixF sums = MatrixF::Zero(lanes, S.cols());
  for (Index lane = 0; lane < std::min(lanes, S.rows()); ++lane) {
    for (Index j = 0; j < S.cols(); ++j) {
      const Index second = lane + lanes;
      float sum = second_first && second < S.rows() ? S(second, j) * x(second, 0) : 0.0f;
      sum = std::fma(S(lane, j), x(lane, 0), sum);
      const Index rest = second_first ? second + lanes : second;
      for (Index i = rest; i < S.rows(); i += lanes) sum = std::fma(S(i, j), x(i, 0), sum);
      sums(lane, j) = sum;
    }
  }
  for (Index width = lanes / 2; width >= 1; width /= 2) sums.topRows(width) += sums.middleRows(width, width);
  return sums.topRows(1);
}

MatrixF Bits::channel_sum(const Block& a, const Block& b) const {
  const auto n = std::bit_ceil(static_cast<std::size_t>(std::max<Index>(a.cols(), 1)));
  MatrixF sums(a.rows(), 1);
  std::vector<float> x(n), y(n);
  for (Index i = 0; i < a.rows(); ++i) {
    std::copy_n(a.row(i).data(), a.cols(), x.begin());
    std::copy_n(b.row(i).data(), b.cols(), y.begin());
    sums(i, 0) = sum_over_channels(declared().channel_sum, x, y);
  }
  return sums;
}

MatrixF Bits::scaled_sum(const Block& x, const Block& y, const Block& s) const {
  const float scale = s(0, 0);
  switch (declared().output_sum) {
    case OutputSum::first_fused:
      return broadcast<Block>(x, y, [scale](float a, float p) { return std::fma(a, scale, p * scale); });
    case OutputSum::second_fused:
      return broadcast<Block>(x, y, [scale](float a, float p) { return std::fma(p, scale, a * scale); });
    case OutputSum::unfused: break;
  }
  return broadcast<Block>(x, y, [scale](float a, float p) { return a * scale + p * scale; });
}

MatrixF Bits::round(const Block& a, Point point) const {
  const std::optional<Format> format = resolved_.format(point);
  if (!format) return a;
  const PointMode mode = resolved_.mode(point);
  return a.unaryExpr([&](float x) { return round_float(x, *format, mode); });
}

}  // namespace deltaproof
