#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "properties/regimes/families.hpp"

namespace deltaproof {
namespace {

RegimeShape small_shape() {
  RegimeShape shape;
  shape.tokens = 48, shape.K = 16, shape.V = 8, shape.initial_state = true;
  return shape;
}

HeadInputs head_of(const char* name) {
  const Regime& regime = *find_regime(name);
  return regime_head(regime, regime.rule, small_shape(), 1);
}

bool all_representable(const Format& format, const Matrix& matrix) {
  for (Index i = 0; i < matrix.size(); ++i)
    if (!(round_to_nearest_even(format, matrix.data()[i]) == matrix.data()[i])) return false;
  return matrix.size() > 0;
}

TEST(Regimes, TheFamiliesAreThere) {
  std::set<std::string_view> names;
  for (const Regime& regime : regimes()) {
    names.insert(regime.name);
    EXPECT_EQ(find_regime(regime.name), &regime);
    EXPECT_FALSE(regime.summary.empty());
    EXPECT_FALSE(regime.domain.empty());
  }
  EXPECT_EQ(names, (std::set<std::string_view>{
                       "rand_b1_a1",   "rand_sig_gdn",  "strong_decay",   "near_parallel", "b_1.98_a1",
                       "b_0.02_a1",    "kla_tinykey",   "cancel_v=Wk",    "heavytail_v",   "resets",
                       "b_2.02_expand", "parallel_b1.98", "subspace_d/8", "kla_mixnorm",   "weak_decay",
                       "one_reset",    "gate_bands",    "equal_keys",     "orthonormal",   "zero_keys",
                       "huge_keys",    "b_0",           "b_tiny",         "boundary",      "silent_v",
                       "mixed_heads",  "mixed_columns", "exact_integers", "subnormals",    "extremes",
                       "recorded",     "opposite_keys", "typical",        "equal_scores",  "near_scores",
                       "facts",        "tiny_rows",     "outlier"}));
  EXPECT_EQ(names.size(), regimes().size());
  EXPECT_EQ(find_regime("rand"), nullptr);
}

TEST(Regimes, ValuesAreInTheirStoredFormats) {
  for (const Regime& regime : regimes()) {
    SCOPED_TRACE(regime.name);
    const HeadInputs head = head_of(regime.name.data());
    EXPECT_TRUE(all_representable(formats::bf16, head.q));
    EXPECT_TRUE(all_representable(formats::bf16, head.k));
    EXPECT_TRUE(all_representable(formats::bf16, head.v));
    EXPECT_TRUE(all_representable(formats::f32, head.g));
    EXPECT_TRUE(all_representable(formats::f32, head.write));
    EXPECT_TRUE(all_representable(formats::f32, head.initial_state));
    EXPECT_LE(head.g.maxCoeff(), 0);
  }
}

TEST(Regimes, SeedsGiveDifferentHeads) {
  for (const Regime& regime : regimes()) {
    const HeadInputs one = regime_head(regime, regime.rule, small_shape(), 1);
    const HeadInputs two = regime_head(regime, regime.rule, small_shape(), 2);
    EXPECT_FALSE(one.k == two.k) << regime.name;
    EXPECT_FALSE(one.v == two.v) << regime.name;
  }
}

TEST(Regimes, LongerRunsBeginLikeShorterOnes) {
  RegimeShape shape = small_shape();
  shape.tokens = 96;
  const HeadInputs longer = regime_head(*find_regime("rand_sig_gdn"), Rule::gated_delta, shape, 1);
  const HeadInputs shorter = head_of("rand_sig_gdn");
  EXPECT_TRUE(longer.k.topRows(48) == shorter.k);
  EXPECT_TRUE(longer.v.topRows(48) == shorter.v);
}

// The name of a family is a claim about its inputs. bf16 moves each element of a key by 2^-8 of
// itself at most, hence the norm by a factor within 1 +- 2^-8, its square within 1 +- 2^-6.
void expect_unit_rows(const Matrix& rows) {
  for (Index t = 0; t < rows.rows(); ++t)
    EXPECT_LE(std::abs(rows.row(t).squaredNorm() - 1), 0x1p-6) << t;
}

TEST(Regimes, UnitKeysAreUnit) {
  for (const char* name :
       {"rand_b1_a1", "near_parallel", "parallel_b1.98", "subspace_d/8", "b_1.98_a1"})
    expect_unit_rows(head_of(name).k);
}

TEST(Regimes, NormsOfTinyAndMixedKeysSpanTheirRange) {
  const Matrix tiny = head_of("kla_tinykey").k, mixed = head_of("kla_mixnorm").k;
  const double slack = 1 + 0x1p-6;
  for (Index t = 0; t < tiny.rows(); ++t) {
    EXPECT_LE(tiny.row(t).norm(), 0x1p-6 * slack);
    EXPECT_GE(tiny.row(t).norm() * slack, 0x1p-13);
  }
  EXPECT_GT(mixed.rowwise().norm().maxCoeff(), 4);
  EXPECT_LT(mixed.rowwise().norm().minCoeff(), 0x1p-6);
}

TEST(Regimes, ParallelKeysAreParallelAndRandomOnesAreNot) {
  const auto least_cosine = [](const Matrix& k) { return (k * k.row(0).transpose()).minCoeff(); };
  EXPECT_GT(least_cosine(head_of("parallel_b1.98").k), 0.98);
  EXPECT_GT(least_cosine(head_of("near_parallel").k), 0.95);
  EXPECT_LT(least_cosine(head_of("rand_b1_a1").k), 0.5);
}

TEST(Regimes, SubspaceKeysHaveTheRankOfTheirSubspace) {
  // After rounding the rank is full; what lies outside K/8 = 2 directions is rounding error.
  const Matrix k = head_of("subspace_d/8").k;
  const Vector singular = Eigen::JacobiSVD<Eigen::MatrixXd>(k).singularValues();
  EXPECT_GT(singular(1), 1);
  EXPECT_LE(singular(2), std::sqrt(48.0) * 0x1p-8)
      << "Frobenius norm of the roundings of 48 unit rows";
}

TEST(Regimes, LinearValuesFollowTheirKeys) {
  const HeadInputs head = head_of("cancel_v=Wk");
  const Eigen::MatrixXd W =
      Eigen::MatrixXd(head.k).colPivHouseholderQr().solve(Eigen::MatrixXd(head.v));
  const Matrix rest = head.v - head.k * Matrix(W);
  EXPECT_LE(rest.norm(), head.v.norm() * 0x1p-8)
      << "least squares leaves the roundings of v at most";
  const HeadInputs other = head_of("rand_b1_a1");
  const Eigen::MatrixXd X =
      Eigen::MatrixXd(other.k).colPivHouseholderQr().solve(Eigen::MatrixXd(other.v));
  EXPECT_GT((other.v - other.k * Matrix(X)).norm(), other.v.norm() * 0.25);
}

TEST(Regimes, ResetsWipeTheStateNowAndThen) {
  const Matrix g = head_of("resets").g;
  EXPECT_LE(g.minCoeff(), -30);
  EXPECT_GT((g.array() > -0.02).count(), g.size() / 2);
}

}  // namespace
}  // namespace deltaproof
