#include <gtest/gtest.h>

#include "properties/regimes/families.hpp"
#include "reference/rules/chunk_wy.hpp"
#include "reference/rules/recurrence.hpp"
#include "tests/reference/rules/small_heads.hpp"

// The token recurrence and the chunk (WY) form are two routes to one answer. Judged without a
// tolerance: the intervals of both routes enclose the exact answer, so they must meet; MPFR runs of
// the same texts at the same precision lie within them; and the intervals are narrow enough to mean
// something.

namespace deltaproof {
namespace {

// Intervals lose about log2(1 + b |k|^2) bits a token (wrapping): ten bits for the largest keys
// (kla_mixnorm under a plain delta rule), in 24 tokens.
constexpr int kBits = 512;

template <class R>
struct Trajectory {
  std::vector<R> o, u, state;
};

template <class R>
struct RecordWrites {
  std::vector<R>& u;
  Index V;
  void operator()(Index t, Index first, Index columns, const R*, Index, const R*,
                  const R* w) const {
    for (Index c = 0; c < columns; ++c) u[t * V + first + c] = w[c];
  }
};

template <class R>
Trajectory<R> by_token(const HeadInputs& head) {
  const std::vector<R> zeros(head.tokens * head.V, R(0));
  Trajectory<R> run{zeros, zeros, elements<R>(head.initial_state)};
  recurrence(make_steps<R>(head), run.state.data(), run.o.data(), RecordWrites<R>{run.u, head.V});
  return run;
}

template <class R>
Trajectory<R> by_chunk(const HeadInputs& head, Index chunk_size) {
  ChunkForm<R> form = chunk_wy<R>(head, chunk_size);
  EXPECT_EQ(form.states.size(), (head.tokens + chunk_size - 1) / chunk_size);
  return {form.o, form.u, form.states.back()};
}

template <class X, class Y, class Relation>
int count_failures(const Trajectory<X>& x, const Trajectory<Y>& y, Relation relation) {
  int failures = 0;
  const auto compare = [&](const std::vector<X>& a, const std::vector<Y>& b) {
    EXPECT_EQ(a.size(), b.size());
    EXPECT_FALSE(a.empty());
    for (std::size_t i = 0; i < a.size(); ++i) failures += !relation(a[i], b[i]);
  };
  compare(x.o, y.o);
  compare(x.u, y.u);
  compare(x.state, y.state);
  return failures;
}

// Whether the interval decides the first 40 bits of its value.
bool narrow(const Interval& x) {
  const double size = std::max(1.0, std::max(std::abs(lower(x)), std::abs(upper(x))));
  return to_double(Interval(Interval(upper(x)) - Interval(lower(x)))) <= size * 0x1p-40;
}

int count_wide(const Trajectory<Interval>& x) {
  return count_failures(x, x, [](const Interval& a, const Interval&) { return narrow(a); });
}

HeadInputs head_of(const Regime& regime, Rule rule) {
  RegimeShape shape;
  shape.tokens = 24, shape.K = 8, shape.V = 3, shape.initial_state = true;
  return regime_head(regime, rule, shape, 7);
}

class TwoRoutes : public testing::TestWithParam<Rule> {};

TEST_P(TwoRoutes, MeetOnEveryRegime) {
  const WorkingPrecision precision(kBits);
  for (const Regime& regime : regimes()) {
    SCOPED_TRACE(regime.name);
    const HeadInputs head = head_of(regime, GetParam());
    const Trajectory<Interval> token = by_token<Interval>(head);
    EXPECT_EQ(count_wide(token), 0);
    EXPECT_EQ(count_failures(token, by_token<Mpfr>(head), contains), 0);
    for (const Index chunk_size : {1, 7, 24}) {
      SCOPED_TRACE(chunk_size);
      const Trajectory<Interval> chunk = by_chunk<Interval>(head, chunk_size);
      EXPECT_EQ(count_wide(chunk), 0);
      EXPECT_EQ(count_failures(token, chunk, intersect), 0);
      EXPECT_EQ(count_failures(chunk, by_chunk<Mpfr>(head, chunk_size), contains), 0);
    }
  }
}

TEST_P(TwoRoutes, PartWhenOneInputChangesByOneUlp) {
  const WorkingPrecision precision(kBits);
  const HeadInputs head = head_of(*find_regime("rand_sig_gdn"), GetParam());
  HeadInputs other = head;
  other.k(3, 0) = std::nextafter(other.k(3, 0), 10);
  const Trajectory<Interval> token = by_token<Interval>(head), chunk = by_chunk<Interval>(other, 7);
  EXPECT_GT(count_failures(token, chunk, intersect), 0);
}

std::string rule_name(const testing::TestParamInfo<Rule>& info) {
  return std::string(rule_info(info.param).name);
}

INSTANTIATE_TEST_SUITE_P(UpdateFamily, TwoRoutes, testing::ValuesIn(update_family()), rule_name);

TEST(TwoRoutesKla, MeetForEveryVariantAndPosition) {
  const WorkingPrecision precision(kBits);
  for (const KlaVariant variant :
       {KlaVariant::standard, KlaVariant::no_norm, KlaVariant::key_norm_only,
        KlaVariant::learned_scalar, KlaVariant::single_gate})
    for (const Position position :
         {Position::one, Position::inverse, Position::inverse_sqrt, Position::inverse_log}) {
      HeadInputs head = head_of(*find_regime("kla_mixnorm"), Rule::kla);
      head.options.variant = variant;
      head.options.position = position;
      head.options.c = 0.75;
      head.options.qk_l2norm = L2Norm::q;
      const Trajectory<Interval> token = by_token<Interval>(head),
                                 chunk = by_chunk<Interval>(head, 7);
      EXPECT_EQ(count_failures(token, chunk, intersect), 0);
      EXPECT_EQ(count_failures(token, by_token<Mpfr>(head), contains), 0);
      EXPECT_EQ(count_wide(token), 0);
    }
}

}  // namespace
}  // namespace deltaproof
