// Which sets of the cache are certain, and what is answered where one is not (docs/certificate.md, 7).
#include <gtest/gtest.h>

#include <algorithm>

#include "reference/oracle/hola_answer.hpp"
#include "reference/rules/hola.hpp"
#include "tests/reference/rules/hola_heads.hpp"
#include "truth.hpp"

namespace deltaproof::testing {
namespace {

double worst_ratio(const Matrix& value, const Matrix& radius, const std::vector<Mpfr>& truth) {
  double worst = 0;
  for (Index i = 0; i < value.size(); ++i)
    worst = std::max(worst, ratio(Mpfr(value.data()[i]) - truth[static_cast<std::size_t>(i)], radius.data()[i]));
  return worst;
}

class HolaCertainty : public ::testing::Test {
 protected:
  WorkingPrecision precision{truth_bits};
};

// Tokens 0 to 2 write sqrt(2) each: no double tells them apart, and which two stay is not certain until they are gone.
HeadInputs irrational_tie() {
  HeadInputs head = tied_head(6, 2, 1);
  head.v.setZero();
  for (Index t = 0; t < 6; ++t) head.v.row(t).leftCols(2).setConstant(t < 3 ? 1 : 1 + static_cast<double>(t));
  return head;
}

TEST_F(HolaCertainty, SaysWhichSetsAreNotCertain) {
  const HeadInputs head = irrational_tie();
  for (const HeadAnswer& answer : {answer_double(head, {}), answer_mpfr(head, {}, 200), answer_mpfi(head, {}, 200)}) {
    EXPECT_TRUE(sets_undecided(answer));
    EXPECT_EQ(answer.certain, (std::vector<bool>{true, true, true, false, false, true})) << answer.route;
    for (Index t = 0; t < 6; ++t)
      EXPECT_EQ(answer.o_radius.row(t).allFinite(), answer.certain[static_cast<std::size_t>(t)]) << t;
    EXPECT_EQ(answer.sets[3], (std::vector<Index>{0, 1})) << "the earlier stay";
  }
}

TEST_F(HolaCertainty, GivenSetsAreNotInDoubt) {
  const HeadInputs head = irrational_tie();
  CacheSets sets = answer_double(head, {}).sets;
  sets[3] = {1, 2};
  for (const HeadAnswer& answer : {answer_double(head, {.sets = &sets}), answer_mpfr(head, {.sets = &sets}, 200)}) {
    EXPECT_TRUE(answer.o_radius.allFinite());
    EXPECT_EQ(answer.sets, sets);
    EXPECT_FALSE(sets_undecided(answer));
    std::vector<Mpfr> read(18);
    cache_read(head, sets, read.data(), [](const auto&...) {});
    const HolaLayer<Mpfr> layer = hola_layer<Mpfr>(head);
    for (std::size_t i = 0; i < 18; ++i) read[i] = layer.state_o[i] + sigmoid<Mpfr>(head.cache_gate) * read[i];
    EXPECT_LE(worst_ratio(answer.o, answer.o_radius, read), 1);
  }
}

// More bits cannot tell equal scores apart: both searches stop.
TEST_F(HolaCertainty, SearchesForPrecisionEnd) {
  const HeadInputs head = irrational_tie();
  const AnswerTarget target{.o = Matrix::Constant(6, 3, 1e-20), .states = {}};
  EXPECT_LE(answer_within(head, {}, target).bits, 256);
  EXPECT_LE(answer_mpfi_to_width(head, {}, 1e-15).bits, 256);
}

// All scores are exactly 1. Intervals see that (radius 0), so the tie rule decides, at every t; roundings of double do
// not exclude another order.
TEST_F(HolaCertainty, ExactTiesAreDecidedWhereNothingIsRounded) {
  constexpr Index w = 4;
  for (const Index tokens : {w - 1, w, w + 1, 2 * w}) {
    const HeadInputs head = tied_head(tokens, w, 1);
    const HeadAnswer answer = answer_mpfi(head, {}, 128);
    EXPECT_FALSE(sets_undecided(answer)) << tokens;
    EXPECT_EQ(answer.score, Matrix::Ones(tokens, 1));
    for (Index n = 0; n < tokens; ++n)
      EXPECT_EQ(answer.sets[static_cast<std::size_t>(n)], first_tokens(std::min(n, w)));
    EXPECT_EQ(sets_undecided(answer_double(head, {})), tokens > w + 1);
  }
}

}  // namespace
}  // namespace deltaproof::testing
