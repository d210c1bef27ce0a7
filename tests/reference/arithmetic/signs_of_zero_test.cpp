// A zero has the sign that the kernel's operation gives it: chains of fma carry it on to their results.
#include <gtest/gtest.h>

#include <cmath>

#include "reference/arithmetic/built_in.hpp"
#include "reference/arithmetic/bits.hpp"
#include "tests/reference/arithmetic/support.hpp"

namespace deltaproof {
namespace {

Bits bits() {
  return Bits(resolve(built_in("deltaproof-chunk", Rule::gated_delta).value(), formats::f32, formats::f32, false, false,
                      true));
}

TEST(SignsOfZero, AreFlippedByNegation) {
  const Bits read = bits();
  const MatrixF once = read.negate(read.zero(3, 17)), twice = read.negate(once);  // vectors and what is left of a row
  for (Index i = 0; i < once.size(); ++i) {
    EXPECT_TRUE(std::signbit(once.data()[i])) << i;
    EXPECT_FALSE(std::signbit(twice.data()[i])) << i;
  }
}

TEST(SignsOfZero, AboveTheDiagonalOfAnInverseAreThoseOfMinusL) {
  const Bits read = bits();
  const MatrixF X = read.inverse(read.zero(16, 16));
  for (Index i = 0; i < 16; ++i) {
    for (Index j = i + 1; j < 16; ++j) EXPECT_TRUE(std::signbit(X(i, j))) << i << ", " << j;
  }
}

}  // namespace
}  // namespace deltaproof
