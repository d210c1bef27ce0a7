#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "properties/regimes/families.hpp"
#include "properties/selection/judge_selection.hpp"
#include "reference/bounds/read_bound.hpp"
#include "reference/bounds/score_bound.hpp"
#include "tests/reference/bounds/hola_runs.hpp"

// Every family through the built-in kernels' bits: scores within their radius, sets that are right whatever is exported,
// and the output within the bound for the sets that the kernel read.

namespace deltaproof {
namespace {

std::vector<double> column(const Matrix& m) { return {m.data(), m.data() + m.rows()}; }

struct Judged {
  SelectionEvidence evidence;
  std::vector<double> scores;
  CacheSets sets;  // ascending

  explicit Judged(const HolaRun& run, const char* arithmetic, const Format& input) {
    const HolaOptions& cache = run.kernel.inputs.options.hola;
    HeadInputs head = run.kernel.inputs;
    head.normalised_in_fp32 = run.state.normalised_in_fp32;
    evidence.w = cache.cache_size, evidence.block = cache.cache_block;
    evidence.exact = column(run.exact.score);
    evidence.reference_radius = column(run.exact.score_radius);
    evidence.kernel_radius =
        column(score_bound(head, run.answer.u, run.answer.u_radius, run.bound.u.sum(head.tokens, head.V),
                           score_formats(arithmetic, formats::f32), input));
    scores = column(run.scores());
    sets = run.kernel.rows;
    for (std::vector<Index>& set : sets) std::sort(set.begin(), set.end());
  }
};

struct Counts {
  Index heads = 0, different = 0, ambiguous = 0, uninformative = 0, values = 0, outside = 0, unbounded = 0;
  double worst_score = 0, worst_o = 0;
};

void judge_sets(Judged& judged, Counts& counts) {
  for (const bool scores : {true, false}) {
    for (const bool sets : {true, false}) {
      judged.evidence.scores = scores ? &judged.scores : nullptr;
      judged.evidence.sets = sets ? &judged.sets : nullptr;
      const SelectionJudgement result = judge_selection(judged.evidence);
      EXPECT_NE(result.status, SelectionStatus::failed) << (result.fault ? result.fault->what : "");
      EXPECT_TRUE(!result.known || result.sets == judged.sets);
      counts.uninformative += result.status == SelectionStatus::uninformative;
      counts.worst_score = std::max(counts.worst_score, result.worst_score);
      if (!scores || !sets) continue;
      counts.different += result.legitimate_differences;
      counts.ambiguous += result.ambiguous;
    }
  }
}

// o = fma(s, read, o of the state): bounds of both, of the sum and of the last rounding.
void judge_output(const HolaRun& run, const Judged& judged, const char* arithmetic, const Format& input, Counts& counts) {
  const HeadInputs& head = run.kernel.inputs;
  const Matrix value = hola_outputs(run.kernel, input).cast<double>();
  const HeadAnswer exact = answer_mpfr(head, {.sets = &judged.sets}, 200);
  const ReadFormats formats = read_formats(arithmetic, head, input, input, tensor_core("any"));
  const Matrix state = run.bound.o.sum(head.tokens, head.V);
  const Matrix read = read_bound(head, judged.sets, formats, false).sum(head.tokens, head.V);
  const Matrix added = (exact.o - run.answer.o).cwiseAbs() + read;
  Matrix bound = state + read + sum_bound(run.answer.o.cwiseAbs() + state, added, formats);
  bound += (exact.o.cwiseAbs() + bound).unaryExpr([&](double x) { return half_ulp(input, x); });
  for (Index i = 0; i < value.size(); ++i) {
    const double error = std::abs(value.data()[i] - exact.o.data()[i]),
                 allowed = bound.data()[i] + exact.o_radius.data()[i];
    ++counts.values;
    counts.unbounded += !std::isfinite(allowed);
    counts.outside += error > allowed;
    if (std::isfinite(allowed)) counts.worst_o = std::max(counts.worst_o, error / allowed);
  }
}

TEST(SelectionOfBits, AndTheirOutputsAreRight) {
  Counts counts;
  for (const Regime& regime : regimes()) {
    for (const char* arithmetic : {"deltaproof-recurrent", "deltaproof-chunk"}) {
      ++counts.heads;
      const auto seed = static_cast<std::uint64_t>(counts.heads);
      const Dtype input = seed % 3 == 0 ? Dtype::f32 : Dtype::bf16;
      const HolaRun run = run_hola({.regime = regime.name,
                                    .arithmetic = arithmetic,
                                    .state_rule = seed % 4 < 2 ? Rule::gated_delta : Rule::kla,
                                    .input = input,
                                    .score = seed % 5 == 0 ? CacheScore::write_norm : CacheScore::beta_e,
                                    .block = 8},
                                   seed);
      Judged judged(run, arithmetic, dtype_format(input));
      judge_sets(judged, counts);
      judge_output(run, judged, arithmetic, dtype_format(input), counts);
    }
  }
  std::cout << counts.heads << " heads: " << counts.ambiguous << " ambiguous tokens, " << counts.different
            << " kept against the exact scores, " << counts.uninformative << " of " << 4 * counts.heads
            << " uninformative; worst score " << counts.worst_score << " of its radius; o: " << counts.values
            << " values, " << counts.unbounded << " without bound, worst " << counts.worst_o << '\n';
  EXPECT_EQ(counts.outside, 0);
  EXPECT_GT(counts.ambiguous, 0);
}

// The score of the residual without b, sets by that score, and a set that was not brought up to date are not.
TEST(SelectionOfBits, WrongScoresAndStaleSetsFail) {
  const HolaRun run = run_hola({.arithmetic = "deltaproof-recurrent", .block = 8}, 2);
  Judged judged(run, "deltaproof-recurrent", formats::bf16);
  std::vector<double> unweighted;
  for (Index t = 0; t < 40; ++t) unweighted.push_back(static_cast<double>(run.kernel.state.residual.row(t).norm()));
  judged.evidence.scores = &unweighted;
  EXPECT_EQ(judge_selection(judged.evidence).status, SelectionStatus::failed);
  judged.evidence.scores = nullptr;
  CacheSets of_e = blockwise_sets(unweighted, 8, 8), stale = judged.sets;
  judged.evidence.sets = &of_e;
  EXPECT_EQ(judge_selection(judged.evidence).status, SelectionStatus::failed);
  ASSERT_NE(stale[2], stale[1]);
  stale[2] = stale[1];
  judged.evidence.sets = &stale;
  EXPECT_EQ(judge_selection(judged.evidence).status, SelectionStatus::failed);
}

}  // namespace
}  // namespace deltaproof
