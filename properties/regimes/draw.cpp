#include "properties/regimes/draw.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace deltaproof::draw {
namespace {

// One draw a statement: within an expression their order is the compiler's choice.

Matrix rounded(const Format& format, Matrix matrix) {
  for (Index i = 0; i < matrix.size(); ++i)
    matrix.data()[i] = round_to_nearest_even(format, matrix.data()[i]);
  return matrix;
}

Matrix normals(Index rows, Index columns, Generator& generator) {
  Matrix matrix(rows, columns);
  for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = generator.normal();
  return matrix;
}

// Sums in order: a library's vectorised norm or product depends on the machine.
void scale_rows_to_unit(Matrix& matrix) {
  for (Index t = 0; t < matrix.rows(); ++t) {
    double square = 0;
    for (Index i = 0; i < matrix.cols(); ++i) square += matrix(t, i) * matrix(t, i);
    const double norm = std::sqrt(square);
    if (norm == 0) continue;
    for (Index i = 0; i < matrix.cols(); ++i) matrix(t, i) /= norm;
  }
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix result = Matrix::Zero(a.rows(), b.cols());
  for (Index i = 0; i < a.rows(); ++i)
    for (Index l = 0; l < a.cols(); ++l)
      for (Index j = 0; j < b.cols(); ++j) result(i, j) += a(i, l) * b(l, j);
  return result;
}

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

Matrix exact_keys(KeyGeometry geometry, const RegimeShape& shape, Generator& generator) {
  switch (geometry) {
    case KeyGeometry::random_unit:
      return queries(shape, generator);
    case KeyGeometry::near_parallel:
      return around_one_direction(shape, 0.05, generator);
    case KeyGeometry::parallel:
      return around_one_direction(shape, 0.001, generator);
    case KeyGeometry::tiny:
      return with_norms(shape, -13, -6, generator);
    case KeyGeometry::mixed_norm:
      return with_norms(shape, -10, 5, generator);
    case KeyGeometry::subspace:
      break;
  }
  const Index dimension = std::max<Index>(1, shape.K / 8);
  const Matrix basis = normals(dimension, shape.K, generator);
  Matrix matrix = product(normals(shape.tokens, dimension, generator), basis);
  scale_rows_to_unit(matrix);
  return matrix;
}

// dt (in 0.001 to 0.1) times A (in 1 to 16), as Mamba-2 and Gated DeltaNet initialise their heads.
double rate_of_head(GateProfile profile, Generator& generator) {
  if (profile != GateProfile::heads) return 0;
  const double step = 0.001 / (1 - 0.99 * generator.uniform());
  return step * (1 + 15 * generator.uniform());
}

double gate(GateProfile profile, double rate, Generator& generator) {
  static constexpr std::array kResets{-30.0, -100.0, -1000.0};
  const double u = generator.uniform();
  switch (profile) {
    case GateProfile::none:
      return 0;
    case GateProfile::gdn:
      return -0.3 * u * u * u;
    case GateProfile::strong:
      return -1 - 2 * u;
    case GateProfile::heads:
      return -rate * (0.25 + 1.5 * u);
    case GateProfile::resets:
      break;
  }
  const bool wipes = generator.integer(0, 15) == 0;
  return wipes ? kResets[static_cast<std::size_t>(generator.integer(0, 2))] : -0.01 * u;
}

}  // namespace

Matrix keys(const Regime& regime, const RegimeShape& shape, Generator& generator) {
  return rounded(dtype_format(shape.input), exact_keys(regime.keys, shape, generator));
}

Matrix queries(const RegimeShape& shape, Generator& generator) {
  Matrix matrix = normals(shape.tokens, shape.K, generator);
  scale_rows_to_unit(matrix);
  return rounded(dtype_format(shape.input), matrix);
}

Matrix values(const Regime& regime, const RegimeShape& shape, const Matrix& keys,
              Generator& generator) {
  switch (regime.values) {
    case ValueProfile::normal:
      return rounded(dtype_format(shape.input), normals(shape.tokens, shape.V, generator));
    case ValueProfile::linear_in_key:
      return rounded(dtype_format(shape.input), product(keys, normals(shape.K, shape.V, generator)));
    case ValueProfile::heavy_tail:
      break;
  }
  Matrix matrix = normals(shape.tokens, shape.V, generator);
  for (Index i = 0; i < matrix.size(); ++i)
    matrix.data()[i] /= std::abs(generator.normal()) + 0x1p-10;  // keeps it finite in bf16
  return rounded(dtype_format(shape.input), matrix);
}

Matrix gates(const Regime& regime, const RegimeShape& shape, Index width, Generator& generator) {
  const double rate = rate_of_head(regime.gates, generator);
  Matrix matrix(shape.tokens, width);
  for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = gate(regime.gates, rate, generator);
  return rounded(formats::f32, matrix);
}

Matrix writes(const Regime& regime, const RegimeShape& shape, Index width, Generator& generator) {
  Matrix matrix(shape.tokens, width);
  for (Index i = 0; i < matrix.size(); ++i)
    matrix.data()[i] = regime.write != 0 ? regime.write : generator.uniform(0.02, 0.98);
  return rounded(formats::f32, matrix);
}

Matrix slot_decays(const Regime& regime, const RegimeShape& shape, Generator& generator) {
  const double rate = rate_of_head(regime.gates, generator);
  Matrix matrix(shape.tokens, shape.slots);
  for (Index i = 0; i < matrix.size(); ++i) {
    const double least = generator.uniform(1.0 / 16, 0.5);
    matrix.data()[i] = 1 / (1 + least - gate(regime.gates, rate, generator));
  }
  return rounded(formats::f32, matrix);
}

Matrix state(Index rows, Index columns, Generator& generator) {
  return rounded(formats::f32, normals(rows, columns, generator));
}

}  // namespace deltaproof::draw
