#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "properties/regimes/draw.hpp"
#include "properties/regimes/float_draw.hpp"
#include "properties/regimes/matrices.hpp"
#include "properties/regimes/recorded.hpp"

namespace deltaproof::draw {
namespace {

Matrix heavy_tailed(const RegimeShape& shape, Generator& generator) {
  Matrix matrix = normals(shape.tokens, shape.V, generator);
  for (Index i = 0; i < matrix.size(); ++i)
    matrix.data()[i] /= std::abs(generator.normal()) + 0x1p-10;  // keeps it finite in bf16
  return matrix;
}

Matrix silent(const RegimeShape& shape, Generator& generator) {
  Matrix matrix(shape.tokens, shape.V);
  for (Index t = 0; t < matrix.rows(); ++t) {
    for (Index c = 0; c < matrix.cols(); ++c) matrix(t, c) = generator.normal();
    const bool is_silent = generator.integer(0, 3) == 0;
    if (t < 8 || is_silent) matrix.row(t).setZero();
  }
  return matrix;
}

void scale_columns(Matrix& matrix) {
  constexpr std::array exponents{0, -10, 6, -5, 9, -7, 3};
  for (Index c = 0; c < matrix.cols(); ++c)
    matrix.col(c) *= std::ldexp(1.0, exponents[static_cast<std::size_t>(c) % exponents.size()]);
}

Matrix integers(Index rows, Index columns, int most, Generator& generator) {
  Matrix matrix(rows, columns);
  for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = generator.integer(-most, most);
  return matrix;
}

Matrix with_subnormals(Index rows, Index columns, const Format& format, Generator& generator) {
  Matrix matrix(rows, columns);
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < columns; ++c) {
      const double usual = generator.normal(), small = draw_subnormal(format, generator);
      const bool is_small = generator.integer(0, 1) == 0;
      matrix(r, c) = c % 3 == 0 || is_small ? small : usual;
    }
  }
  return matrix;
}

Matrix extreme(Index rows, Index columns, const RegimeShape& shape, const Format& format, Generator& generator) {
  const int limit = shape.input == Dtype::f16 ? 10 : 60;  // outputs are in the type of inputs
  Matrix matrix(rows, columns);
  for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = draw_float(format, limit, generator);
  return matrix;
}

// A state of keys along axes holds one row a channel; each write replaces its channel's, so that the residual is u.
Matrix unit_errors(const RegimeShape& shape, const Matrix& keys, Generator& generator) {
  int m = 0;
  while ((Index{1} << (2 * m + 2)) <= shape.V) ++m;
  Matrix rows = Matrix::Zero(shape.K, shape.V), matrix = Matrix::Zero(shape.tokens, shape.V);
  for (Index t = 0; t < matrix.rows(); ++t) {
    for (Index n = 0; n < Index{1} << (2 * m); ++n) {
      const double sign = generator.integer(0, 1) == 1 ? -1 : 1;
      matrix(t, (n + t) % shape.V) = std::ldexp(sign, -m);
    }
    for (Index i = 0; i < shape.K; ++i) {
      if (keys(t, i) == 0) continue;
      matrix.row(t) += keys(t, i) * rows.row(i);
      rows.row(i) = keys(t, i) * matrix.row(t);
      break;
    }
  }
  return matrix;
}

Matrix of_facts(const RegimeShape& shape, const Matrix& keys, Generator& generator) {
  Matrix matrix = Matrix(shape.tokens, shape.V);
  std::vector<Index> first;  // tokens whose key was new
  for (Index t = 0; t < matrix.rows(); ++t) {
    for (Index c = 0; c < matrix.cols(); ++c) matrix(t, c) = generator.normal();
    const auto same = std::ranges::find_if(first, [&](Index s) { return keys.row(s) == keys.row(t); });
    if (same == first.end())
      first.push_back(t);
    else
      matrix.row(t) = matrix.row(*same);
  }
  return matrix;
}

Matrix with_outlier(const HeadDraw& draw, Generator& generator) {
  constexpr std::array places{0, 2, 5};
  Matrix matrix(draw.shape.tokens, draw.shape.V);
  for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = generator.normal();
  const Index token = places[static_cast<std::size_t>(turn_of_head(draw.place, places.size()))];
  if (token < matrix.rows()) matrix.row(token) *= 0x1p8;
  return matrix;
}

// Not above 2^5: with keys of 2^4 outputs of 200 tokens stay in fp16, whatever the rule.
double magnitude_of_head(const HeadDraw& draw) {
  constexpr std::array exponents{0, -9, 5, -4, 3, -12};
  return std::ldexp(1.0, exponents[static_cast<std::size_t>(turn_of_head(draw.place, exponents.size()))]);
}

Matrix exact_values(const HeadDraw& draw, const Matrix& keys, Generator& generator) {
  const RegimeShape& shape = draw.shape;
  switch (draw.regime.values) {
    case ValueProfile::linear_in_key: return product(keys, normals(shape.K, shape.V, generator));
    case ValueProfile::heavy_tail: return heavy_tailed(shape, generator);
    case ValueProfile::silent: return silent(shape, generator);
    case ValueProfile::integers: return integers(shape.tokens, shape.V, 4, generator);
    case ValueProfile::subnormals:
      return with_subnormals(shape.tokens, shape.V, dtype_format(shape.input), generator);
    case ValueProfile::extreme: return extreme(shape.tokens, shape.V, shape, dtype_format(shape.input), generator);
    case ValueProfile::recorded: return recorded::values(draw.place, shape.tokens, shape.V);
    case ValueProfile::unit_errors: return unit_errors(shape, keys, generator);
    case ValueProfile::facts: return of_facts(shape, keys, generator);
    case ValueProfile::outlier: return with_outlier(draw, generator);
    case ValueProfile::normal:
    case ValueProfile::columns: break;
  }
  Matrix matrix = normals(shape.tokens, shape.V, generator);
  if (draw.regime.values == ValueProfile::columns) scale_columns(matrix);
  return matrix;
}

}  // namespace

Matrix values(const HeadDraw& draw, const Matrix& keys, Generator& generator) {
  Matrix matrix = exact_values(draw, keys, generator);
  if (draw.regime.mixed_heads) matrix *= magnitude_of_head(draw);
  return rounded(dtype_format(draw.shape.input), std::move(matrix));
}

Matrix state(const HeadDraw& draw, Index rows, Index columns, Generator& generator) {
  switch (draw.regime.values) {
    case ValueProfile::integers: return integers(rows, columns, 8, generator);
    case ValueProfile::subnormals:
      return rounded(formats::f32, with_subnormals(rows, columns, formats::f32, generator));
    case ValueProfile::extreme: return extreme(rows, columns, draw.shape, formats::f32, generator);
    case ValueProfile::unit_errors: return Matrix::Zero(rows, columns);
    default: break;
  }
  Matrix matrix = normals(rows, columns, generator);
  if (draw.regime.values == ValueProfile::columns) scale_columns(matrix);
  if (draw.regime.mixed_heads) matrix *= magnitude_of_head(draw);
  return rounded(formats::f32, std::move(matrix));
}

Matrix state(Index rows, Index columns, Generator& generator) {
  return rounded(formats::f32, normals(rows, columns, generator));
}

}  // namespace deltaproof::draw
