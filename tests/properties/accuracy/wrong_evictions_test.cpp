// Wrong evictions in runs that export sets but no scores: caught, but where the scores that a right kernel may have
// really allow them.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <optional>

#include "cache_problems.hpp"
#include "properties/accuracy/cache_run.hpp"
#include "properties/regimes/generator.hpp"
#include "properties/selection/history.hpp"
#include "recordings.hpp"

namespace deltaproof {
namespace {

struct Counts {
  int injected = 0, caught = 0, overlaps = 0;
};

std::vector<double> scores_of(const Outputs& outputs, const Problem& problem, std::int64_t head) {
  return exported_scores(*outputs.find("scores"), problem.sequences()[0], head);
}

// A run that has taken token i for j and j for i when it ranked them: its sets, consistent in themselves.
CacheSets wrong_sets(std::vector<double> scores, Index i, Index j, const HolaOptions& options) {
  std::swap(scores[static_cast<std::size_t>(i)], scores[static_cast<std::size_t>(j)]);
  return blockwise_sets(scores, options.cache_size, options.cache_block);
}

// A token that some set keeps, and one that has left by then.
std::pair<Index, Index> exchange(const CacheSets& sets, Index block, Generator& g) {
  const int n = g.integer(1, static_cast<int>(sets.size()) - 1);
  const std::vector<Index>& set = sets[static_cast<std::size_t>(n)];
  std::vector<Index> left;
  for (Index t = 0; t < n * block; ++t)
    if (!std::binary_search(set.begin(), set.end(), t)) left.push_back(t);
  return {set[static_cast<std::size_t>(g.integer(0, static_cast<int>(set.size()) - 1))],
          left[static_cast<std::size_t>(g.integer(0, static_cast<int>(left.size()) - 1))]};
}

void export_sets(Outputs& outputs, const Problem& problem, std::int64_t head, const CacheSets& sets) {
  for (std::size_t n = 0; n < sets.size(); ++n) {
    std::vector<std::int64_t> row(static_cast<std::size_t>(problem.dims().cache), -1);
    std::copy(sets[n].begin(), sets[n].end(), row.begin());
    set_selected_row(outputs, problem, static_cast<std::int64_t>(n), head, row);
  }
}

// Where the right scores of a head lie, and those that a right kernel may rank by.
ScoreIntervals allowed_scores(const Problem& problem, const Outputs& outputs, std::int64_t head) {
  const Problem state = problem.state_part();
  const JudgeContext context{state, outputs, "deltaproof-chunk", choose_bound("deltaproof-chunk", state),
                             *find_tensor_core("any")};
  const std::vector<Unit> units = plan_units(state, outputs, context.choice);
  ScoreIntervals hull;
  for (const Rows rows : row_hypotheses(state, context.choice)) {
    const HeadScores scores = scores_of_heads(context, problem, units, {}, rows).at({0, head});
    std::vector<double> radius;
    for (std::size_t t = 0; t < scores.exact.size(); ++t)
      radius.push_back(scores.reference_radius[t] + scores.kernel_radius[t]);
    const ScoreIntervals one = score_intervals(scores.exact, radius);
    if (hull.lo.empty()) hull = one;
    for (std::size_t t = 0; t < hull.lo.size(); ++t) {
      hull.lo[t] = std::min(hull.lo[t], one.lo[t]);
      hull.hi[t] = std::max(hull.hi[t], one.hi[t]);
    }
  }
  return hull;
}

// A vector of scores within the intervals that ranks as the sets do shows that nothing was missed.
void expect_overlap(const Problem& problem, const Outputs& outputs, std::int64_t head, const CacheSets& sets) {
  const HolaOptions& options = problem.options().hola;
  const ScoreIntervals allowed = allowed_scores(problem, outputs, head);
  const std::optional<std::vector<double>> scores = witness(allowed, sets, options.cache_block);
  ASSERT_TRUE(scores) << "accepted, though no scores explain it";
  for (std::size_t t = 0; t < scores->size(); ++t) {
    EXPECT_GE((*scores)[t], allowed.lo[t]);
    EXPECT_LE((*scores)[t], allowed.hi[t]);
  }
  EXPECT_EQ(blockwise_sets(*scores, options.cache_size, options.cache_block), sets);
}

void inject(const Problem& problem, const Outputs& right, std::int64_t head, Generator& g, Counts& counts) {
  const HolaOptions& options = problem.options().hola;
  const std::vector<double> scores = scores_of(right, problem, head);
  const CacheSets sets = blockwise_sets(scores, options.cache_size, options.cache_block);
  const auto [kept, left] = exchange(sets, options.cache_block, g);
  const CacheSets wrong = wrong_sets(scores, kept, left, options);
  if (wrong == sets) return;  // their scores are equal
  Outputs outputs = right;
  outputs.tensors.erase("scores");
  outputs.tensors.erase("o");  // the reads would give most of them away
  export_sets(outputs, problem, head, wrong);
  const Verdict verdict = judge_by_bound_alone(problem, outputs);
  ++counts.injected;
  if (verdict.status == Status::failed) {
    EXPECT_EQ(verdict.first_bad.tensor, "selected") << describe(verdict);
    ++counts.caught;
    return;
  }
  ++counts.overlaps;
  expect_overlap(problem, outputs, head, wrong);
}

TEST(WrongEvictions, AreCaughtButWhereScoresOverlap) {
  Counts counts;
  for (const char* regime : {"typical", "facts", "near_scores", "equal_scores", "outlier", "near_parallel"}) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const Problem problem = cache_problem(regime, seed, {}, seed % 2 == 0 ? Dtype::bf16 : Dtype::f32);
      const Outputs right = cache_outputs(problem);
      Generator g(seed, {0x657669637473});
      for (int i = 0; i < 8; ++i) inject(problem, right, i % 2, g, counts);
    }
  }
  std::cout << counts.injected << " wrong evictions: " << counts.caught << " caught, " << counts.overlaps
            << " within overlapping intervals\n";
  EXPECT_GT(counts.caught, counts.injected / 2);
  EXPECT_GT(counts.overlaps, 0) << "near ties must be among them";
  EXPECT_EQ(counts.caught + counts.overlaps, counts.injected);
}

TEST(WrongEvictions, AreAllCaughtWithTheScores) {
  const Problem problem = cache_problem("near_scores", 1, {}, Dtype::f32);
  const Outputs right = cache_outputs(problem);
  const HolaOptions& options = problem.options().hola;
  const std::vector<double> scores = scores_of(right, problem, 0);
  int injected = 0;
  const CacheSets sets = blockwise_sets(scores, options.cache_size, options.cache_block);
  Generator g(1, {0x706169});
  for (Index i = 0; i < 20; ++i) {
    const auto [kept, left] = exchange(sets, options.cache_block, g);
    const CacheSets wrong = wrong_sets(scores, kept, left, options);
    if (wrong == sets) continue;
    Outputs outputs = right;
    export_sets(outputs, problem, 0, wrong);
    ++injected;
    EXPECT_EQ(judge(problem, outputs).status, Status::failed) << i;
  }
  EXPECT_GT(injected, 5);
}

}  // namespace
}  // namespace deltaproof
