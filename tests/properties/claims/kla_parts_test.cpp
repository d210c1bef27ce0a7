#include <gtest/gtest.h>

#include <set>

#include "properties/claims/kla_chunk.hpp"
#include "properties/claims/kla_count.hpp"
#include "properties/claims/kla_search.hpp"
#include "properties/claims/kla_step.hpp"

// What the Kaczmarz claims are checked with.
namespace deltaproof::claims {
namespace {

TEST(KlaSteps, ComeSmallestFirstAndReachTheEdges) {
  const std::vector<Step> all = steps(Effort{}, {.decay = {1, 0}, .eta = {1}, .eps = {0, 1}, .zero_keys = true});
  bool zero_key = false, huge = false, tiny = false, wide = false, zero_decay = false;
  std::size_t last = 0;
  for (const Step& step : all) {
    const std::size_t entries = step.k.size() * step.v.size();
    EXPECT_GE(entries, last);
    last = entries;
    zero_key = zero_key || squared_norm(step.k) == 0;
    zero_decay = zero_decay || step.decay == 0;
    wide = wide || (step.k.size() == 4 && step.v.size() == 3);
    for (const Rational& each : step.k) {
      huge = huge || each > Rational("1000000000000000000000000");
      tiny = tiny || (each > 0 && each < Rational(1, 1000000000));
    }
  }
  EXPECT_TRUE(zero_key && huge && tiny && wide && zero_decay);
}

TEST(KlaSteps, HaveNoZeroKeyUnlessAsked) {
  for (const Step& step : steps(Effort{}, {})) EXPECT_NE(squared_norm(step.k), 0);
}

TEST(KlaSteps, TheProofGridHasAllOfItsPoints) {
  std::set<std::string> points;
  for (const Step& step : proof_grid()) points.insert(text(step.before) + text(step.k) + text(step.v) + text(step.eta));
  EXPECT_EQ(points.size(), 256u);
}

TEST(KlaSteps, HaveNoCoefficientWhereItDividesByZero) {
  EXPECT_FALSE(coefficient({RationalMatrix(1, 1), 1, {0}, {1}, 1, 0}).has_value());
  EXPECT_EQ(coefficient({RationalMatrix(1, 1), 1, {2}, {1}, Rational(1, 2), 1}).value(), Rational(1, 10));
}

TEST(KlaSearch, TriedNothingShowsNothing) {
  const auto never = [](int) -> Fault { return std::nullopt; };
  const auto inputs = [](int) { return std::vector<Named>{}; };
  EXPECT_EQ(search(std::vector<int>{}, never, inputs).outcome, Outcome::undecidable);
  EXPECT_EQ(search(std::vector<int>{1}, never, inputs).outcome, Outcome::holds);
}

TEST(KlaSearch, StopsAtTheFirstInstanceThatIsAtFault) {
  const Result result = search(
      std::vector<int>{1, 2, 3, 4}, [](int i) -> Fault { return i >= 3 ? Fault("too large") : std::nullopt; },
      [](int i) {
        return std::vector<Named>{{"i", std::to_string(i)}};
      });
  EXPECT_EQ(result.outcome, Outcome::refuted);
  EXPECT_EQ(result.cases, 3);
  EXPECT_EQ(result.counterexample->inputs.at(0).value, "3");
}

/// 4 dk dv + dv products a token: decay, read of k, write, output; beta e. KLA: |k|^2, too.
TEST(KlaCount, ATokenTakesWhatItsFormulasTake) {
  for (const std::int64_t dk : {1, 2, 5}) {
    for (const std::int64_t dv : {1, 3, 4}) {
      EXPECT_EQ(recurrence_work(Rule::gated_delta, dk, dv, 3).products, 3 * (4 * dk * dv + dv));
      EXPECT_EQ(recurrence_work(Rule::kaczmarz, dk, dv, 3).products, 3 * (4 * dk * dv + dv + dk));
      EXPECT_EQ(recurrence_work(Rule::gated_delta, dk, dv, 3).quotients, 0);
      EXPECT_EQ(recurrence_work(Rule::kaczmarz, dk, dv, 3).quotients, 3);
    }
  }
}

TEST(KlaCount, AChunkTakesWhatItsFormulasTake) {
  const std::int64_t dk = 3, dv = 2, c = 4, below = c * (c - 1) / 2, with = c * (c + 1) / 2;
  const std::int64_t writes = (c - 1) + c * (dk * dv + dv + dk + dv) + below * (1 + dk + dv);
  const std::int64_t reads = c * (dk * dv + dv) + with * (1 + dk + dv);
  const std::int64_t state = dk * dv + c * (dk + dk * dv);
  EXPECT_EQ(chunk_work(Rule::kaczmarz, dk, dv, c, 1).products, writes + reads + state);
  EXPECT_EQ(chunk_work(Rule::kaczmarz, dk, dv, c, 5).products, 5 * (writes + reads + state));
}

TEST(KlaChunks, TheEquationsRefuseAZeroDecayAndProductsDoNot) {
  const RationalMatrix one = RationalMatrix::identity(1);
  const Chunk chunk{one, {0}, {1}, one, one, one};
  EXPECT_FALSE(in_parallel_form(chunk, {}).has_value());
  Form products;
  products.ratio = product_ratio;
  ASSERT_TRUE(in_parallel_form(chunk, products).has_value());
  EXPECT_EQ(in_parallel_form(chunk, products)->after, recur(chunk).states.back());
}

TEST(KlaChunks, RatiosOfTwoTokens) {
  const RationalVector decay{Rational(1, 2), Rational(1, 3)};
  EXPECT_EQ(quotient_ratio(decay, 1, 0).value(), Rational(1, 3));
  EXPECT_EQ(product_ratio(decay, 1, 0).value(), Rational(1, 3));
  EXPECT_EQ(quotient_before(decay, 1, 0).value(), Rational(1, 6));
  EXPECT_EQ(quotient_ratio(decay, 1, 1).value(), 1);
}

}  // namespace
}  // namespace deltaproof::claims
