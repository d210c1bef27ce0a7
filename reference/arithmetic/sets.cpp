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
constexpr double largest_f32 = 0x1.fffffep127;

// Radii are sums and products of non-negative doubles: factors that cover their own roundings (docs/pin.md, 6).
constexpr double evaluation = 1 + 0x1p-40;  // of an element by itself
double inflation(double roundings) { return 1 + (roundings + 16) * 0x1p-52; }

double to_f32(double x) { return static_cast<double>(static_cast<float>(x)); }

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
  const bool tiny = std::abs(product) < 0x1p-900 && x != 0 && y != 0;
  return {product, std::abs(std::fma(x, y, -product)) + (tiny ? 0x1p-900 : 0)};
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

// Infinity and NaN spread by IEEE's rules; either makes an element unknown. So does a value, or a sum on the way
// to it, that fp32 may not hold: `reach` bounds both.
void settle(SetBlock& a, const Matrix& reach) {
  for (Index i = 0; i < a.centre.size(); ++i) {
    double& centre = a.centre.data()[i];
    double& radius = a.radius.data()[i];
    if (!std::isfinite(centre) || !(radius < infinity) || !(reach.data()[i] <= largest_f32)) {
      centre = 0;
      radius = infinity;
    }
  }
}

bool fits_f32(const Matrix& reach) { return (reach.array() <= largest_f32).all(); }  // false for NaN

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

SetBlock Sets::lower(const Block& a) const { return {on_and_below(a.centre, 0), on_and_below(a.radius, 0)}; }
SetBlock Sets::strictly_lower(const Block& a) const { return {on_and_below(a.centre, -1), on_and_below(a.radius, -1)}; }

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

// 2^x (1 + d), |d| <= exp_error. A result below 2^-126 may be flushed to zero; or it is the square of 2^(x/2), with
// twice the error, rounded to a step of 2^-149.
SetBlock Sets::exp2(const Block& a) const {
  const double error = declared().exp_error + 0x1p-50;  // and what std::exp2 in double may lose
  return each(a, [error](const Ball& x) {
    if (x.centre == 0 && x.radius == 0) return Ball{1, 0};  // exact, whatever the instruction
    if (!(x.radius < infinity) || !std::isfinite(x.centre)) return unknown_ball;
    const Ends ends = ends_of(x.centre, x.radius);
    double low = std::exp2(ends.low) * (1 - error), high = std::exp2(ends.high) * (1 + error);
    if (low < 0x1p-126) {
      low = 0;
      high += error * (1 + error) * 0x1p-126 + 0x1p-149;
    }
    return high <= largest_f32 ? ball_between(low, high) : unknown_ball;
  });
}

SetBlock Sets::scan(const Block& g) const {
  SetBlock sums = g;
  Matrix size = sizes(g);
  for (Index i = 1; i < g.rows(); ++i) {
    sums.centre.row(i) += sums.centre.row(i - 1);
    sums.radius.row(i) += sums.radius.row(i - 1);
    size.row(i) += size.row(i - 1);
  }
  Matrix reach = size;
  for (Index i = 1; i < g.rows(); ++i) {
    const auto terms = static_cast<double>(i);
    const double depth = std::min<double>(scan_depth(declared().scan, g.rows()), terms);
    const double lost = gamma_n(depth, u32) + terms * 0x1p-52;  // the kernel's additions, and those in double
    sums.radius.row(i) = (sums.radius.row(i) + lost * size.row(i)) * inflation(terms);
    reach.row(i) *= (1 + lost) * inflation(terms);
  }
  settle(sums, reach);
  return sums;
}

// C + A B: operands' radii, then what the accumulation of n products and C may lose, in any order.
SetBlock Sets::product(const Block& c, const Block& a, const Block& b, const TensorCoreModel& model,
                       Operand operand, int parts) const {
  const Index n = a.cols();
  const auto terms = static_cast<double>(n);
  const Matrix a_size = sizes(a), b_size = sizes(b);
  SetBlock result;
  result.centre.noalias() = a.centre * b.centre;
  result.centre += c.centre;
  Matrix radius = a.centre.cwiseAbs() * b.radius;
  if (largest(a.radius) > 0) radius.noalias() += a.radius * b_size;
  Matrix size = a_size * b_size;
  size += sizes(c);
  // The longest chain; one addition more for each further part; and n + 2 roundings in double.
  const double chain = accumulation_error(model, operand, n);
  const double relative = chain + (parts - 1) * 0x1p-23 * (1 + chain) + (terms + 2) * 0x1p-52;
  const auto floor = [&](double factor) {
    return parts * accumulation_floor(model, operand, n, factor) * (1 + 0x1p-20);
  };
  const Vector of_rows = Vector(a_size.rowwise().maxCoeff()).unaryExpr(floor);
  const RowVector of_columns = RowVector(b_size.colwise().maxCoeff()).unaryExpr(floor);
  Matrix lost = relative * size;
  for (Index i = 0; i < lost.rows(); ++i) {
    for (Index j = 0; j < lost.cols(); ++j) lost(i, j) += std::max(of_rows(i), of_columns(j));
  }
  result.radius = inflation(2 * terms) * (radius + c.radius + lost);
  settle(result, inflation(2 * terms) * (size + lost));
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

// The computed X has (I + L^ + D) X = I + H column by column, |D| <= gamma |L^|, H from underflow, L^ the kernel's L.
// With R = T (I + L) - I for any T at all, X - T = -(R + T (L^ - L + D)) X + T H, so for E as below
// |X - T| <= (I - E)^{-1} (E |T| + |T| |H|) (docs/pin.md, 4).
SetBlock Sets::inverse(const Block& L) const {
  const Index n = L.rows();
  const auto roundings = static_cast<double>(n);
  const auto unknown = [n] {  // row 0 is never computed; 0 times infinity may spoil the rest of every other row
    SetBlock nothing{Matrix::Identity(n, n), Matrix::Constant(n, n, infinity)};
    nothing.radius.row(0).setZero();
    return nothing;
  };
  const Matrix L_size = sizes(L);
  if (!fits_f32(L_size)) return unknown();
  const Matrix T = unit_lower_inverse(L.centre);
  const Matrix size = T.cwiseAbs();
  const double gamma = gamma_n(roundings, u32), in_double = (roundings + 2) * 0x1p-52;
  Matrix E = T + T * L.centre;  // R, but for the diagonal
  E = E.cwiseAbs() + in_double * size;
  E += size * (L.radius + (gamma + in_double) * L_size);
  E.triangularView<Eigen::Upper>().setZero();
  // A product below 2^-126 loses at most 2^-150.
  const Matrix steps = Matrix::Constant(n, n, roundings * 0x1p-149);
  SetBlock result{T, inflation((roundings + 4) * (roundings + 4)) * neumann_sum(E, E * size + size * steps)};
  if (!fits_f32((L_size * sizes(result) + sizes(result)) * (1 + 2 * gamma))) return unknown();
  result.radius.triangularView<Eigen::Upper>().setZero();  // the unit diagonal and the zeros are exact
  return result;
}

// K products and their sum in any order, fused or not, whatever the lanes: a product is rounded at most once, a
// partial sum once for each addition, so each of K terms meets at most K roundings: gamma_K sum |S_k x_k| over the
// largest the factors may be, and 2^-150 for each product below 2^-126. `fp32_rn` is that model.
SetBlock Sets::lane_dot(const Block& S, const Block& x, Index) const {
  return product(zero(1, S.cols()), transpose(x), S, deltaproof::tensor_core("fp32_rn"), Operand::tf32, 1);
}

// One sum of K + 1 terms, v among them, in any order and association: kernels subtract from v in one chain, too.
SetBlock Sets::subtract_dot(const Block& v, const Block& S, const Block& x, Index) const {
  return product(v, transpose(negate(x)), S, deltaproof::tensor_core("fp32_rn"), Operand::tf32, 1);
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
    const double lost = gamma_n(2, u32) * size + 0x1p-148;
    sum.radius = (sum.radius + lost) * evaluation;
    const bool fits = (size + lost) * evaluation <= largest_f32 && sum.radius < infinity;
    return fits ? sum : unknown_ball;
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
