#include <gtest/gtest.h>

#include "properties/regimes/families.hpp"
#include "reference/problem/input_error.hpp"
#include "reference/rules/gsa.hpp"
#include "reference/rules/longhorn.hpp"
#include "reference/rules/recurrence.hpp"
#include "reference/rules/softmax.hpp"
#include "tests/reference/rules/small_heads.hpp"

namespace deltaproof {
namespace {

using Numbers = std::vector<double>;
constexpr auto ignore = [](auto&&...) {};

// k_1 = (2, 2), d_1 = (1/8)/(1 + 8/8) = 1/16; k_2 = (1, 1), d_2 = (1/2)/(1 + 2/2) = 1/4; v =
// 28, 14. S_1 = (1 - 4/16)(2, 4) + 28/16 (2, 2) = (5, 6.5), o_1 = 5/2; S_2 = (3/4)(5, 6.5) + 14/4
// (1, 1) = (7.25, 8.375), o_2 = (7.25 + 25.125)/2.
TEST(Longhorn, HandComputed) {
  HeadInputs head = two_token_head(Rule::longhorn);
  head.k = matrix_of({{2, 2}, {1, 1}});
  head.v = matrix_of({{28}, {14}});
  head.write = matrix_of({{0.125}, {0.5}});
  Numbers state = elements<double>(head.initial_state), o(2), first;
  longhorn(head, state.data(), o.data(), [&](Index t, const double* S) {
    if (t == 0) first.assign(S, S + 2);
  });
  EXPECT_EQ(first, (Numbers{5, 6.5}));
  EXPECT_EQ(o, (Numbers{2.5, 16.1875}));
  EXPECT_EQ(state, (Numbers{7.25, 8.375}));
}

TEST(Longhorn, BetaBelongsToItsValueChannel) {
  HeadInputs head = two_token_head(Rule::longhorn);
  head.V = 2;
  head.v = matrix_of({{7, 7}, {5, 5}});
  head.write = matrix_of({{0.5, 0}, {0.25, 0}});
  head.initial_state = matrix_of({{2, 2}, {4, 4}});
  Numbers state = elements<double>(head.initial_state), o(4);
  longhorn(head, state.data(), o.data(), ignore);
  EXPECT_EQ(state[1], 2) << "beta = 0 writes nothing";
  EXPECT_EQ(state[3], 4);
  EXPECT_NE(state[0], 2);
}

// With one key channel |k|^2 = k^2 and the diagonal approximation is exact.
TEST(Longhorn, IsTheClosedFormForOneKeyChannel) {
  const WorkingPrecision precision(256);
  RegimeShape shape;
  shape.tokens = 12, shape.K = 1, shape.V = 1, shape.initial_state = true;
  const HeadInputs head = regime_head(*find_regime("kla_mixnorm"), Rule::longhorn, shape, 3);
  HeadInputs exact = head;
  exact.options.rule = Rule::longhorn_exact;
  std::vector<Interval> a = elements<Interval>(head.initial_state), b = a, o(12), p(12);
  longhorn(head, a.data(), o.data(), ignore);
  recurrence(make_steps<Interval>(exact), b.data(), p.data(), NoObserver{});
  EXPECT_TRUE(intersect(a[0], b[0]));
  for (int t = 0; t < 12; ++t) EXPECT_TRUE(intersect(o[t], p[t])) << t;
}

TEST(Longhorn, RefusesOneBetaForAllChannels) {
  HeadInputs head = regime_head(*find_regime("rand_b1_a1"), Rule::longhorn, {}, 1);
  head.write = Matrix(head.write.leftCols(1));
  Numbers state(32 * 32), o(64 * 32);
  EXPECT_THROW(longhorn(head, state.data(), o.data(), ignore), InputError);
}

HeadInputs softmax_head() {
  HeadInputs head = two_token_head(Rule::softmax);  // q_1 . k_1 = 1; q_2 . k_1 = 7, q_2 . k_2 = 4
  head.initial_state = Matrix();
  return head;
}

TEST(Softmax, HandComputed) {
  const WorkingPrecision precision(128);
  std::vector<Interval> o(2), logits, weights;
  softmax_attention(softmax_head(), o.data(),
                    [&](Index, const auto& z, const auto& w) { logits = z, weights = w; });
  EXPECT_TRUE(contains(o[0], Mpfr(7)));
  // o_2 = (7 e^{7/2} + 5 e^2) / (e^{7/2} + e^2)
  const Interval heavy = exp(Interval(3.5)), light = exp(Interval(2));
  EXPECT_TRUE(intersect(o[1], (Interval(7) * heavy + Interval(5) * light) / (heavy + light)));
  EXPECT_LT(upper(o[1]) - lower(o[1]), 0x1p-40);
  EXPECT_EQ(to_double(logits[0]), 3.5);
  EXPECT_EQ(to_double(logits[1]), 2);
  EXPECT_TRUE(intersect(weights[0], heavy / (heavy + light)));
}

TEST(Softmax, EqualLogitsAverage) {
  HeadInputs head = softmax_head();
  head.q.setZero();
  Numbers o(2);
  softmax_attention(head, o.data(), ignore);
  EXPECT_EQ(o, (Numbers{7, 6}));
}

TEST(Softmax, TheSinkTakesItsShare) {
  HeadInputs head = softmax_head();
  head.q.setZero();
  head.sink = 0.0;
  Numbers o(2);
  softmax_attention(head, o.data(), ignore);
  EXPECT_EQ(o, (Numbers{3.5, 7 * (1.0 / 3) + 5 * (1.0 / 3)}));
  head.sink = 1000.0;
  softmax_attention(head, o.data(), ignore);
  EXPECT_EQ(o, (Numbers{0, 0}));
  head.sink = -1000.0;
  softmax_attention(head, o.data(), ignore);
  EXPECT_EQ(o, (Numbers{7, 6})) << "a huge negative logit must not shift the others to zero";
}

TEST(Softmax, IsCausal) {
  RegimeShape shape;
  shape.tokens = 9, shape.K = 4, shape.V = 2;
  HeadInputs head = regime_head(*find_regime("heavytail_v"), Rule::softmax, shape, 1);
  Numbers before(18), after(18);
  softmax_attention(head, before.data(), ignore);
  head.k.row(6).setConstant(3);
  head.v.row(6).setConstant(3);
  softmax_attention(head, after.data(), ignore);
  for (int t = 0; t < 9; ++t) EXPECT_EQ(before[2 * t] == after[2 * t], t < 6) << t;
}

// Two slots. a_1 = (1/2, 0), a_2 = (1, 1/2); K~_0 = (2, 4; 0, 0), V~_0 = (2; 4); k, v as in the
// head. K~_1 = (1.5, 3; 1, 2), V~_1 = (4.5; 7); K~_2 = (1.5, 3; 1, 1.5), V~_2 = (4.5; 6). Logits
// q.K~/2: q_1 = (1, 0): 0.75, 0.5; q_2 = (1, 3): 5.25, 2.75.
TEST(GatedSlots, HandComputed) {
  const WorkingPrecision precision(128);
  HeadInputs head = two_token_head(Rule::gsa);
  head.slots = 2;
  head.slot_decay = matrix_of({{0.5, 0}, {1, 0.5}});
  head.initial_state = matrix_of({{2, 4}, {0, 0}});
  head.initial_slot_values = matrix_of({{2}, {4}});
  std::vector<Interval> slot_keys = elements<Interval>(head.initial_state), o(2);
  std::vector<Interval> slot_values = elements<Interval>(head.initial_slot_values);
  std::vector<Numbers> logits;
  gated_slots(head, slot_keys.data(), slot_values.data(), o.data(),
              [&](Index, const Interval*, const Interval*, const auto& z, const auto&) {
                logits.push_back({to_double(z[0]), to_double(z[1])});
              });
  EXPECT_EQ(logits, (std::vector<Numbers>{{0.75, 0.5}, {5.25, 2.75}}));
  const auto mean = [](double z0, double z1, double v0, double v1) {
    const Interval e0 = exp(Interval(z0)), e1 = exp(Interval(z1));
    return Interval((e0 * Interval(v0) + e1 * Interval(v1)) / (e0 + e1));
  };
  EXPECT_TRUE(intersect(o[0], mean(0.75, 0.5, 4.5, 7)));
  EXPECT_TRUE(intersect(o[1], mean(5.25, 2.75, 4.5, 6)));
  EXPECT_LT(upper(o[1]) - lower(o[1]), 0x1p-40);
  Numbers keys_after, values_after;
  for (const Interval& x : slot_keys) keys_after.push_back(to_double(x));
  for (const Interval& x : slot_values) values_after.push_back(to_double(x));
  EXPECT_EQ(keys_after, (Numbers{1.5, 3, 1, 1.5}));
  EXPECT_EQ(values_after, (Numbers{4.5, 6}));
}

TEST(GatedSlots, OneSlotReadsItsValue) {
  RegimeShape shape;
  shape.tokens = 5, shape.K = 4, shape.V = 3, shape.slots = 1, shape.initial_state = true;
  const HeadInputs head = regime_head(*find_regime("rand_sig_gdn"), Rule::gsa, shape, 2);
  Numbers keys = elements<double>(head.initial_state), o(15);
  Numbers values = elements<double>(head.initial_slot_values);
  gated_slots(head, keys.data(), values.data(), o.data(), ignore);
  EXPECT_EQ(Numbers(o.end() - 3, o.end()), values);
}

}  // namespace
}  // namespace deltaproof
