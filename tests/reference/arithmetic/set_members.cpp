#include "tests/reference/arithmetic/set_members.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace deltaproof::arithmetic_tests {

Declared declared() { return built_in("fla-chunk", Rule::gated_delta).value(); }
Resolved resolved(const Declared& d, const Format& input) { return resolve(d, input, input, false, false); }
Sets sets(const Declared& d, const Format& input) {
  return Sets(resolved(d, input), tensor_core(d.mma));
}
Bits bits(const Declared& d, const Format& input) { return Bits(resolved(d, input)); }

SetBlock ball(double centre, double radius) {
  return {Matrix::Constant(1, 1, centre), Matrix::Constant(1, 1, radius)};
}
bool unknown(const SetBlock& a, Index i, Index j) { return a.radius(i, j) == infinity; }

bool holds(const SetBlock& set, Index i, Index j, float x) {
  if (set.radius(i, j) == infinity) return true;
  return std::abs(static_cast<long double>(x) - set.centre(i, j)) <= set.radius(i, j);
}
void expect_holds(const SetBlock& set, const MatrixF& values, const std::string& what) {
  ASSERT_EQ(set.rows(), values.rows());
  ASSERT_EQ(set.cols(), values.cols());
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index j = 0; j < values.cols(); ++j) {
      EXPECT_TRUE(holds(set, i, j, values(i, j))) << what << ": " << std::hexfloat << values(i, j) << " not within "
                                                  << set.radius(i, j) << " of " << set.centre(i, j);
    }
  }
}

double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}
float any_float(Random& random, int low, int high) {
  const int exponent = std::uniform_int_distribution(low, high)(random);
  return static_cast<float>(std::ldexp(uniform(random, -2, 2), exponent));
}

Drawn draw(Random& random, Index rows, Index cols, int low, int high) {
  Drawn drawn{{Matrix::Zero(rows, cols), Matrix::Zero(rows, cols)}, MatrixF(rows, cols)};
  for (Index i = 0; i < rows * cols; ++i) {
    const float x = any_float(random, low, high);
    float y = x;
    switch (std::uniform_int_distribution(0, 3)(random)) {
      case 0: break;
      case 1: y = std::nextafter(x, std::numeric_limits<float>::infinity()); break;
      case 2: y = static_cast<float>(x * uniform(random, 0.999, 1.001)); break;
      default: y = any_float(random, low, high); break;
    }
    const Ball hull = ball_between(std::min(x, y), std::max(x, y));
    drawn.set.centre.data()[i] = hull.centre;
    drawn.set.radius.data()[i] = hull.radius;
    const float least = std::min(x, y), most = std::max(x, y);
    const auto between = static_cast<float>(std::clamp<double>(uniform(random, least, most), least, most));
    const float members[] = {x, y, between};
    drawn.member.data()[i] = members[std::uniform_int_distribution(0, 2)(random)];
  }
  return drawn;
}

Declared with_point(Point point, PointFormat format, PointMode mode) {
  Declared d = declared();
  d[point] = {format, mode};
  return d;
}

}  // namespace deltaproof::arithmetic_tests
