#include <gtest/gtest.h>

#include "reference/rules/recurrence.hpp"
#include "tests/reference/rules/small_heads.hpp"

// Cases small enough to do by hand, one for each rule. All numbers are dyadic, so double is exact.

namespace deltaproof {
namespace {

using Numbers = std::vector<double>;

struct Result {
  Numbers o, state;
};

// exp of a gate is never dyadic but for g = 0, so decays are put in after make_steps.
Result run(const HeadInputs& head, const Numbers& alpha) {
  Steps<double> steps = make_steps<double>(head);
  EXPECT_EQ(steps.alpha.size(), alpha.size());
  if (!alpha.empty()) steps.alpha = alpha;
  Result result{Numbers(2), elements<double>(head.initial_state)};
  recurrence(steps, result.state.data(), result.o.data(), NoObserver{});
  return result;
}

const Matrix kAnyGate = matrix_of({{-1}, {-1}});
const Matrix kAnyChannelGates = matrix_of({{-1, -1}, {-1, -1}});

// S_1 = (2, 4) + 7 (1, 2) = (9, 18), o_1 = 9/2; S_2 = (9, 18) + 5 (1, 1) = (14, 23), o_2 = (14 +
// 69)/2.
TEST(HandComputed, Linear) {
  const Result r = run(two_token_head(Rule::linear), {});
  EXPECT_EQ(r.o, (Numbers{4.5, 41.5}));
  EXPECT_EQ(r.state, (Numbers{14, 23}));
}

// alpha = 1/2: S_1 = (1, 2) + (7, 14) = (8, 16), o_1 = 4; S_2 = (4, 8) + (5, 5) = (9, 13), o_2 =
// 48/2.
TEST(HandComputed, ScalarDecay) {
  HeadInputs head = two_token_head(Rule::scalar_decay);
  head.g = kAnyGate;
  const Result r = run(head, {0.5, 0.5});
  EXPECT_EQ(r.o, (Numbers{4, 24}));
  EXPECT_EQ(r.state, (Numbers{9, 13}));
}

// alpha_1 = (1/2, 1/4), alpha_2 = (1, 1/2): S_1 = (1, 1) + (7, 14) = (8, 15), o_1 = 4;
// S_2 = (8, 7.5) + (5, 5) = (13, 12.5), o_2 = (13 + 37.5)/2.
TEST(HandComputed, VectorDecay) {
  HeadInputs head = two_token_head(Rule::vector_decay);
  head.g = kAnyChannelGates;
  const Result r = run(head, {0.5, 0.25, 1, 0.5});
  EXPECT_EQ(r.o, (Numbers{4, 25.25}));
  EXPECT_EQ(r.state, (Numbers{13, 12.5}));
}

// beta = 1/2, 1/4. e_1 = 7 - 10 = -3, w = -3/2, S_1 = (0.5, 1), o_1 = 1/4;
// e_2 = 5 - 1.5 = 3.5, w = 0.875, S_2 = (1.375, 1.875), o_2 = (1.375 + 5.625)/2.
TEST(HandComputed, Delta) {
  HeadInputs head = two_token_head(Rule::delta);
  head.write = matrix_of({{0.5}, {0.25}});
  const Result r = run(head, {});
  EXPECT_EQ(r.o, (Numbers{0.25, 3.5}));
  EXPECT_EQ(r.state, (Numbers{1.375, 1.875}));
}

// alpha = 1/2, beta = 1/2, 1/4. S~ = (1, 2), e_1 = 7 - 5 = 2, w = 1, S_1 = (2, 4), o_1 = 1;
// S~ = (1, 2), e_2 = 5 - 3 = 2, w = 1/2, S_2 = (1.5, 2.5), o_2 = 9/2.
const Result kGatedDelta{{1, 4.5}, {1.5, 2.5}};

TEST(HandComputed, GatedDelta) {
  HeadInputs head = two_token_head(Rule::gated_delta);
  head.g = kAnyGate;
  head.write = matrix_of({{0.5}, {0.25}});
  const Result r = run(head, {0.5, 0.5});
  EXPECT_EQ(r.o, kGatedDelta.o);
  EXPECT_EQ(r.state, kGatedDelta.state);
}

// |k|^2 = 5 and 2; with eps = 3, eta_1 = 4 gives b = 4/8 and eta_2 = 5/4 gives 1/4: as above.
TEST(HandComputed, Kla) {
  HeadInputs head = two_token_head(Rule::kla);
  head.options.eps = 3;
  head.g = kAnyGate;
  head.write = matrix_of({{4}, {1.25}});
  const Result r = run(head, {0.5, 0.5});
  EXPECT_EQ(r.o, kGatedDelta.o);
  EXPECT_EQ(r.state, kGatedDelta.state);
}

// alpha_1 = (1/2, 1/4), alpha_2 = (1, 1/2), beta = 1/2, 1/4. S~ = (1, 1), e_1 = 7 - 3 = 4, w = 2,
// S_1 = (3, 5), o_1 = 3/2; S~ = (3, 2.5), e_2 = 5 - 5.5 = -1/2, w = -1/8, S_2 = (2.875, 2.375), o_2
// = 10/2.
TEST(HandComputed, VectorDecayDelta) {
  HeadInputs head = two_token_head(Rule::vector_decay_delta);
  head.g = kAnyChannelGates;
  head.write = matrix_of({{0.5}, {0.25}});
  const Result r = run(head, {0.5, 0.25, 1, 0.5});
  EXPECT_EQ(r.o, (Numbers{1.5, 5}));
  EXPECT_EQ(r.state, (Numbers{2.875, 2.375}));
}

// k_1 = (2, 2), beta_1 = 1/8: b = (1/8)/(1 + 1) = 1/16; k_2 = (1, 1), beta_2 = 1/2: b = (1/2)/2 =
// 1/4. v = 28, 14. e_1 = 28 - 12 = 16, w = 1, S_1 = (4, 6), o_1 = 2; e_2 = 14 - 10 = 4, w = 1, S_2
// = (5, 7), o_2 = 13.
TEST(HandComputed, LonghornExactWithoutDecay) {
  HeadInputs head = two_token_head(Rule::longhorn_exact);
  head.k = matrix_of({{2, 2}, {1, 1}});
  head.v = matrix_of({{28}, {14}});
  head.write = matrix_of({{0.125}, {0.5}});
  const Result r = run(head, {});
  EXPECT_EQ(r.o, (Numbers{2, 13}));
  EXPECT_EQ(r.state, (Numbers{5, 7}));
}

// The same with alpha = 1/2: S~ = (1, 2), e_1 = 28 - 6 = 22, w = 1.375, S_1 = (3.75, 4.75), o_1
// = 1.875; S~ = (1.875, 2.375), e_2 = 14 - 4.25 = 9.75, w = 2.4375, S_2 = (4.3125, 4.8125), o_2
// = 18.75/2.
TEST(HandComputed, LonghornExactWithDecay) {
  HeadInputs head = two_token_head(Rule::longhorn_exact);
  head.k = matrix_of({{2, 2}, {1, 1}});
  head.v = matrix_of({{28}, {14}});
  head.write = matrix_of({{0.125}, {0.5}});
  head.g = kAnyGate;
  const Result r = run(head, {0.5, 0.5});
  EXPECT_EQ(r.o, (Numbers{1.875, 9.375}));
  EXPECT_EQ(r.state, (Numbers{4.3125, 4.8125}));
}

}  // namespace
}  // namespace deltaproof
