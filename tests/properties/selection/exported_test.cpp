#include "properties/selection/exported.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "properties/regimes/families.hpp"
#include "tests/properties/selection/histories.hpp"

// What a kernel exports, read per head and sequence, and named where it is no selection.

namespace deltaproof {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Problem hola_problem(Index tokens, Index w, Index block, Index heads = 1, Index batch = 1) {
  return regime_problem(
      *find_regime("rand_sig_gdn"), Rule::hola,
      {.tokens = tokens, .K = 8, .V = 8, .B = batch, .H = 1, .HV = heads, .cache_size = w, .cache_block = block}, 1);
}

// Two sequences of 7 and 5 tokens, packed.
Problem packed_problem() {
  const Problem whole = hola_problem(12, 2, 4, 2);
  TensorMap inputs = whole.tensors();
  inputs["cu_seqlens"] = Tensor::from(Dtype::i32, {3}, {0, 7, 12});
  return whole.with_inputs(std::move(inputs));
}

Tensor rows_of_selected(std::vector<std::int64_t> shape, const std::vector<double>& tokens) {
  return Tensor::from(Dtype::i32, std::move(shape), tokens);
}

std::string fault_in(const std::vector<double>& rows) {
  const Problem problem = hola_problem(8, 3, 2);
  const ExportedSets exported = exported_sets(rows_of_selected({1, 4, 1, 3}, rows), problem, problem.sequences()[0], 0);
  return exported.fault ? exported.fault->what : "";
}

TEST(ExportedSets, AreReadInAnyOrder) {
  const Problem problem = hola_problem(8, 3, 2);
  const Tensor selected = rows_of_selected({1, 4, 1, 3}, {-1, -1, -1, 1, 0, -1, 3, 0, 2, 4, 3, 0});
  const ExportedSets exported = exported_sets(selected, problem, problem.sequences()[0], 0);
  ASSERT_FALSE(exported.fault);
  EXPECT_EQ(exported.sets, (CacheSets{{}, {0, 1}, {0, 2, 3}, {0, 3, 4}}));
}

TEST(ExportedSets, AreThoseOfTheirHeadAndSequence) {
  const Problem problem = packed_problem();
  ASSERT_EQ(problem.sequences().size(), 2u);
  // [1, 4, 2, 2]: blocks 0, 1 of the first sequence, then of the second; heads side by side.
  const Tensor selected = rows_of_selected({1, 4, 2, 2}, {-1, -1, -1, -1, 0, 1, 2, 3, -1, -1, -1, -1, 1, 3, 0, 2});
  EXPECT_EQ(exported_sets(selected, problem, problem.sequences()[0], 1).sets, (CacheSets{{}, {2, 3}}));
  EXPECT_EQ(exported_sets(selected, problem, problem.sequences()[1], 0).sets, (CacheSets{{}, {1, 3}}));
  std::vector<double> numbers(24);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
  const Tensor scores = Tensor::from(Dtype::f32, {1, 12, 2}, numbers);
  EXPECT_EQ(exported_scores(scores, problem.sequences()[1], 1), (std::vector<double>{15, 17, 19, 21, 23}));
}

TEST(ExportedSets, NameATokenThatTheBlockDoesNotSee) {
  EXPECT_EQ(fault_in({-1, -1, -1, 1, 2, -1, 0, 1, 2, 0, 1, 2}),
            "token 2 is kept for block 1, which sees tokens before 2 alone");
  EXPECT_EQ(fault_in({0, -1, -1, 1, 0, -1, 0, 1, 2, 0, 1, 2}),
            "token 0 is kept for block 0, which sees tokens before 0 alone");
  EXPECT_EQ(fault_in({-1, -1, -1, 1, 0, -1, 0, 1, 8000000, 0, 1, 2}),
            "token 8000000 is kept for block 2, which sees tokens before 4 alone");
}

TEST(ExportedSets, NameATokenThatIsKeptTwice) {
  EXPECT_EQ(fault_in({-1, -1, -1, 1, 0, -1, 0, 3, 3, 0, 1, 2}), "token 3 is kept twice for block 2");
}

TEST(ExportedSets, NameAnEmptyPlaceThatATokenFits) {
  EXPECT_EQ(fault_in({-1, -1, -1, 1, 0, -1, 0, 3, -1, 0, 1, 2}),
            "2 tokens are kept for block 2, though 3 of the 4 before it fit");
}

TEST(ExportedSets, NameWhatIsNoToken) {
  EXPECT_EQ(fault_in({-1, -1, -1, 1, 0, -7, 0, 3, 2, 0, 1, 2}),
            "the place of a token holds -7, which is no token and not -1");
}

TEST(ExportedScores, ThatAreNaNAreNamed) {
  EXPECT_FALSE(unranked_score(std::vector<double>{1, 2}));
  const auto fault = unranked_score(std::vector<double>{1, nan});
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->token, 1);
  EXPECT_EQ(fault->what, "the score of token 1 is NaN, which has no rank");
}

TEST(ExportedSets, CannotTakeBackWhatTheyEvicted) {
  EXPECT_FALSE(returned_token({{}, {0, 1}, {1, 3}, {3, 5}}, 2));
  const auto fault = returned_token({{}, {0, 1}, {1, 3}, {0, 3}}, 2);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->what, "token 0 is kept for block 3, though it was not kept for block 2");
}

TEST(ExportedSets, AreTheTopOfTheExportedScoresToTheBit) {
  const std::vector<double> scores{3, 1, 3, 2, 3, 0};
  EXPECT_FALSE(not_exact_top_w(scores, {{}, {0, 1}, {0, 2}}, 2, 2));
  const auto later = not_exact_top_w(scores, {{}, {0, 1}, {2, 3}}, 2, 2);
  ASSERT_TRUE(later);
  EXPECT_EQ(later->what, "token 3 with score 2 is kept for block 2 in place of token 0 with score 3");
  const std::vector<double> tied{1, 1, 1, 1};
  const auto reversed = not_exact_top_w(tied, {{}, {0, 1}, {2, 3}}, 2, 2);
  EXPECT_FALSE(not_exact_top_w(tied, {{}, {0, 1}}, 2, 2));
  EXPECT_FALSE(reversed) << "block 2 has no tokens";
  const auto at_once = not_exact_top_w(std::vector<double>{1, 1, 1, 1, 1}, {{}, {0, 1}, {2, 3}}, 2, 2);
  ASSERT_TRUE(at_once);
  EXPECT_EQ(at_once->what,
            "token 3 with score 1 is kept for block 2 in place of token 0 with score 1, an equal score, where the "
            "earlier token stays");
  EXPECT_TRUE(not_exact_top_w(std::vector<double>{1, nan}, {{}}, 2, 2));
}

}  // namespace
}  // namespace deltaproof
