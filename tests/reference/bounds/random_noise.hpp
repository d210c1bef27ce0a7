#pragma once

#include <cstdint>
#include <random>

#include "reference/bounds/noise.hpp"

namespace deltaproof::noise_tests {

// A term of a sum here is a product of at most 8 numbers and passes through sums over at most 6 x 5 elements, four
// times, and over 6 sources: below 2^8 roundings on either side of a comparison, each 2^-53 of the sum of the terms'
// absolute values.
constexpr double rounding = 0x1p-44;

constexpr std::uint64_t seeds[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20};

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  Index between(Index least, Index most) { return std::uniform_int_distribution<Index>(least, most)(engine_); }
  Matrix normal(Index rows, Index cols) {
    Matrix m(rows, cols);
    for (Index i = 0; i < m.size(); ++i) m.data()[i] = deviate_(engine_);
    return m;
  }

 private:
  std::mt19937_64 engine_;
  std::normal_distribution<double> deviate_;
};

/// With each kind of identity once, and general factors.
Noise random_noise(std::uint64_t seed);

Vector flat(const Matrix& m);

/// Of all elements of an output, by rows, written out.
struct Dense {
  Matrix covariance;  // of all elements
  Matrix sizes;       // the same with all terms positive
  Vector rehearsal, rehearsal_size;
};
Dense dense(const Noise& noise);

}  // namespace deltaproof::noise_tests
