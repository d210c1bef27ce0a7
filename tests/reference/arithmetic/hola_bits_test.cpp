// HOLA's scores, rows and read to the bit, on numbers whose results are known by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/arithmetic/hola_bits.hpp"
#include "reference/arithmetic/warp_dot.hpp"

namespace deltaproof {
namespace {

// K = 4, V = 2, RMSNorm with gammas 1, an open sink at 0, gate 0: half of the read is added.
HolaHead head_of(Index tokens, std::int64_t w, std::int64_t block) {
  HolaHead head;
  HeadInputs& in = head.inputs;
  in.options.rule = Rule::hola;
  in.options.hola.cache_size = w, in.options.hola.cache_block = block;
  in.tokens = tokens, in.K = 4, in.V = 2;
  in.q = in.k = Matrix::Zero(tokens, 4);
  in.v = Matrix::Zero(tokens, 2);
  for (Index t = 0; t < tokens; ++t) in.v.row(t) << 3.0 * static_cast<double>(t + 1), -6.0;
  in.write = Matrix::Ones(tokens, 1);
  in.sink = 0;
  in.gamma_q = in.gamma_k = Matrix::Ones(1, 4);
  head.state.o = MatrixF::Zero(tokens, 2);
  head.state.written = MatrixF::Zero(tokens, 2);
  head.scores.assign(static_cast<std::size_t>(tokens), 0.0f);
  return head;
}

TEST(HolaBits, AWarpAddsLanesThatItFused) {
  Eigen::RowVectorXf x = Eigen::RowVectorXf::Zero(40), y = x;
  x(0) = 1, y(0) = 1;
  x(1) = y(1) = x(3) = y(3) = 0x1p-12f;  // lanes 1 and 3 are added before lane 0, where each alone is lost
  EXPECT_EQ(warp_dot(x, y), 1.0f + 0x1p-23f);
  x(1) = x(3) = 0, y(0) = -1;
  x(32) = y(32) = 1 + 0x1p-12f;  // the second element of lane 0, fused
  EXPECT_EQ(warp_dot(x, y), 0x1p-11f + 0x1p-24f);
}

TEST(HolaBits, ScoresAreLengthsOfWhatIsWritten) {
  HolaHead head = head_of(3, 2, 2);
  head.state.written << 3, 4, 0, -2, 0.6f, 0.8f;
  head.state.residual = 2 * head.state.written;
  head.inputs.k.row(0) << 0, 0, 3, 0;
  head.inputs.write << -0.5, 1, 2;
  const auto scores = [&](CacheScore score) {
    head.inputs.options.hola.score = score;
    return hola_scores(head);
  };
  EXPECT_EQ(scores(CacheScore::beta_e), (std::vector<float>{5, 2, 1}));
  EXPECT_EQ(scores(CacheScore::write_norm), (std::vector<float>{15, 0, 0}));
  EXPECT_EQ(scores(CacheScore::e), (std::vector<float>{10, 4, 2}));
  EXPECT_EQ(scores(CacheScore::recency), (std::vector<float>{0, 1, 2}));
  head.inputs.v.row(0) << 3, -4;
  EXPECT_EQ(scores(CacheScore::beta_v)[0], 2.5f);
  EXPECT_THROW(scores(CacheScore::attention), std::logic_error);
  head.state.residual.resize(0, 0);
  EXPECT_THROW(scores(CacheScore::e), std::logic_error);
}

TEST(HolaBits, NormalisedKeysAreScoredWithTheLengthTheyHave) {
  HolaHead head = head_of(1, 2, 2);
  head.state.written << 3, 4;
  head.inputs.k.row(0) << 0, 0, 2, 0;
  head.inputs.options.hola.score = CacheScore::write_norm;
  head.inputs.options.qk_l2norm = L2Norm::both;
  head.inputs.options.qk_l2norm_eps = 12;  // 2 / sqrt(4 + 12)
  EXPECT_EQ(hola_scores(head).front(), 2.5f);
  head.inputs.options.qk_l2norm = L2Norm::q;
  EXPECT_EQ(hola_scores(head).front(), 10.0f);
}

TEST(HolaBits, ANanScoreIsNamed) {
  HolaHead head = head_of(3, 2, 2);
  head.head = 5, head.sequence = 7;
  EXPECT_NO_THROW(refuse_nan_score(head));
  head.scores[1] = std::numeric_limits<float>::quiet_NaN();
  try {
    refuse_nan_score(head);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "the score of token 1 of head 5 of sequence 7 is NaN");
  }
}

TEST(HolaBits, RowsAreBestFirstAndOfTiesTheEarlier) {
  HolaHead head = head_of(7, 3, 2);
  head.scores = {1, 2, 1, 2, 1, 9, 9};
  EXPECT_EQ(hola_rows(head), (CacheSets{{}, {1, 0}, {1, 3, 0}, {5, 1, 3}}));
  head.inputs.options.hola.cache_size = 0;
  EXPECT_EQ(hola_rows(head), (CacheSets{{}, {}, {}, {}}));
}

// Queries of zeros: every logit is 0, as the sink's, and every weight the same.
TEST(HolaBits, EqualLogitsShareWithTheSink) {
  HolaHead head = head_of(3, 1, 2);
  head.rows = {{}, {0}};
  const MatrixF read = hola_reads(head);
  EXPECT_EQ(read(0, 0), 1.5f);  // 3 / 2
  EXPECT_EQ(read(1, 0), 3.0f);  // (3 + 6) / 3
  EXPECT_EQ(read(2, 0), 4.0f);  // (3 + 9) / 3: of the cache and its own
  EXPECT_EQ(read(2, 1), -4.0f);
  head.rows = {{}, {}};
  EXPECT_EQ(hola_reads(head)(2, 0), 4.5f);
}

// k~ = (2, 0, 0, 0), q~ the same: z = 4 / sqrt(4) = 2 with eps 0; 2^(2 log2 e) is the instruction's.
TEST(HolaBits, LogitsAreThoseOfUnitRows) {
  HolaHead head = head_of(1, 1, 2);
  head.rows = {{}};
  head.inputs.options.hola.read_eps = 0;
  head.inputs.q.row(0) << 1, 0, 0, 0;
  head.inputs.k.row(0) << 8, 0, 0, 0;
  head.inputs.sink = 2;
  EXPECT_EQ(hola_reads(head)(0, 0), 1.5f) << "the sink has the same logit";
  head.inputs.gamma_q *= 0.5;
  head.inputs.options.hola.tau = 2;
  EXPECT_EQ(hola_reads(head)(0, 0), 1.5f);
  head.inputs.gamma_k *= 2;
  EXPECT_NE(hola_reads(head)(0, 0), 1.5f);
  head.inputs.options.hola.read = CacheRead::l2;  // z = 2 / sqrt(4)
  head.inputs.options.hola.tau = 4;
  head.inputs.options.qk_l2norm_eps = 0;
  EXPECT_EQ(hola_reads(head)(0, 0), 1.5f);
}

TEST(HolaBits, LargeLogitsDoNotOverflow) {
  HolaHead head = head_of(2, 1, 2);
  head.rows = {{}};
  head.inputs.q.setOnes(), head.inputs.k.setOnes();
  head.inputs.k.row(0) *= -1;
  head.inputs.options.hola.tau = 1e4;
  EXPECT_EQ(hola_reads(head)(1, 0), 6.0f) << "all weight on its own token";
  HolaFault fault;
  fault.shifts = false;
  EXPECT_FALSE(std::isfinite(hola_reads(head, fault)(1, 0)));
}

TEST(HolaBits, TheGateAddsTheReadToWhatIsStored) {
  HolaHead head = head_of(1, 1, 2);
  head.rows = {{}};
  head.state.o << 1, -0.0f;
  head.inputs.cache_gate = 0;
  EXPECT_EQ(hola_outputs(head, formats::f32)(0, 0), 1.75f);
  head.inputs.v(0, 0) = 0x1p-6;  // 1 + 2^-8 ties to even in bf16, and is held in fp16
  EXPECT_EQ(hola_outputs(head, formats::bf16)(0, 0), 1.0f);
  EXPECT_EQ(hola_outputs(head, formats::f16)(0, 0), 1.00390625f);
  head.inputs.cache_gate = -200;  // its sigmoid is 0 in fp32: stored bits stay, a sign of zero too
  EXPECT_TRUE(std::signbit(hola_outputs(head, formats::f32)(0, 1)));
}

}  // namespace
}  // namespace deltaproof
