// The set of an inverse holds the exact inverses of all matrices in the given set, and what substitution in any
// order makes of them.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "reference/arithmetic/bits.hpp"
#include "reference/arithmetic/exact.hpp"
#include "reference/arithmetic/sets.hpp"
#include "reference/arithmetic/texts.hpp"
#include "reference/bounds/inverse_error.hpp"

namespace deltaproof {
namespace {

using Random = std::mt19937_64;

Declared declared(RowSum order = RowSum::halves_lower_fused) {
  Declared d = built_in("fla-chunk", Rule::gated_delta).value();
  d.row_sum = order;
  return d;
}
Resolved resolved(const Declared& d) { return resolve(d, formats::bf16, formats::bf16, false, false); }

// beta k_i . k_j below the diagonal in fp32; `spread` of the keys around one direction (1: random keys).
Matrix gram(Index n, double beta, double spread, Random& random) {
  std::normal_distribution<double> deviate;
  Matrix k(n, 24);
  for (Index i = 0; i < k.size(); ++i) k.data()[i] = spread * deviate(random);
  if (spread < 1) k.array() += 1;
  k.rowwise().normalize();
  const Matrix L = (beta * k * k.transpose()).triangularView<Eigen::StrictlyLower>();
  return L.cast<float>().cast<double>();
}

struct Keys {
  double beta, spread;
};
constexpr Keys all_keys[] = {{1, 1}, {1, 0.05}, {1.98, 1}, {1.98, 0.001}, {2.05, 0.02}, {0.02, 1}, {30, 1}, {1e-25, 1}};
constexpr Index sizes[] = {1, 2, 3, 5, 16, 40, 64};

// L moved to the ends of its set: towards the largest change of the inverse at (n - 1, 0), or at random.
Matrix moved(const SetBlock& L, bool adversarial, Random& random) {
  const Matrix T = unit_lower_inverse(L.centre);
  Matrix result = L.centre;
  const Index last = T.rows() - 1;
  for (Index i = 0; i < result.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      const bool up = adversarial ? T(last, i) * T(j, 0) <= 0 : (random() & 1) == 1;
      result(i, j) += (up ? 1 : -1) * L.radius(i, j);
    }
  }
  return result;
}

// Largest distance from the centre in radii; infinite where a value is off and its radius 0.
template <class Block>
double farthest(const SetBlock& set, const Block& values) {
  double worst = 0;
  for (Index i = 0; i < values.rows(); ++i) {
    for (Index j = 0; j < values.cols(); ++j) {
      const Mpfr off = abs(Mpfr(values(i, j)) - Mpfr(set.centre(i, j)));
      if (std::isinf(set.radius(i, j)) || off == 0) continue;
      worst = std::max(worst, to_double(Mpfr(off / set.radius(i, j))));
    }
  }
  return worst;
}

constexpr RowSum orders[] = {RowSum::halves_lower_fused, RowSum::halves_upper_fused, RowSum::halves_unfused,
                             RowSum::ascending, RowSum::exact};

TEST(InverseSet, HoldsInversesOfAllItsMembersInEveryOrder) {
  const WorkingPrecision scope(512);
  Random random(1);
  const Sets r(resolved(declared()), tensor_core("hopper"));
  const Exact<Mpfr> exactly{declared()};
  for (const Keys& keys : all_keys) {
    for (const Index n : sizes) {
      for (const double width : {0.0, 0x1p-24, 0x1p-18, 0x1p-10}) {
        const Matrix centre = gram(n, keys.beta, keys.spread, random);
        const SetBlock L{centre, Matrix(width * centre.cwiseAbs())};
        const SetBlock set = r.inverse(L);
        for (const bool adversarial : {true, false}) {
          const Matrix member = moved(L, adversarial, random);
          const auto what = [&] {
            return testing::Message() << "beta " << keys.beta << ", spread " << keys.spread << ", " << n << " rows, width " << width;
          };
          EXPECT_LE(farthest(set, exactly.inverse(exactly.given(member))), 1) << what();
          // The kernel's matrix is in fp32: the set around that of the rounded member.
          const Matrix in_fp32 = member.cast<float>().cast<double>();
          const SetBlock around = r.inverse({in_fp32, Matrix::Zero(n, n)});
          for (const RowSum order : orders) {
            const Bits kernel(resolved(declared(order)));
            EXPECT_LE(farthest(around, MatrixF(kernel.inverse(kernel.given(in_fp32)))), 1) << what();
            if (width > 0x1p-23) {
              const SetBlock wider = r.inverse({centre, Matrix((in_fp32 - centre).cwiseAbs())});
              EXPECT_LE(farthest(wider, MatrixF(kernel.inverse(kernel.given(in_fp32)))), 1) << what();
            }
          }
        }
      }
    }
  }
}

TEST(InverseSet, IsAttainedToMoreThanHalf) {
  const WorkingPrecision scope(512);
  Random random(2);
  const Sets r(resolved(declared()), tensor_core("hopper"));
  const Exact<Mpfr> exactly{declared()};
  for (const Keys& keys : {Keys{1, 1}, Keys{1.98, 1}, Keys{1, 0.05}}) {
    const Matrix centre = gram(16, keys.beta, keys.spread, random);
    const SetBlock L{centre, Matrix(0x1p-16 * centre.cwiseAbs())};
    EXPECT_GT(farthest(r.inverse(L), exactly.inverse(exactly.given(moved(L, true, random)))), 0.5);
  }
}

// T in double is wrong in its leading digits; its residual says so.
TEST(InverseSet, DoesNotRestOnDoublesInverse) {
  const WorkingPrecision scope(1024);
  Random random(3);
  Declared d = declared();
  const Sets r(resolved(d), tensor_core("hopper"));
  const Exact<Mpfr> exactly{d};
  for (const double size : {3.0, 10.0, 30.0}) {
    Matrix L = Matrix::Zero(24, 24);
    for (Index i = 0; i < 24; ++i) {
      for (Index j = 0; j < i; ++j) L(i, j) = static_cast<float>(std::uniform_real_distribution(-size, size)(random));
    }
    EXPECT_LE(farthest(r.inverse(r.given(L)), exactly.inverse(exactly.given(L))), 1) << size;
  }
}

TEST(InverseSet, IsUnknownWhereFp32MayOverflow) {
  const Sets r(resolved(declared()), tensor_core("hopper"));
  Matrix L = Matrix::Zero(3, 3);
  L(1, 0) = L(2, 1) = 0x1p100;
  EXPECT_TRUE(std::isinf(r.inverse(r.given(L)).radius(2, 0)));
  SetBlock partly = r.zero(3, 3);
  partly.radius(2, 1) = std::numeric_limits<double>::infinity();
  const SetBlock set = r.inverse(partly);
  EXPECT_TRUE(std::isinf(set.radius(2, 0)));
  EXPECT_EQ(set.radius(0, 1), 0) << "the first row is never computed";
}

TEST(InverseSet, KeepsTheDiagonalAndTheZerosExact) {
  Random random(4);
  const Sets r(resolved(declared()), tensor_core("hopper"));
  const Matrix centre = gram(16, 1, 1, random);
  const SetBlock set = r.inverse({centre, Matrix(0x1p-10 * centre.cwiseAbs())});
  for (Index i = 0; i < 16; ++i) {
    for (Index j = i; j < 16; ++j) {
      EXPECT_EQ(set.radius(i, j), 0);
      EXPECT_EQ(set.centre(i, j), i == j ? 1 : 0);
    }
  }
}

}  // namespace
}  // namespace deltaproof
