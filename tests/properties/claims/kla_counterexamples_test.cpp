#include <gtest/gtest.h>

#include "tests/properties/claims/kla_ledger.hpp"

// Counterexamples worked out again from what the ledger prints, entry by entry, without the checks' own functions.
namespace deltaproof::claims {
namespace {

using Numbers = std::vector<std::vector<Rational>>;

Numbers printed_input(const Result& result, const char* name) { return numbers_of(input(result, name)); }
Rational scalar(const Result& result, const char* name) { return printed_input(result, name)[0][0]; }

/// S_1 of one token: alpha S_0 + beta k (v - alpha S_0^T k)^T.
Numbers first_state(const Result& result) {
  const Numbers s = printed_input(result, "S_0"), k = printed_input(result, "K"), v = printed_input(result, "V");
  const Rational alpha = scalar(result, "alpha"), beta = scalar(result, "beta");
  Numbers state = s;
  for (std::size_t j = 0; j < s[0].size(); ++j) {
    Rational read = 0;
    for (std::size_t i = 0; i < s.size(); ++i) read += alpha * s[i][j] * k[0][i];
    for (std::size_t i = 0; i < s.size(); ++i) state[i][j] = alpha * s[i][j] + beta * k[0][i] * (v[0][j] - read);
  }
  return state;
}

/// u_1 = beta (v - alpha S_0^T k).
std::vector<Rational> first_write(const Result& result) {
  const Numbers s = printed_input(result, "S_0"), k = printed_input(result, "K"), v = printed_input(result, "V");
  std::vector<Rational> u = v[0];
  for (std::size_t j = 0; j < u.size(); ++j) {
    for (std::size_t i = 0; i < s.size(); ++i) u[j] -= scalar(result, "alpha") * s[i][j] * k[0][i];
    u[j] *= scalar(result, "beta");
  }
  return u;
}

/// alpha (I - beta k k^T).
Numbers transition(const Result& result) {
  const Numbers k = printed_input(result, "K");
  Numbers p(k[0].size(), std::vector<Rational>(k[0].size()));
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t j = 0; j < p.size(); ++j) {
      p[i][j] = scalar(result, "alpha") * ((i == j ? 1 : 0) - scalar(result, "beta") * k[0][i] * k[0][j]);
    }
  }
  return p;
}

TEST(KlaCounterexamples, TheCorrectedShareChangesWithTheScaleOfTheKey) {
  const Result result = kla_claim("kla.scale-free").check(Effort{});
  const Rational k = scalar(result, "k"), eta = scalar(result, "eta"), eps = scalar(result, "epsilon");
  EXPECT_GT(eps, 0);
  EXPECT_NE(eta * k * k / (k * k + eps), eta * 4 * k * k / (4 * k * k + eps));
}

TEST(KlaCounterexamples, TheProximalWeightDividesByZeroAtTheEndPoint) {
  const Result result = kla_claim("kla.proximal-end-point").check(Effort{});
  const Rational k = scalar(result, "k");
  EXPECT_NE(k, 0);
  EXPECT_EQ((1 - scalar(result, "eta")) * k * k + scalar(result, "epsilon"), 0);
  EXPECT_LE(scalar(result, "eta"), 1) << "inside what the statement covers";
}

TEST(KlaCounterexamples, ADecayOfZeroLeavesNoRatio) {
  const Result result = kla_claim("kla.chunk-zero-decay").check(Effort{});
  const Numbers alpha = printed_input(result, "alpha");
  Rational gamma = 1;
  for (const Rational& decay : alpha[0]) gamma *= decay;
  EXPECT_EQ(gamma, 0);
}

TEST(KlaCounterexamples, AQueryThatIsNotNormalisedReadsTooMuch) {
  const Result result = kla_claim("kla.chunk-query-rows").check(Effort{});
  const Numbers state = first_state(result), q = printed_input(result, "Q");
  ASSERT_EQ(state.size(), 1u);
  EXPECT_NE(state[0][0] * q[0][0], 0);
  EXPECT_NE(abs(q[0][0]), 1) << "the two reads differ by |q|";
}

TEST(KlaCounterexamples, TheShapesDoNotMeet) {
  const Result result = kla_claim("kla.appendix-product-shape").check(Effort{});
  EXPECT_NE(scalar(result, "dk"), scalar(result, "dv"));
}

TEST(KlaCounterexamples, TheStateStandsBeforeTheTransition) {
  const Result result = kla_claim("kla.appendix-product-order").check(Effort{});
  const Numbers s = printed_input(result, "S_0"), k = printed_input(result, "K"), v = printed_input(result, "V");
  const Numbers p = transition(result), state = first_state(result);
  bool before = true, behind = true;
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t j = 0; j < p.size(); ++j) {
      Rational r_p = scalar(result, "beta") * v[0][i] * k[0][j], p_r = r_p;  // R_1(i, j) = S_1(j, i)
      for (std::size_t l = 0; l < p.size(); ++l) r_p += s[l][i] * p[l][j], p_r += p[i][l] * s[j][l];
      before = before && r_p == state[j][i];
      behind = behind && p_r == state[j][i];
    }
  }
  EXPECT_TRUE(before) << "R_0 P_1 + beta v k^T is R_1";
  EXPECT_FALSE(behind) << "P_1 R_0 + beta v k^T is not";
}

TEST(KlaCounterexamples, AWriteMayNotStandForAValue) {
  const Result result = kla_claim("kla.appendix-mixed-terms").check(Effort{});
  const Numbers s = printed_input(result, "S_0"), k = printed_input(result, "K");
  const Numbers p = transition(result), state = first_state(result);
  const std::vector<Rational> u = first_write(result);
  bool same = true;
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t j = 0; j < p.size(); ++j) {
      Rational sum = k[0][i] * u[j];
      for (std::size_t l = 0; l < p.size(); ++l) sum += s[l][i] * p[l][j];
      same = same && sum == state[j][i];
    }
  }
  EXPECT_FALSE(same);
}

TEST(KlaCounterexamples, TheDecayOfATokenDoesNotWeighItsOwnWrite) {
  const Result result = kla_claim("kla.appendix-gamma").check(Effort{});
  const Rational alpha = scalar(result, "alpha"), s = scalar(result, "S_0"), k = scalar(result, "K");
  const Rational u = first_write(result)[0], state = first_state(result)[0][0];
  EXPECT_EQ(alpha * s + k * u, state) << "gamma_1/gamma_1 = 1";
  EXPECT_NE(alpha * s + alpha * k * u, state) << "gamma_1/gamma_0 = alpha";
}

TEST(KlaCounterexamples, AGateAloneLetsTheResidualGrow) {
  const Result result = kla_claim("kla.nonorm-stable").check(Effort{});
  EXPECT_GT(scalar(result, "beta = sigmoid(b)") * scalar(result, "|k|^2"), 2);
}

TEST(KlaCounterexamples, TheProductsOfAStepDoNotHalve) {
  const Result result = kla_claim("kla.decode-from-step-size").check(Effort{});
  const Rational d = 128;
  EXPECT_EQ(scalar(result, "products of GDN"), 4 * d * d + d) << "decay, read, write, output; beta e";
  EXPECT_EQ(scalar(result, "products of KLA"), 4 * d * d + 2 * d) << "and |k|^2";
}

TEST(KlaCounterexamples, AreTheSmallestOnes) {
  const Result product = kla_claim("kla.appendix-product-order").check(Effort{});
  EXPECT_EQ(printed_input(product, "alpha")[0].size(), 1u) << "one token is enough";
  EXPECT_EQ(printed_input(product, "S_0").size(), 2u) << "1 x 1 matrices commute";
  EXPECT_EQ(input(kla_claim("kla.proximal-end-point").check(Effort{}), "k"), "(1)");
}

}  // namespace
}  // namespace deltaproof::claims
