// Each edit meets the entry, the row or the point that its defect names, and no other: the faulty and the right
// chunk are read side by side, value by value.
#include <gtest/gtest.h>

#include <cmath>

#include "properties/defects/faulty_bits.hpp"
#include "reference/arithmetic/float_rounding.hpp"
#include "strong_decay.hpp"

namespace deltaproof {
namespace {

// Chunk 1 of a head, from the recorded state before it.
class Chunk : public testing::Test {
 protected:
  Chunk()
      : bits_(resolve_for(strong_decay().problem, *strong_decay().outputs,
                          built_in("fla-chunk", Rule::gated_delta).value())) {}

  TextInput<Bits> inputs(std::int64_t head) const {
    const Problem& problem = strong_decay().problem;
    const HeadInputs run = head_inputs(problem, problem.sequences().front(), head);
    const auto part = [](const Matrix& m) { return MatrixF(m.middleRows(64, 64).cast<float>()); };
    TextInput<Bits> in{part(run.q), part(run.k), part(run.v), part(run.g), part(run.write), {}, {}};
    in.state = state_of(strong_decay().outputs->tensors.at("chunk_states"), problem, 0, head).cast<float>();
    in.scale = bits_.constant(run.options.scale);
    return in;
  }

  // The fault at the first place, from `place` on, that lies in this chunk: the right and the wrong step. Returns
  // that place.
  std::uint64_t read(std::string_view id, std::uint64_t place = 0) {
    for (;; ++place) {
      fault_ = fault_of(id, place);
      if (fault_.chunk == -1 || fault_.chunk == 1) break;
    }
    const std::int64_t head = std::max<std::int64_t>(fault_.head, 0);
    right_.in = inputs(head);
    wrong_.in = inputs(head);
    right_out_ = read_chunk({}, right_);
    wrong_out_ = read_chunk(fault_, wrong_);
    return place;
  }

  static std::vector<std::pair<Index, Index>> unequal(const MatrixF& x, const MatrixF& y) {
    std::vector<std::pair<Index, Index>> places;
    for (Index i = 0; i < x.rows(); ++i) {
      for (Index j = 0; j < x.cols(); ++j) {
        if (x(i, j) != y(i, j)) places.emplace_back(i, j);
      }
    }
    return places;
  }

  Bits bits_;
  Fault fault_;
  ChunkStep right_{bits_, {}}, wrong_{bits_, {}};
  TextOutput<Bits> right_out_, wrong_out_;
};

TEST_F(Chunk, MissingPairIsOneEntryOfLBelowTheDiagonal) {
  // A pair that decay keeps apart has nothing to lose; a place where it has.
  for (std::uint64_t place = 0; right_[Point::T] == wrong_[Point::T];) place = read("L_missing_ij", place) + 1;
  const MatrixF whole = MatrixF::Ones(64, 64);
  MatrixF masked = whole;
  fault_.strictly_lower(whole, masked);
  const auto places = unequal(whole, masked);
  ASSERT_EQ(places.size(), 1);
  const auto [i, j] = places[0];
  EXPECT_GT(i, j);
  EXPECT_EQ(masked(i, j), 0);
  for (const auto& [row, column] : unequal(right_[Point::T], wrong_[Point::T])) {
    EXPECT_TRUE(row >= i && column <= j) << row << ", " << column;
  }
  EXPECT_EQ(right_[Product::gram], wrong_[Product::gram]);
  EXPECT_EQ(right_[Product::scores], wrong_[Product::scores]);
}

TEST_F(Chunk, MissingDiagonalScoreIsOneEntry) {
  read("P_strict_row");
  const auto places = unequal(right_[Point::P], wrong_[Point::P]);
  ASSERT_EQ(places.size(), 1);
  EXPECT_EQ(places[0].first, places[0].second);
  EXPECT_EQ(wrong_[Point::P](places[0].first, places[0].second), 0);
  EXPECT_EQ(right_[Point::v_new], wrong_[Point::v_new]);
}

TEST_F(Chunk, FutureScoreIsOneEntryAboveTheDiagonal) {
  // Undoing much decay overflows; a place where it does not.
  for (std::uint64_t place = 0; place == 0 || !wrong_[Point::P].allFinite();) place = read("P_future_ij", place) + 1;
  const auto places = unequal(right_[Point::P], wrong_[Point::P]);
  ASSERT_EQ(places.size(), 1);
  const auto [i, j] = places[0];
  EXPECT_LT(i, j);
  // q_i k_j e^{G_i - G_j} in double; rounded to bf16 with the errors of fp32 before it, which |G| below 2^8 keeps
  // under 2^-14: within half a unit, 2^-9, of it and that.
  double G = 0;
  for (Index t = i + 1; t <= j; ++t) G -= static_cast<double>(right_.in.g(t, 0));
  const double exact = static_cast<double>(right_[Product::scores](i, j)) * std::exp(G);
  EXPECT_NEAR(static_cast<double>(wrong_[Point::P](i, j)), exact, std::abs(exact) * (0x1p-8 + 0x1p-13));
}

TEST_F(Chunk, CornerOfTheInverseIsItsLastRowAndFirstColumn) {
  read("T_corner0");
  EXPECT_EQ(wrong_[Point::T](63, 0), 0);
  wrong_.stored[static_cast<std::size_t>(Point::T)](63, 0) = right_[Point::T](63, 0);
  EXPECT_EQ(wrong_[Point::T], right_[Point::T]);
}

TEST_F(Chunk, UndecayedKeysAreThoseOfTheStepBefore) {
  read("w_nogate");
  EXPECT_NE(right_[Point::k_beta_decayed], right_[Point::k_beta]);
  EXPECT_EQ(wrong_[Point::k_beta_decayed], right_[Point::k_beta]);
  EXPECT_EQ(wrong_[Point::u], right_[Point::u]);
}

TEST_F(Chunk, DroppedChannelIsDroppedInOneProductAlone) {
  read("kchan_kkt");
  EXPECT_NE(wrong_[Product::gram], right_[Product::gram]);
  EXPECT_EQ(wrong_[Product::scores], right_[Product::scores]);
  read("kchan_qk");
  EXPECT_EQ(wrong_[Product::gram], right_[Product::gram]);
  EXPECT_NE(wrong_[Product::scores], right_[Product::scores]);
}

TEST_F(Chunk, DroppedChannelOfTheUpdateIsARowOfTheState) {
  read("kchan_S");
  EXPECT_EQ(wrong_out_.o, right_out_.o);
  const auto places = unequal(right_out_.state, wrong_out_.state);
  ASSERT_FALSE(places.empty());
  for (const auto& [i, j] : places) EXPECT_EQ(i, places[0].first);
}

TEST_F(Chunk, StaleElementIsThatOfTheStateBefore) {
  read("stale_S");
  const auto places = unequal(right_out_.state, wrong_out_.state);
  ASSERT_EQ(places.size(), 1);
  const auto [i, j] = places[0];
  EXPECT_EQ(wrong_out_.state(i, j), right_.in.state(i, j));
}

TEST_F(Chunk, LastTokenIsMissingInTheStateAlone) {
  read("S_lasttok");
  EXPECT_EQ(wrong_out_.o, right_out_.o);
  EXPECT_EQ(wrong_[Point::v_scaled], right_[Point::v_scaled]);
  EXPECT_NE(wrong_out_.state, right_out_.state);
}

TEST_F(Chunk, ReadGateOfTheTokenBefore) {
  read("qS_gate_off1");
  const MatrixF& right = right_[Product::q_state];
  const MatrixF& wrong = wrong_[Product::q_state];
  for (const Index i : {Index{0}, Index{5}, Index{63}}) {
    const auto factor = static_cast<float>(std::exp(-static_cast<double>(right_.in.g(i, 0))));
    // exp2's 2^-21 and the difference of two prefix sums of size below 2^8 in fp32.
    EXPECT_NEAR(wrong(i, 3), right(i, 3) * factor, std::abs(right(i, 3) * factor) * 0x1p-14f) << i;
  }
}

TEST_F(Chunk, ScoresInSixBits) {
  read("P_6bit");
  for (Index i = 0; i < 64; ++i) {
    const float x = wrong_[Point::P](i, i);
    EXPECT_EQ(x, round_float(x, Format{"six bits", 6, -126, 127}, PointMode::truncated));
  }
  EXPECT_NE(wrong_[Point::P], right_[Point::P]);
}

TEST_F(Chunk, AnotherLog2e) {
  read("log2e_bf16");
  EXPECT_EQ(FaultyBits(bits_, fault_, wrong_).log2e()(0, 0), 1.4453125f);
}

}  // namespace
}  // namespace deltaproof
