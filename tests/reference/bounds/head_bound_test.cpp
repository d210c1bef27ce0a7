#include <gtest/gtest.h>

#include "properties/regimes/families.hpp"
#include "reference/bounds/head_bound.hpp"

namespace deltaproof {
namespace {

Problem problem_of(const char* regime, Rule rule) {
  return regime_problem(*find_regime(regime), rule, {.tokens = 8, .K = 4, .V = 4}, 1);
}

TEST(ChooseBound, GivesEachArithmeticItsKind) {
  using Kind = BoundChoice::Kind;
  const Problem gdn = problem_of("rand_sig_gdn", Rule::gated_delta);
  EXPECT_EQ(choose_bound("fla-chunk", gdn).kind, Kind::chunk);
  EXPECT_EQ(choose_bound("nvlabs-chunk", gdn).kind, Kind::chunk);
  EXPECT_EQ(choose_bound("generic", gdn).kind, Kind::chunk);
  EXPECT_EQ(choose_bound("fla-recurrent", gdn).kind, Kind::token);
  EXPECT_EQ(choose_bound("deltaproof-chunk", gdn).kind, Kind::chunk);
  EXPECT_EQ(choose_bound("deltaproof-recurrent", gdn).kind, Kind::token);
  EXPECT_EQ(choose_bound("fp64", gdn).kind, Kind::fp64);
  EXPECT_TRUE(choose_bound("generic", gdn).assumed);
  EXPECT_FALSE(choose_bound("fla-chunk", gdn).assumed);
  EXPECT_TRUE(choose_bound("fla-chunk", gdn).exact_states);
  EXPECT_FALSE(choose_bound("fp64", gdn).exact_states);
}

TEST(ChooseBound, SaysWhatIsNotProved) {
  const BoundChoice kda =
      choose_bound("fla-kda-chunk", problem_of("rand_sig_gdn", Rule::gated_delta));
  EXPECT_EQ(kda.kind, BoundChoice::Kind::none);
  for (const char* part : {"fla-kda-chunk", "gated_delta", "bf16"}) {
    EXPECT_NE(kda.why_none.find(part), std::string::npos) << kda.why_none;
  }
  const Problem longhorn = problem_of("rand_sig_gdn", Rule::longhorn);
  for (const char* arithmetic : {"fla-chunk", "fla-recurrent", "generic", "deltaproof-chunk", "deltaproof-recurrent"}) {
    const BoundChoice choice = choose_bound(arithmetic, longhorn);
    EXPECT_EQ(choice.kind, BoundChoice::Kind::none) << arithmetic;
    EXPECT_FALSE(choice.why_none.empty()) << arithmetic;
  }
  EXPECT_EQ(choose_bound("fp64", longhorn).kind, BoundChoice::Kind::fp64);
}

TEST(CoarsestInput, IsTheOneWithTheFewestBits) {
  EXPECT_EQ(coarsest_input(problem_of("rand_sig_gdn", Rule::gated_delta)), formats::bf16);
}

// A bound kept apart is the same bound, and every boundary of the answer has one.
TEST(HeadBound, CoversEveryTokenAndBoundary) {
  const HeadInputs head = regime_head(*find_regime("rand_sig_gdn"), Rule::gated_delta,
                                      {.tokens = 21, .K = 8, .V = 5, .initial_state = true}, 1);
  const HeadAnswer answer = answer_double(head, {.every = 8, .trace = true, .u = false});
  for (const auto kind : {BoundChoice::Kind::chunk, BoundChoice::Kind::token}) {
    HeadBound bounds[2];
    for (const bool apart : {false, true}) {
      bounds[apart] = head_bound("fla-chunk", kind, head, answer, 8, formats::bf16, Matrix(),
                                 tensor_core("any"), apart);
    }
    ASSERT_EQ(bounds[0].states.size(), 3u);
    const Matrix whole = bounds[0].o.sum(21, 5), apart = bounds[1].o.sum(21, 5);
    EXPECT_GT(whole.minCoeff(), 0);
    EXPECT_GT(bounds[1].o.list().size(), 3u);
    EXPECT_LE(((whole - apart).cwiseAbs().array() / whole.array()).maxCoeff(), 0x1p-40);
  }
}

// An inexact initial state widens every bound.
TEST(HeadBound, CarriesTheInitialStatesError) {
  const HeadInputs head = regime_head(*find_regime("b_0.02_a1"), Rule::gated_delta,
                                      {.tokens = 16, .K = 8, .V = 5, .initial_state = true}, 1);
  const HeadAnswer answer = answer_double(head, {.every = 8, .trace = true, .u = false});
  const auto o_bound = [&](const Matrix& initial_error) {
    return head_bound("fla-chunk", BoundChoice::Kind::chunk, head, answer, 8, formats::bf16,
                      initial_error, tensor_core("any"), false)
        .o.sum(16, 5);
  };
  const Matrix exact = o_bound(Matrix()), inexact = o_bound(Matrix::Constant(8, 5, 0.125));
  EXPECT_TRUE((inexact.array() > exact.array()).all());
}

}  // namespace
}  // namespace deltaproof
