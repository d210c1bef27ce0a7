#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "reference/rules/hola.hpp"
#include "tests/reference/rules/hola_heads.hpp"
#include "tests/reference/rules/small_heads.hpp"

namespace deltaproof {
namespace {

constexpr auto ignore = [](const auto&...) {};

// One channel: with eps = 0 the read rows are gamma times a sign. Query 1 sees tokens 0 and 1: logits tau gamma_q gamma_k
// (1, -1), values 1 and 3, a sink of 1/4.
HeadInputs one_channel() {
  HeadInputs head = hola_head({2, 1, 1, 4, 2}, 1);
  head.q = matrix_of({{2}, {5}});
  head.k = matrix_of({{3}, {-7}});
  head.v = matrix_of({{1}, {3}});
  head.gamma_q = matrix_of({{2}});
  head.gamma_k = matrix_of({{0.5}});
  head.options.hola.read_eps = 0;
  return head;
}

TEST(CacheRead, HandComputed) {
  const WorkingPrecision precision(128);
  const std::vector<Interval> o = hola_layer<Interval>(one_channel()).cache_o;
  const Interval match = exp(Interval(1)), other = exp(Interval(-1)), sink = exp(Interval(0.25));
  EXPECT_TRUE(intersect(o[0], match / (match + sink)));
  EXPECT_TRUE(intersect(o[1], (match + Interval(3) * other) / (match + other + sink)));
  EXPECT_LT(upper(o[1]) - lower(o[1]), 0x1p-40);
}

// K = 4, rows of ones: rmsnorm gives rows of ones (|.|^2 = K), so z = tau K / sqrt(K) = 2 tau; flat rows have norm 1, so
// z = tau / 2.
TEST(CacheRead, LogitsAreDividedByTheRootOfK) {
  HeadInputs head = hola_head({1, 4, 1, 4, 2}, 1);
  head.q = head.k = matrix_of({{1, 1, 1, 1}});
  head.gamma_q = head.gamma_k = head.q;
  head.options.hola.read_eps = head.options.qk_l2norm_eps = 0;
  head.options.hola.tau = 3;
  for (const auto& [read, wanted] : {std::pair{CacheRead::rmsnorm, 6.0}, {CacheRead::l2, 1.5}}) {
    head.options.hola.read = read;
    std::vector<double> o(1);
    cache_read(head, {{}}, o.data(), [&, z = wanted](const auto&, Index, const auto& logits, const auto&) {
      EXPECT_EQ(logits, std::vector<double>{z});
    });
  }
}

// The eps of RMSNorm stands beside the mean, inside the root: x / sqrt(4 + 5) for x = 2, not x / (2 + sqrt 5).
TEST(CacheRead, EpsIsInsideTheRoot) {
  HeadInputs head = one_channel();
  head.options.hola.read_eps = 5;
  EXPECT_DOUBLE_EQ(read_rows<double>(head, head.q, matrix_of({{1}}))[0], 2.0 / 3);
  head.options.hola.read = CacheRead::l2;
  head.options.qk_l2norm_eps = 12;
  EXPECT_DOUBLE_EQ(read_rows<double>(head, head.q, matrix_of({{9}}))[0], 0.5) << "the flat read has no gamma";
}

TEST(CacheRead, TheGateIsASigmoid) {
  HeadInputs head = one_channel();
  head.cache_gate = 0;
  const HolaLayer<double> layer = hola_layer<double>(head);
  for (std::size_t t = 0; t < 2; ++t) EXPECT_EQ(layer.o[t], layer.state_o[t] + 0.5 * layer.cache_o[t]);
  const WorkingPrecision precision(128);
  for (const double x : {-800.0, -4.0, 0.0, 3.0, 800.0}) {
    EXPECT_TRUE(intersect(sigmoid<Interval>(x), Interval(1) / (Interval(1) + exp(Interval(-x))))) << x;
    EXPECT_NEAR(sigmoid<double>(x), to_double(sigmoid<Interval>(x)), 0x1p-52) << x;
  }
}

TEST(CacheRead, AClosedGateGivesTheStateAlone) {
  for (const Rule rule : {Rule::gated_delta, Rule::kla}) {
    HeadInputs head = hola_head({}, 5, rule);
    head.cache_gate = -1000;
    const HolaLayer<double> layer = hola_layer<double>(head);
    const Steps<double> steps = make_steps<double>(head.state_part());
    std::vector<double> state = elements<double>(head.initial_state), o(layer.o.size());
    recurrence(steps, state.data(), o.data(), NoObserver{});
    EXPECT_EQ(layer.o, o);
    EXPECT_EQ(layer.state, state);
    head.cache_gate = -4;
    EXPECT_NE(hola_layer<double>(head).o, o);
  }
}

// No entry at all: the null sink takes everything.
TEST(CacheRead, TheSinkAloneGivesZero) {
  const HeadInputs head = one_channel();
  BlockView<double> nothing;
  nothing.cached = -1;  // query 0 sees none
  nothing.count = 1;
  nothing.q = {1};
  double o = 7;
  read_block(head, nothing, &o, [](Index, const auto& logits, const auto& weights) {
    EXPECT_TRUE(logits.empty() && weights.empty());
  });
  EXPECT_EQ(o, 0);
}

TEST(CacheRead, WeightsSumToAtMostOneAndTheSinkTakesTheRest) {
  const WorkingPrecision precision(200);
  HeadInputs head = hola_head({}, 6);
  const HolaLayer<Interval> layer = hola_layer<Interval>(head);
  std::vector<Interval> o(layer.o.size());
  Index queries = 0;
  cache_read(head, layer.sets, o.data(), [&](const auto&, Index, const auto& logits, const auto& weights) {
    Interval sum(0), exponentials = exp(Interval(*head.sink));
    for (const Interval& w : weights) sum += w;
    for (const Interval& z : logits) exponentials += exp(z);
    EXPECT_LT(upper(sum), 1);
    EXPECT_TRUE(intersect(Interval(1) - sum, exp(Interval(*head.sink)) / exponentials));
    ++queries;
  });
  EXPECT_EQ(queries, head.tokens);
  head.sink.reset();
  cache_read(head, layer.sets, o.data(), [&](const auto&, Index, const auto&, const auto& weights) {
    Interval sum(0);
    for (const Interval& w : weights) sum += w;
    EXPECT_TRUE(contains(sum, Mpfr(1)));
  });
}

TEST(CacheRead, AQuerySeesTheCacheAndItsBlockUpToItselfAndNoTokenTwice) {
  for (const HolaShape shape : {HolaShape{}, {24, 6, 3, 0, 5}, {24, 6, 3, 30, 7}, {5, 6, 3, 2, 8}, {9, 6, 3, 3, 1}}) {
    const HeadInputs head = hola_head(shape, 7);
    const HolaLayer<double> layer = hola_layer<double>(head);
    std::vector<double> o(layer.o.size());
    cache_read(head, layer.sets, o.data(), [&](const BlockView<double>& view, Index i, const auto& z, const auto&) {
      const std::set<Index> seen(view.tokens.begin(), view.tokens.begin() + view.visible(i));
      EXPECT_EQ(static_cast<Index>(z.size()), view.visible(i));
      EXPECT_EQ(static_cast<Index>(seen.size()), view.visible(i)) << "a token twice";
      EXPECT_LE(view.visible(i) + 1, shape.w + shape.block + 1) << "with the sink";
      EXPECT_EQ(*seen.rbegin(), view.begin + i) << "the query's own token is the last";
    });
    EXPECT_EQ(o, layer.cache_o);
  }
}

TEST(CacheRead, RefusesSetsThatNoBlockCanHave) {
  const HeadInputs head = hola_head({8, 2, 1, 3, 4}, 8);
  std::vector<double> o(8);
  for (const std::vector<Index>& set : {std::vector<Index>{4}, {-1}, {1, 1}, {2, 1}})
    EXPECT_THROW(cache_read(head, {{}, set}, o.data(), ignore), InputError);
  EXPECT_THROW(cache_read(head, {{0}, {}}, o.data(), ignore), InputError);
  EXPECT_THROW(cache_read(head, {{}}, o.data(), ignore), InputError);
  EXPECT_NO_THROW(cache_read(head, {{}, {0, 3}}, o.data(), ignore));
  HeadInputs without = head;
  without.gamma_k = Matrix();
  EXPECT_THROW(cache_read(without, {{}, {}}, o.data(), ignore), InputError);
}

}  // namespace
}  // namespace deltaproof
