#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "family_heads.hpp"

// A family's name is a claim about its inputs: keys, queries, values, states, heads.

namespace deltaproof {
namespace {

using namespace testing;

TEST(KeyFamilies, EqualKeysHaveEqualBitsAndANormOfOne) {
  for (const Dtype input : input_types) {
    for (const std::int64_t K : {1, 3, 4, 15, 16, 40, 64, 256}) {
      RegimeShape shape = small_shape();
      shape.input = input, shape.K = K;
      const HeadInputs head = head_of("equal_keys", shape);
      for (Index t = 0; t < head.tokens; ++t) EXPECT_TRUE(head.k.row(t) == head.k.row(0));
      EXPECT_EQ(head.k.row(0).squaredNorm(), 1) << K;
      EXPECT_GT((head.k.row(0).array() != 0).count() * 4, K) << "not a single axis where K has room";
      EXPECT_TRUE((head.write.array() == 1).all() && head.g.isZero(0));
    }
  }
}

TEST(KeyFamilies, OppositeKeysAreOneKeyWithBothSigns) {
  const HeadInputs head = head_of("opposite_keys");
  int negative = 0;
  for (Index t = 0; t < head.tokens; ++t) {
    EXPECT_TRUE(head.k.row(t) == head.k.row(0) || head.k.row(t) == -head.k.row(0));
    negative += head.k.row(t) == -head.k.row(0);
  }
  EXPECT_GT(negative, 8);
  EXPECT_LT(negative, 40);
  EXPECT_EQ(head.k.row(0).squaredNorm(), 1);
}

TEST(KeyFamilies, OrthonormalKeysAreAllAxesInTurn) {
  const Matrix k = head_of("orthonormal").k;
  for (Index t = 0; t < k.rows(); ++t) {
    EXPECT_EQ((k.row(t).array() != 0).count(), 1);
    EXPECT_EQ(k.row(t).squaredNorm(), 1);
    for (Index s = std::max<Index>(0, t - 15); s < t; ++s) EXPECT_EQ(k.row(t).dot(k.row(s)), 0) << s << ' ' << t;
  }
  EXPECT_LT(k.minCoeff(), 0);
}

TEST(KeyFamilies, SomeKeysAreZeroAndOthersAreNot) {
  const Matrix k = head_of("zero_keys").k;
  int zero = 0;
  for (Index t = 0; t < k.rows(); ++t) {
    const double square = k.row(t).squaredNorm();
    zero += square == 0;
    EXPECT_TRUE(square == 0 || std::abs(square - 1) <= 0x1p-6) << t;
  }
  EXPECT_GT(zero, 4);
  EXPECT_LT(zero, 24);
}

TEST(KeyFamilies, HugeKeysAreHugeAndTheirStepsAreNot) {
  for (const Dtype input : input_types) {
    RegimeShape shape = small_shape();
    shape.input = input, shape.tokens = 150;
    for (const Rule rule : {Rule::gated_delta, Rule::kla}) {
      const HeadInputs head = head_of("huge_keys", rule, shape);
      const Vector norms = head.k.rowwise().norm();
      EXPECT_TRUE(head.k.allFinite());
      EXPECT_GE(norms.minCoeff(), (input == Dtype::f16 ? 0x1p4 : 0x1p8) * (1 - 0x1p-7));
      EXPECT_GT(norms.maxCoeff(), input == Dtype::f16 ? 0x1p6 : 0x1p19);
      EXPECT_LT(norms.maxCoeff(), (input == Dtype::f16 ? 0x1p7 : 0x1p20) * (1 + 0x1p-7));
      for (Index t = 0; t < head.tokens; ++t) {
        const double step = rule == Rule::kla ? head.write(t, 0) : head.write(t, 0) * norms(t) * norms(t);
        EXPECT_GT(step, 0.01);
        EXPECT_LT(step, 0.99);
      }
    }
  }
}

TEST(KeyFamilies, SilentValuesAreZeroAtFirstAndNowAndThen) {
  const Matrix v = head_of("silent_v").v;
  EXPECT_TRUE(v.topRows(8).isZero(0));
  const Matrix later = v.bottomRows(40);
  const auto zero_rows = (later.rowwise().squaredNorm().array() == 0).count();
  EXPECT_GT(zero_rows, 2);
  EXPECT_LT(zero_rows, 30);
}

double root_mean_square(const Matrix& m) { return m.norm() / std::sqrt(static_cast<double>(m.size())); }

TEST(KeyFamilies, MixedColumnsDifferByPowersOfTwo) {
  RegimeShape shape = small_shape();
  shape.V = 7;
  const HeadInputs head = head_of("mixed_columns", shape);
  for (const Matrix* m : {&head.v, &head.initial_state}) {
    EXPECT_GT(root_mean_square(m->col(4)) / root_mean_square(m->col(1)), 0x1p17);  // 2^19, but for the draw
  }
}

TEST(KeyFamilies, MixedHeadsDifferInKeysValuesAndStates) {
  RegimeShape shape = small_shape();
  shape.H = 5, shape.HV = 10;
  const Problem problem = regime_problem(*find_regime("mixed_heads"), Rule::gated_delta, shape, 6);
  std::set<int> keys, values, states;
  for (std::int64_t h = 0; h < 10; ++h) {
    const HeadInputs head = head_inputs(problem, problem.sequences().front(), h);
    keys.insert(std::ilogb(root_mean_square(head.k) * 4 * std::sqrt(2.0)));
    values.insert(std::ilogb(root_mean_square(head.v) * std::sqrt(2.0)));
    states.insert(std::ilogb(root_mean_square(head.initial_state) * std::sqrt(2.0)));
    for (Index t = 0; t < head.tokens; ++t) EXPECT_LT(head.write(t, 0) * head.k.row(t).squaredNorm(), 0.99);
  }
  EXPECT_EQ(keys, (std::set<int>{0, 4, 1, 3, 2}));
  EXPECT_EQ(values, (std::set<int>{0, -9, 5, -4, 3, -12}));
  EXPECT_EQ(states, values);
}

bool small_integers(const Matrix& matrix, double most) {
  return matrix.cwiseAbs().maxCoeff() <= most && (matrix.array() == matrix.array().round()).all();
}

TEST(KeyFamilies, ExactIntegersAreIntegers) {
  const HeadInputs head = head_of("exact_integers");
  for (const Matrix* rows : {&head.k, &head.q}) {
    EXPECT_TRUE(small_integers(*rows, 1));
    EXPECT_TRUE((rows->rowwise().squaredNorm().array() == 1).all());
    EXPECT_LT(rows->minCoeff(), 0);
  }
  EXPECT_TRUE(small_integers(head.v, 4) && small_integers(head.initial_state, 8) && small_integers(head.write, 1));
  EXPECT_EQ(head.write.minCoeff(), 0);
  EXPECT_EQ(head.write.maxCoeff(), 1);
  EXPECT_TRUE(head.g.isZero(0));
  EXPECT_EQ(head.options.scale, 1);
  const Problem problem = regime_problem(*find_regime("exact_integers"), Rule::gated_delta, small_shape(), 1);
  EXPECT_TRUE(problem.options().scale_given);
  EXPECT_EQ(problem.options().scale, 1);
}

int subnormals(const Format& format, const Matrix& matrix) {
  const double least = std::ldexp(1.0, format.min_exponent);
  return static_cast<int>(((matrix.array() != 0) && (matrix.array().abs() < least)).count());
}

int negative_zeros(const Matrix& matrix) {
  int count = 0;
  for (Index i = 0; i < matrix.size(); ++i) count += matrix.data()[i] == 0 && std::signbit(matrix.data()[i]);
  return count;
}

TEST(KeyFamilies, SubnormalsAreThoseOfTheStoredType) {
  for (const Dtype input : input_types) {
    RegimeShape shape = small_shape();
    shape.input = input;
    const HeadInputs head = head_of("subnormals", shape);
    const Format& format = dtype_format(input);
    for (const Matrix* m : {&head.q, &head.k, &head.v}) {
      EXPECT_GT(subnormals(format, *m), m->size() / 10) << format.name;
      EXPECT_GT(negative_zeros(*m), 2);
    }
    EXPECT_GT(subnormals(formats::f32, head.initial_state), 20);
    EXPECT_LT(head.v.col(0).cwiseAbs().maxCoeff(), std::ldexp(1.0, format.min_exponent)) << "a column of them alone";
    EXPECT_GT(head.v.col(1).cwiseAbs().maxCoeff(), 0.5) << "and one where they lie beside usual numbers";
  }
}

TEST(KeyFamilies, ExtremesReachTheirLimits) {
  for (const Dtype input : input_types) {
    RegimeShape shape = small_shape();
    shape.input = input;
    const Format& format = dtype_format(input);
    const HeadInputs head = head_of("extremes", shape);
    const double most = input == Dtype::f16 ? 0x1p10 : 0x1p60;
    EXPECT_EQ(head.v.cwiseAbs().maxCoeff(), round_towards_zero(format, most * (1 - 0x1p-30)));
    EXPECT_EQ(head.initial_state.cwiseAbs().maxCoeff(), round_towards_zero(formats::f32, most * (1 - 0x1p-30)));
    for (const Matrix* m : {&head.q, &head.k, &head.v}) {
      EXPECT_GT(subnormals(format, *m), m->size() / 10);
      EXPECT_GT(negative_zeros(*m), 2);
    }
    for (const Matrix* m : {&head.q, &head.k}) EXPECT_LT(m->rowwise().squaredNorm().maxCoeff(), 1);
  }
}

}  // namespace
}  // namespace deltaproof
