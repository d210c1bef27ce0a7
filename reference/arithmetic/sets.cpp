#include "reference/arithmetic/sets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "reference/arithmetic/broadcast.hpp"
#include "reference/arithmetic/float_rounding.hpp"
#include "reference/arithmetic/interval_rounding.hpp"
#include "reference/arithmetic/scan.hpp"
#include "reference/bounds/inverse_error.hpp"
#include "reference/bounds/rounding.hpp"

namespace deltaproof {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Radii are sums and products of non-negative doubles, a few hundred roundings each; this covers them
// (docs/pin.md, 'Evaluation').
constexpr double evaluation = 1 + 0x1p-40;

double to_f32(double x) { return static_cast<double>(static_cast<float>(x)); }

SetBlock masked(const SetBlock& a, Index offset) {
  SetBlock result{Matrix::Zero(a.rows(), a.cols()), Matrix::Zero(a.rows(), a.cols())};
  for (Index i = 0; i < a.rows(); ++i) {
    const Index kept = std::clamp<Index>(i + offset + 1, 0, a.cols());
    result.centre.row(i).head(kept) = a.centre.row(i).head(kept);
    result.radius.row(i).head(kept) = a.radius.row(i).head(kept);
  }
  return result;
}

// Element by element with broadcasting: f(ball, ball) -> ball.
template <class F>
SetBlock elementwise(const SetBlock& a, const SetBlock& b, F f) {
  const Index rows = common(a.rows(), b.rows()), cols = common(a.cols(), b.cols());
  SetBlock result{Matrix(rows, cols), Matrix(rows, cols)};
  for (Index i = 0; i < rows; ++i) {
    const Index ia = a.rows() > 1 ? i : 0, ib = b.rows() > 1 ? i : 0;
    for (Index j = 0; j < cols; ++j) {
      const Index ja = a.cols() > 1 ? j : 0, jb = b.cols() > 1 ? j : 0;
      const Ball ball = f(Ball{a.centre(ia, ja), a.radius(ia, ja)}, Ball{b.centre(ib, jb), b.radius(ib, jb)});
      result.centre(i, j) = ball.centre;
      result.radius(i, j) = ball.radius;
    }
  }
  return result;
}

template <class F>
SetBlock each(const SetBlock& a, F f) {
  SetBlock result{Matrix(a.rows(), a.cols()), Matrix(a.rows(), a.cols())};
  for (Index i = 0; i < a.centre.size(); ++i) {
    const Ball ball = f(Ball{a.centre.data()[i], a.radius.data()[i]});
    result.centre.data()[i] = ball.centre;
    result.radius.data()[i] = ball.radius;
  }
  return result;
}

// x + y in double, and how far that may be from the exact sum.
Ball exact_sum(double x, double y) {
  const double sum = x + y;
  const double part = sum - x;
  const double lost = (x - (sum - part)) + (y - part);  // Knuth's two-sum: exact
  return {sum, std::abs(lost)};
}

Ball exact_product(double x, double y) {
  const double product = x * y;
  // The remainder is a double unless it underflows, which products of fp32 numbers do not; midpoints of
  // intervals may, far below the smallest fp32 number.
  return {product, std::abs(std::fma(x, y, -product)) + (std::abs(product) < 0x1p-900 && product != 0 ? 0x1p-900 : 0)};
}

Ball sum_of(const Ball& x, const Ball& y) {
  const Ball sum = exact_sum(x.centre, y.centre);
  return {sum.centre, (x.radius + y.radius + sum.radius) * evaluation};
}

Ball product_of(const Ball& x, const Ball& y) {
  if (x.radius == 0 && y.radius == 0) return exact_product(x.centre, y.centre);
  // 0 times what is unknown is unknown: the kernel may hold infinity or NaN there.
  const Ball product = exact_product(x.centre, y.centre);
  const double radius = std::abs(x.centre) * y.radius + x.radius * (std::abs(y.centre) + y.radius);
  return {product.centre, (radius + product.radius) * evaluation};
}

Ball in_f32(const Ball& x) { return rounded_ball(x.centre, x.radius, to_f32); }

Matrix sizes(const SetBlock& a) { return a.centre.cwiseAbs() + a.radius; }

double largest(const Matrix& m) { return m.size() == 0 ? 0 : m.maxCoeff(); }

// Infinity and NaN in a matrix product spread by IEEE's rules; either makes an element unknown.
void settle(SetBlock& a) {
  for (Index i = 0; i < a.centre.size(); ++i) {
    double& centre = a.centre.data()[i];
    double& radius = a.radius.data()[i];
    if (!std::isfinite(centre) || !(radius < infinity)) {
      centre = 0;
      radius = infinity;
    }
  }
}

}  // namespace

Sets::Sets(Resolved resolved, const TensorCoreModel& tensor_core)
    : resolved_(std::move(resolved)), tensor_core_(tensor_core) {}

SetBlock Sets::constant(double x) const { return given(Matrix::Constant(1, 1, to_f32(x))); }

SetBlock Sets::part(const Block& a, Index i, Index j, Index rows, Index cols) const {
  return {a.centre.block(i, j, rows, cols), a.radius.block(i, j, rows, cols)};
}

void Sets::place(Block& a, Index i, Index j, const Block& b) const {
  a.centre.block(i, j, b.rows(), b.cols()) = b.centre;
  a.radius.block(i, j, b.rows(), b.cols()) = b.radius;
}

SetBlock Sets::lower(const Block& a) const { return masked(a, 0); }
SetBlock Sets::strictly_lower(const Block& a) const { return masked(a, -1); }

SetBlock Sets::add(const Block& a, const Block& b) const {
  return elementwise(a, b, [](const Ball& x, const Ball& y) { return in_f32(sum_of(x, y)); });
}

SetBlock Sets::subtract(const Block& a, const Block& b) const { return add(a, negate(b)); }

SetBlock Sets::times(const Block& a, const Block& b) const {
  return elementwise(a, b, [](const Ball& x, const Ball& y) { return in_f32(product_of(x, y)); });
}

SetBlock Sets::fma(const Block& a, const Block& b, const Block& c) const {
  const SetBlock products = elementwise(a, b, product_of);
  return elementwise(products, c, [](const Ball& x, const Ball& y) { return in_f32(sum_of(x, y)); });
}

// 2^x (1 + d), |d| <= exp_error; results below 2^-126 may be flushed to zero or rounded to a step of 2^-149.
SetBlock Sets::exp2(const Block& a) const {
  const double error = declared().exp_error + 0x1p-50;  // and what std::exp2 in double may lose
  return each(a, [error](const Ball& x) {
    if (x.centre == 0 && x.radius == 0) return Ball{1, 0};  // exact, whatever the instruction
    if (!(x.radius < infinity) || !std::isfinite(x.centre)) return unknown_ball;
    const Ends ends = ends_of(x.centre, x.radius);
    double low = std::exp2(ends.low) * (1 - error), high = std::exp2(ends.high) * (1 + error);
    if (low < 0x1p-126) {
      low = 0;
      high += 0x1p-146;  // the form without flushing squares 2^(x/2)
    }
    return high <= 0x1.fffffep127 ? ball_between(low, high) : unknown_ball;
  });
}

SetBlock Sets::scan(const Block& g) const {
  SetBlock sums = g;
  for (Index j = 0; j < g.cols(); ++j) {
    double size = std::abs(g.centre(0, j)) + g.radius(0, j);
    for (Index i = 1; i < g.rows(); ++i) {
      size += std::abs(g.centre(i, j)) + g.radius(i, j);
      sums.centre(i, j) += sums.centre(i - 1, j);
      sums.radius(i, j) += sums.radius(i - 1, j);
    }
    size = std::abs(g.centre(0, j)) + g.radius(0, j);
    for (Index i = 1; i < g.rows(); ++i) {
      size += std::abs(g.centre(i, j)) + g.radius(i, j);
      const double depth = std::min<double>(scan_depth(declared().scan, g.rows()), static_cast<double>(i));
      // Sums in double, of i terms, are not exact either.
      const double lost = gamma_n(depth, u32) + static_cast<double>(i) * 0x1p-52;
      sums.radius(i, j) = (sums.radius(i, j) + lost * size) * evaluation;
    }
  }
  settle(sums);
  return sums;
}

// C + A B: operands' radii, then what the accumulation of n products and C may lose, in any order.
SetBlock Sets::product(const Block& c, const Block& a, const Block& b, const TensorCoreModel& model,
                       Operand operand, int parts) const {
  const Index n = a.cols();
  const Matrix a_size = sizes(a), b_size = sizes(b);
  SetBlock result;
  result.centre.noalias() = a.centre * b.centre;
  result.centre += c.centre;
  Matrix radius = a.centre.cwiseAbs() * b.radius;
  if (largest(a.radius) > 0) radius.noalias() += a.radius * b_size;
  Matrix size = a_size * b_size;
  size += sizes(c);
  // One addition more for each further part, and double's own n + 2 roundings.
  const double relative = (accumulation_error(model, operand, n) + (parts - 1) * 0x1p-23 * (1 + 0x1p-10)) * (1 + 0x1p-10) +
                          static_cast<double>(n + 2) * 0x1p-52;
  const double floor = parts * accumulation_floor(model, operand, n, std::max(largest(a_size), largest(b_size)));
  radius += c.radius + relative * size;
  radius.array() += floor;
  result.radius = evaluation * radius;
  settle(result);
  return result;
}

SetBlock Sets::mma(const Block& c, const Block& a, const Block& b, Product which) const {
  const std::optional<Operand> operand = resolved_.operand(which);
  const int parts = declared()[which];
  if (!operand) return product(c, a, b, deltaproof::tensor_core("fp32_rn"), Operand::tf32, parts);
  if (*operand != Operand::tf32) return product(c, a, b, tensor_core_, *operand, parts);
  const auto cut = [](const Ball& x) {
    return rounded_ball(x.centre, x.radius, [](double y) { return round_towards_zero(formats::tf32, y); });
  };
  return product(c, each(a, cut), each(b, cut), tensor_core_, Operand::tf32, parts);
}

SetBlock Sets::merge(const Block& c, const Block& a, const Block& b) const {
  const Merge merge = declared().merge;
  if (merge == Merge::ieee) return product(c, a, b, deltaproof::tensor_core("fp32_rn"), Operand::tf32, 1);
  const auto factor = [merge](const Ball& x) {
    return rounded_ball(x.centre, x.radius, [merge](double y) {
      return static_cast<double>(merge_factor(static_cast<float>(y), merge));
    });
  };
  return product(c, each(a, factor), each(b, factor), tensor_core_, Operand::tf32, 1);
}

// The computed X has (I + L^ + D) X = I with |D| <= (dL + gamma |L^|) column by column, L^ the kernel's L, so
// |X - T| <= E |X|, E = |T| (dL + gamma |L^|) strictly lower, and |X - T| <= (I - E)^{-1} E |T| (docs/pin.md, 4).
SetBlock Sets::inverse(const Block& L) const {
  const Index n = L.rows();
  if (!(largest(L.radius) < infinity)) {
    SetBlock nothing{Matrix::Identity(n, n), Matrix::Constant(n, n, infinity)};
    nothing.radius.triangularView<Eigen::Upper>().setZero();
    return nothing;
  }
  const Matrix T = unit_lower_inverse(L.centre);
  const Matrix size = T.cwiseAbs();
  // n + 1 roundings in fp32; double's own in forming T are far below one of them.
  const double gamma = gamma_n(static_cast<double>(n) + 2, u32);
  const Matrix E = size * (L.radius + gamma * sizes(L));
  SetBlock result{T, neumann_sum(E, E * size)};
  // Products below 2^-126 lose up to a step of 2^-149 each.
  const double lost = static_cast<double>(2 * n) * 0x1p-149 * (1 + largest(size)) ;
  const Matrix steps = Matrix::Constant(n, n, lost);
  result.radius += neumann_sum(E, size * steps);
  result.radius = evaluation * result.radius;
  result.radius.triangularView<Eigen::Upper>().setZero();  // the unit diagonal and the zeros are exact
  settle(result);
  return result;
}

// K products and their sum in any order, fused or not, whatever the lanes: a product is rounded at most once, a
// partial sum once for each addition, so each of K terms meets at most K roundings: gamma_K sum |S_k x_k| over the
// largest the factors may be, and 2^-150 for each product below 2^-126. `fp32_rn` is that model.
SetBlock Sets::lane_dot(const Block& S, const Block& x, Index) const {
  return product(zero(1, S.cols()), transpose(x), S, deltaproof::tensor_core("fp32_rn"), Operand::tf32, 1);
}

// Row by row, the argument of `lane_dot`: whatever lies in one lane or warp, and padding with zeros, which adds none.
SetBlock Sets::channel_sum(const Block& a, const Block& b) const {
  const TensorCoreModel& any_order = deltaproof::tensor_core("fp32_rn");
  SetBlock sums = zero(a.rows(), 1);
  for (Index i = 0; i < a.rows(); ++i) {
    const SetBlock column = transpose(part(b, i, 0, 1, b.cols()));
    place(sums, i, 0, product(zero(1, 1), part(a, i, 0, 1, a.cols()), column, any_order, Operand::tf32, 1));
  }
  return sums;
}

// Whether fused or not, each term is rounded at most once before the sum, and the sum once.
SetBlock Sets::scaled_sum(const Block& x, const Block& y, const Block& s) const {
  const SetBlock a = elementwise(x, s, product_of), b = elementwise(y, s, product_of);
  return elementwise(a, b, [](const Ball& first, const Ball& second) {
    Ball sum = sum_of(first, second);
    const double size = std::abs(first.centre) + first.radius + std::abs(second.centre) + second.radius;
    sum.radius += (gamma_n(2, u32) * size + 0x1p-148) * evaluation;
    return std::isfinite(sum.centre) && sum.radius < infinity ? sum : unknown_ball;
  });
}

SetBlock Sets::round(const Block& a, Point point) const {
  const std::optional<Format> format = resolved_.format(point);
  if (!format) return a;
  const PointMode mode = resolved_.mode(point);
  return each(a, [&](const Ball& x) {
    // The kernel rounds what it holds in fp32.
    return rounded_ball(x.centre, x.radius, [&](double y) {
      const auto in_fp32 = static_cast<float>(y);
      return static_cast<double>(round_float(in_fp32, *format, mode));
    });
  });
}

}  // namespace deltaproof
