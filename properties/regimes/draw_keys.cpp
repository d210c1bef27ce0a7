#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "properties/regimes/draw.hpp"
#include "properties/regimes/float_draw.hpp"
#include "properties/regimes/matrices.hpp"
#include "properties/regimes/recorded.hpp"

namespace deltaproof::draw {
namespace {

// One draw a statement: within an expression their order is the compiler's choice. Draws are token by token, so that
// fewer tokens are the first ones; with_norms is older than that rule and keeps its bits.

// One direction plus noise whose norm is `spread` of it.
Matrix around_one_direction(const RegimeShape& shape, double spread, Generator& generator) {
  Matrix direction = normals(1, shape.K, generator);
  scale_rows_to_unit(direction);
  Matrix matrix = normals(shape.tokens, shape.K, generator);
  const double noise = spread / std::sqrt(static_cast<double>(shape.K));
  for (Index t = 0; t < matrix.rows(); ++t)
    for (Index i = 0; i < matrix.cols(); ++i) matrix(t, i) = direction(0, i) + noise * matrix(t, i);
  scale_rows_to_unit(matrix);
  return matrix;
}

// Unit rows times 2^e (1 + u), e in {low .. high - 1}.
Matrix with_norms(const RegimeShape& shape, int low, int high, Generator& generator) {
  Matrix matrix = normals(shape.tokens, shape.K, generator);
  scale_rows_to_unit(matrix);
  for (Index t = 0; t < matrix.rows(); ++t) {
    const double significand = 1 + generator.uniform();
    const double norm = std::ldexp(significand, generator.integer(low, high - 1));
    for (Index i = 0; i < matrix.cols(); ++i) matrix(t, i) *= norm;
  }
  return matrix;
}

Matrix huge(const RegimeShape& shape, Generator& generator) {
  // Products of two keys are numbers of fp16 still: a kernel may keep them so.
  const int low = shape.input == Dtype::f16 ? 4 : 8, high = shape.input == Dtype::f16 ? 7 : 20;
  Matrix matrix(shape.tokens, shape.K);
  for (Index t = 0; t < matrix.rows(); ++t) {
    for (Index i = 0; i < matrix.cols(); ++i) matrix(t, i) = generator.normal();
    scale_row_to_unit(matrix, t);
    const double significand = 1 + generator.uniform();
    const double norm = std::ldexp(significand, generator.integer(low, high - 1));
    for (Index i = 0; i < matrix.cols(); ++i) matrix(t, i) *= norm;
  }
  return matrix;
}

Matrix in_subspace(const RegimeShape& shape, Generator& generator) {
  const Index dimension = std::max<Index>(1, shape.K / 8);
  const Matrix basis = normals(dimension, shape.K, generator);
  Matrix matrix = product(normals(shape.tokens, dimension, generator), basis);
  scale_rows_to_unit(matrix);
  return matrix;
}

double sign(Generator& generator) { return generator.integer(0, 1) == 1 ? -1 : 1; }

// 4^m elements of 2^-m: their squares add up to 1 exactly, and every type holds them.
Matrix one_key(const RegimeShape& shape, Generator& generator) {
  int m = 0;
  while ((Index{1} << (2 * m + 2)) <= shape.K) ++m;
  std::vector<Index> channels(static_cast<std::size_t>(shape.K));
  std::iota(channels.begin(), channels.end(), Index{0});
  Matrix matrix = Matrix::Zero(shape.tokens, shape.K);
  for (Index n = 0; n < Index{1} << (2 * m); ++n) {
    const int other = generator.integer(static_cast<int>(n), static_cast<int>(shape.K) - 1);
    std::swap(channels[static_cast<std::size_t>(n)], channels[static_cast<std::size_t>(other)]);
    const double element = std::ldexp(sign(generator), -m);
    for (Index t = 0; t < matrix.rows(); ++t) matrix(t, channels[static_cast<std::size_t>(n)]) = element;
  }
  return matrix;
}

Matrix opposite(const RegimeShape& shape, Generator& generator) {
  Matrix matrix = one_key(shape, generator);
  for (Index t = 0; t < matrix.rows(); ++t) matrix.row(t) *= sign(generator);
  return matrix;
}

Matrix along_axes(const RegimeShape& shape, Generator& generator) {
  Matrix matrix = Matrix::Zero(shape.tokens, shape.K);
  const Index first = generator.integer(0, static_cast<int>(shape.K) - 1);
  for (Index t = 0; t < matrix.rows(); ++t) matrix(t, (first + t) % shape.K) = sign(generator);
  return matrix;
}

Matrix signed_units(const RegimeShape& shape, Generator& generator) {
  Matrix matrix = Matrix::Zero(shape.tokens, shape.K);
  for (Index t = 0; t < matrix.rows(); ++t) {
    const Index i = generator.integer(0, static_cast<int>(shape.K) - 1);
    matrix(t, i) = sign(generator);
  }
  return matrix;
}

Matrix some_zero(const RegimeShape& shape, Generator& generator) {
  Matrix matrix(shape.tokens, shape.K);
  for (Index t = 0; t < matrix.rows(); ++t) {
    for (Index i = 0; i < matrix.cols(); ++i) matrix(t, i) = generator.normal();
    scale_row_to_unit(matrix, t);
    if (generator.integer(0, 3) == 0) matrix.row(t).setZero();
  }
  return matrix;
}

Matrix with_subnormals(const RegimeShape& shape, Generator& generator) {
  Matrix matrix(shape.tokens, shape.K);
  for (Index t = 0; t < matrix.rows(); ++t) {
    for (Index i = 0; i < matrix.cols(); ++i) matrix(t, i) = generator.normal();
    scale_row_to_unit(matrix, t);
    for (Index i = 0; i < matrix.cols(); ++i) {
      const bool replaced = generator.integer(0, 3) == 0;
      const double small = draw_subnormal(dtype_format(shape.input), generator);
      if (replaced) matrix(t, i) = small;
    }
  }
  return matrix;
}

// K elements below 2^-e with 4^e >= K have a norm below 1.
Matrix extreme(const RegimeShape& shape, Generator& generator) {
  int e = 0;
  while ((Index{1} << (2 * e)) < shape.K) ++e;
  Matrix matrix(shape.tokens, shape.K);
  for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = draw_float(dtype_format(shape.input), -e, generator);
  return matrix;
}

Matrix exact_keys(const HeadDraw& draw, Generator& generator) {
  const RegimeShape& shape = draw.shape;
  switch (draw.regime.keys) {
    case KeyGeometry::random_unit: break;
    case KeyGeometry::near_parallel: return around_one_direction(shape, 0.05, generator);
    case KeyGeometry::parallel: return around_one_direction(shape, 0.001, generator);
    case KeyGeometry::tiny: return with_norms(shape, -13, -6, generator);
    case KeyGeometry::mixed_norm: return with_norms(shape, -10, 5, generator);
    case KeyGeometry::subspace: return in_subspace(shape, generator);
    case KeyGeometry::equal: return one_key(shape, generator);
    case KeyGeometry::opposite: return opposite(shape, generator);
    case KeyGeometry::axes: return along_axes(shape, generator);
    case KeyGeometry::signed_units: return signed_units(shape, generator);
    case KeyGeometry::some_zero: return some_zero(shape, generator);
    case KeyGeometry::huge: return huge(shape, generator);
    case KeyGeometry::with_subnormals: return with_subnormals(shape, generator);
    case KeyGeometry::extreme: return extreme(shape, generator);
    case KeyGeometry::recorded: return recorded::keys(draw.place, shape.tokens, shape.K);
    case KeyGeometry::facts: return facts(draw, generator);
    case KeyGeometry::tiny_rows: return tiny_rows(shape, generator);
  }
  return random_units(shape, generator);
}

}  // namespace

Matrix random_units(const RegimeShape& shape, Generator& generator) {
  Matrix matrix = normals(shape.tokens, shape.K, generator);
  scale_rows_to_unit(matrix);
  return rounded(dtype_format(shape.input), matrix);
}

Matrix keys(const HeadDraw& draw, Generator& generator) {
  Matrix matrix = exact_keys(draw, generator);
  if (draw.regime.mixed_heads) {  // never shorter: where a kernel normalises them, beta over |k|^2 would expand
    constexpr std::array exponents{0, 4, 1, 3, 2};
    matrix *= std::ldexp(1.0, exponents[static_cast<std::size_t>(turn_of_key_head(draw.place, exponents.size()))]);
  }
  return rounded(dtype_format(draw.shape.input), std::move(matrix));
}

Matrix queries(const HeadDraw& draw, Generator& generator) {
  switch (draw.regime.keys) {
    case KeyGeometry::signed_units: return signed_units(draw.shape, generator);
    case KeyGeometry::with_subnormals:
      return rounded(dtype_format(draw.shape.input), with_subnormals(draw.shape, generator));
    case KeyGeometry::extreme: return extreme(draw.shape, generator);
    case KeyGeometry::recorded:
      return rounded(dtype_format(draw.shape.input), recorded::queries(draw.place, draw.shape.tokens, draw.shape.K));
    case KeyGeometry::facts: return rounded(dtype_format(draw.shape.input), facts(draw, generator));
    case KeyGeometry::tiny_rows: return rounded(dtype_format(draw.shape.input), tiny_rows(draw.shape, generator));
    default: return random_units(draw.shape, generator);
  }
}

Matrix keys(const Regime& regime, const RegimeShape& shape, Generator& generator) {
  return keys({regime, regime.rule, shape}, generator);
}

}  // namespace deltaproof::draw
