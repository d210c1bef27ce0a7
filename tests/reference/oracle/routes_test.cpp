// Agreement of double, MPFR, MPFI and the chunk form; the choice of precision.
#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "heads.hpp"
#include "reference/oracle/outward.hpp"
#include "reference/rules/chunk_wy.hpp"
#include "truth.hpp"

namespace deltaproof::testing {
namespace {

constexpr AnswerRequest everything{.every = 1, .trace = true, .u = true};

TEST(Routes, IntervalsContainTheTruthAndAgreeWithTheCertificates) {
  const WorkingPrecision precision(truth_bits);
  std::vector<NamedHead> heads = update_family_heads({.tokens = 24}, 31);
  for (NamedHead& named : edge_heads({.tokens = 24}, 32)) heads.push_back(std::move(named));
  for (const NamedHead& named : heads) {
    SCOPED_TRACE(named.name);
    const Truth truth = update_truth(named.head);
    const HeadAnswer interval = answer_mpfi(named.head, everything, 300);
    const Ratios ratios = compare(interval, truth);
    EXPECT_LE(ratios.worst(), 1) << "o " << ratios.o << " state " << ratios.state << " u "
                                 << ratios.u;
    EXPECT_TRUE(ratios.certified);
    const HeadAnswer in_double = answer_double(named.head, everything);
    for (Index i = 0; i < in_double.o.size(); ++i)
      EXPECT_LE(std::abs(in_double.o.data()[i] - interval.o.data()[i]),
                in_double.o_radius.data()[i] + interval.o_radius.data()[i]);
    EXPECT_TRUE(
        (interval.trace.state.array() <= in_double.trace.state.array() * (1 + 0x1p-40) + 0x1p-1060)
            .all());
  }
}

TEST(Routes, ChunkFormAgreesWithTheRecurrence) {
  // Two routes without common code. Each element of the chunk form's interval meets the
  // recurrence's.
  const WorkingPrecision precision(300);
  for (const NamedHead& named : update_family_heads({.tokens = 50, .K = 8, .V = 4}, 33)) {
    SCOPED_TRACE(named.name);
    const ChunkForm<Interval> chunks = chunk_wy<Interval>(named.head, 16);
    const ChunkForm<Mpfr> numbers = chunk_wy<Mpfr>(named.head, 16);
    const HeadAnswer in_double = answer_double(named.head, {.every = 16, .u = true});
    const HeadAnswer in_mpfr = answer_mpfr(named.head, {.every = 16, .u = true}, 200);
    for (const HeadAnswer* answer : {&in_double, &in_mpfr}) {
      for (Index i = 0; i < answer->o.size(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        EXPECT_TRUE(contains(chunks.o[at], numbers.o[at]));
        EXPECT_LE(abs(Mpfr(answer->o.data()[i]) - numbers.o[at]), Mpfr(answer->o_radius.data()[i]));
        EXPECT_LE(abs(Mpfr(answer->u.data()[i]) - numbers.u[at]), Mpfr(answer->u_radius.data()[i]));
      }
      for (std::size_t n = 0; n < answer->states.size(); ++n)
        for (Index i = 0; i < answer->states[n].size(); ++i)
          EXPECT_LE(abs(Mpfr(answer->states[n].data()[i]) -
                        numbers.states[n][static_cast<std::size_t>(i)]),
                    Mpfr(answer->state_radius[n][i % named.head.V]));
    }
  }
}

TEST(Routes, IntervalsReachTheWidthAskedFor) {
  const HeadInputs head = random_head(Rule::delta, {.tokens = 64, .K = 16, .V = 3}, 34);
  const HeadAnswer answer = answer_mpfi_to_width(head, everything, 0x1p-50);
  for (Index i = 0; i < answer.o.size(); ++i)
    EXPECT_LE(2 * answer.o_radius.data()[i], 0x1p-50 * std::max(1.0, std::abs(answer.o.data()[i])));
  EXPECT_EQ(answer_mpfi_to_width(head, {}, 0, 256).bits,
            256);  // an impossible wish ends at the limit
}

TEST(Routes, IntervalsDoubleTheirPrecisionUntilItIsEnough) {
  const HeadInputs head = random_head(Rule::delta, {.tokens = 256, .K = 16, .V = 3}, 34);
  const int bits = answer_mpfi_to_width(head, everything, 0x1p-40).bits;
  EXPECT_GT(bits, 128);  // or nothing was doubled
  EXPECT_LT(bits, 8192);
  EXPECT_GT(2 * answer_mpfi(head, everything, bits / 2).o_radius.maxCoeff(), 0x1p-40);
}

AnswerTarget target_for(const HeadInputs& head, double o, double state) {
  AnswerTarget target;
  target.o = Matrix::Constant(head.tokens, head.V, o);
  target.states.push_back(Matrix::Constant(head.K, head.V, state));
  return target;
}

TEST(Within, StaysInDoubleWhereThatIsEnough) {
  const HeadInputs head = random_head(Rule::gated_delta, {}, 35);
  const HeadAnswer answer = answer_within(head, {}, target_for(head, 1e-10, 1e-10));
  EXPECT_EQ(answer.route, "double");
  EXPECT_EQ(answer.bits, 53);
}

TEST(Within, TakesThePrecisionThatTheCertificateAsksFor) {
  HeadInputs head = random_head(Rule::delta, {.tokens = 60, .K = 16, .V = 3}, 36);
  for (Index t = 0; t < head.tokens; ++t) head.write(t, 0) = 100 / head.k.row(t).squaredNorm();
  const HeadAnswer in_double = answer_double(head, {});
  AnswerTarget target;
  target.o =
      in_double.o.cwiseAbs() * 0x1p-40;  // the certificate of double is far above it at the end
  ASSERT_TRUE((in_double.o_radius.array() > target.o.array()).any());
  const HeadAnswer answer = answer_within(head, {}, target);
  EXPECT_EQ(answer.route, "mpfr");
  EXPECT_TRUE((answer.o_radius.array() <= answer.o.array().abs() * 0x1p-39).all());
  EXPECT_LT(answer.bits, 1200);
}

TEST(Within, MeetsATargetNearTheSpacingOfDoubles) {
  const HeadInputs head = random_head(Rule::gated_delta, {}, 37);
  AnswerTarget target;
  target.o = answer_double(head, {}).o.cwiseAbs() * 0x1p-51;
  const HeadAnswer answer = answer_within(head, {}, target);
  EXPECT_TRUE((answer.o_radius.array() <= target.o.array()).all());
}

TEST(Within, LooksAtEveryKeptState) {
  const HeadInputs head = random_head(Rule::gated_delta, {}, 41);
  const AnswerRequest halves{.every = head.tokens / 2};
  const RowVector norms = column_norm_bounds(answer_double(head, halves).states.back());
  AnswerTarget target;
  target.states = {Matrix(), 0x1p-51 * norms.replicate(head.K, 1)};  // none for the first
  const HeadAnswer answer = answer_within(head, halves, target);
  ASSERT_EQ(answer.states.size(), 2u);
  EXPECT_EQ(answer.route, "mpfr");
  EXPECT_TRUE((answer.state_radius.back().array() <= 0x1p-51 * norms.array()).all());
}

TEST(Within, EndsForTargetsThatNoDoubleMeets) {
  const HeadInputs head = random_head(Rule::gated_delta, {}, 38);
  HeadAnswer answer = answer_within(head, {}, target_for(head, 0, 0));
  EXPECT_EQ(answer.bits, 256);
  EXPECT_EQ(answer_within(head, {}, target_for(head, 0, 0), 128).bits, 128);
  EXPECT_EQ(answer_within(head, {}, target_for(head, std::nan(""), 1)).bits, 256);
  HeadInputs zero = head;
  zero.q.setZero();
  zero.initial_state.setZero();
  zero.v.setZero();
  answer = answer_within(zero, {}, target_for(zero, 0, 0));
  EXPECT_EQ(answer.o, Matrix::Zero(head.tokens, head.V));
}

TEST(Within, SaysSoWhereTheAnswerIsBeyondDouble) {
  HeadInputs head = random_head(Rule::delta, {.tokens = 256, .K = 2, .V = 2}, 39);
  for (Index t = 1; t < 256; ++t) head.k.row(t) = head.k.row(0);
  head.write.setConstant(1000 / head.k.row(0).squaredNorm());
  const HeadAnswer answer = answer_within(head, {}, target_for(head, 1e-3, 1e-3));
  EXPECT_EQ(answer.route, "mpfr");
  EXPECT_EQ(answer.bits, 256);
  EXPECT_FALSE(answer.o_radius.allFinite());
  EXPECT_TRUE(answer.o_radius.topRows(5).allFinite());
}

TEST(Routes, AnswersAreTheSameFromSeveralThreads) {
  const HeadInputs head = random_head(Rule::kla, {}, 40);
  const HeadAnswer once = answer_mpfr(head, everything, 200),
                   low = answer_mpfr(head, everything, 60);
  std::vector<HeadAnswer> answers(4);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int n = 0; n < 5; ++n)
        answers[static_cast<std::size_t>(i)] = answer_mpfr(head, everything, i % 2 == 0 ? 200 : 60);
    });
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 4; ++i) {
    const HeadAnswer& expected = i % 2 == 0 ? once : low;
    EXPECT_EQ(answers[static_cast<std::size_t>(i)].o, expected.o);
    EXPECT_EQ(answers[static_cast<std::size_t>(i)].o_radius, expected.o_radius);
    EXPECT_EQ(answers[static_cast<std::size_t>(i)].states.back(), expected.states.back());
  }
}

}  // namespace
}  // namespace deltaproof::testing
