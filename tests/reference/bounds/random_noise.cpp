#include "tests/reference/bounds/random_noise.hpp"

#include <string>

namespace deltaproof::noise_tests {
namespace {

Matrix or_identity(const Matrix& m, Index n) { return m.size() == 0 ? Matrix::Identity(n, n) : m; }

// Of element (i, j) of left d right by element (p, q) of d; elements by rows.
Matrix jacobian(const NoiseSource& s, Index rows, Index cols) {
  const Matrix left = or_identity(s.left, rows), right = or_identity(s.right, cols);
  Matrix J(rows * cols, s.variance.size());
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) {
      for (Index p = 0; p < left.cols(); ++p) {
        for (Index q = 0; q < right.rows(); ++q) J(i * cols + j, p * right.rows() + q) = left(i, p) * right(q, j);
      }
    }
  }
  return J;
}

}  // namespace

Noise random_noise(std::uint64_t seed) {
  Random random(seed);
  const Index rows = random.between(3, 6), cols = random.between(2, 5);
  Noise noise;
  for (int kind = 0; kind < 6; ++kind) {
    const bool has_left = kind % 2 != 0, has_right = kind % 4 >= 2;
    const Index a = has_left ? random.between(1, 6) : rows, b = has_right ? random.between(1, 5) : cols;
    noise.random.push_back({"source " + std::to_string(kind), has_left ? random.normal(rows, a) : Matrix(),
                            has_right ? random.normal(b, cols) : Matrix(), random.normal(a, b).cwiseAbs2(),
                            random.normal(a, b)});
  }
  noise.known = {{"one", {random.normal(rows, cols)}},
                 {"two", {random.normal(rows, cols), random.normal(rows, cols)}},
                 {"three", {random.normal(rows, cols), random.normal(rows, cols), random.normal(rows, cols)}}};
  noise.worst = random.normal(rows, cols).cwiseAbs();
  return noise;
}

Vector flat(const Matrix& m) { return Eigen::Map<const Vector>(m.data(), m.size()); }

Dense dense(const Noise& noise) {
  const Index rows = noise.worst.rows(), cols = noise.worst.cols(), n = rows * cols;
  Dense d{Matrix::Zero(n, n), Matrix::Zero(n, n), Vector::Zero(n), Vector::Zero(n)};
  for (const NoiseSource& s : noise.random) {
    const Matrix J = jacobian(s, rows, cols), size = J.cwiseAbs();
    d.covariance += J * flat(s.variance).asDiagonal() * J.transpose();
    d.sizes += size * flat(s.variance).asDiagonal() * size.transpose();
    d.rehearsal += J * flat(s.rehearsal);
    d.rehearsal_size += size * flat(s.rehearsal).cwiseAbs();
  }
  return d;
}

}  // namespace deltaproof::noise_tests
