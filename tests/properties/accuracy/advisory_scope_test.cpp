// Where the advisory tier leaves chunks out, and what it does not change.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "damage.hpp"
#include "low_entropy.hpp"
#include "properties/accuracy/advisory.hpp"
#include "properties/accuracy/emulated_outputs.hpp"
#include "recordings.hpp"

namespace deltaproof {
namespace {

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

bool found_something(const AdvisoryReport& report) { return report.sigma_outside > 0 || !report.structures.empty(); }

Problem with_chunks(const Recipe& recipe, Metadata more) {
  const Problem made = recipe.problem("fla-chunk");
  return make_problem("gated_delta", "fla-chunk", made.tensors(), std::move(more));
}

// Two blocks of tokens: in the second, keys that are nearly one, written with a coefficient near 2.
TEST(AdvisoryScope, LeavesOutAnIllConditionedChunk) {
  Recipe recipe(1);
  recipe.sizes = {.T = 128, .K = 16, .V = 16};
  recipe.g = [](std::int64_t, std::int64_t) { return 0; };
  const Recipe::OfChannel arbitrary = recipe.k;
  recipe.k = [&](std::int64_t t, std::int64_t h, std::int64_t c) {
    return t < 64 ? arbitrary(t, h, c) : (c == 0 ? 1 : 0) + 0.001 * recipe.normal();
  };
  recipe.beta = [&](std::int64_t t, std::int64_t) { return t < 64 ? 0.5 : 1.98; };
  const Problem problem = recipe.problem("fla-chunk");
  const Verdict verdict = judge_by_bound_alone(problem, emulated_outputs(problem, true));
  ASSERT_TRUE(verdict.advisory.has_value());
  EXPECT_EQ(verdict.advisory->units, 1);
  EXPECT_EQ(verdict.advisory->units_off, 1);
  EXPECT_EQ(verdict.advisory->why_units_off, "the condition of their triangular solve is above 1000");
  EXPECT_EQ(verdict.advisory->sigma_compared, 64 * 16 + 16 * 16);  // o and the state of the first
  EXPECT_FALSE(found_something(*verdict.advisory));
}

TEST(AdvisoryScope, LeavesOutAChunkWhoseStateIsNotFinite) {
  const CaseFile file = recording("gdn_chunk_bf16_strong_decay");
  Outputs outputs = *file.outputs;
  Tensor& states = outputs.tensors.at("chunk_states");
  std::vector<double> values = states.values();
  values[3] = std::numeric_limits<double>::quiet_NaN();  // after the first chunk of head 0
  states = Tensor::from(states.dtype, states.shape, values);
  const Verdict verdict = judge_by_bound_alone(file.problem, outputs);
  EXPECT_EQ(verdict.status, Status::failed);
  ASSERT_TRUE(verdict.advisory.has_value());
  EXPECT_EQ(verdict.advisory->units_off, 1);
  EXPECT_EQ(verdict.advisory->units, 5);
  EXPECT_EQ(verdict.advisory->why_units_off, "the state that they begin with is not finite");
  EXPECT_GE(verdict.advisory->sigma_outside, 1) << "the NaN itself, as output of the first chunk";
}

TEST(AdvisoryScope, IsTheFirstChunkWithoutRecordedStates) {
  const CaseFile file = recording("gdn_chunk_bf16_strong_decay");
  Outputs outputs = *file.outputs;
  outputs.tensors.erase("chunk_states");
  const AdvisoryReport report = judge_by_bound_alone(file.problem, outputs).advisory.value();
  const Dimensions& d = file.problem.dims();
  EXPECT_EQ(report.units, d.HV);
  EXPECT_EQ(report.units_off, 2 * d.HV);
  EXPECT_EQ(report.why_units_off, "the state that they begin with was not recorded");
  EXPECT_EQ(report.sigma_compared, d.HV * 64 * d.V) << "o alone: final_state is that of a later chunk";
}

TEST(AdvisoryScope, IsEverySecondChunkIfEverySecondStateWasRecorded) {
  Recipe recipe(1);
  recipe.sizes = {.T = 200, .K = 16, .V = 16};
  const Problem problem = with_chunks(recipe, {{"states_every", "128"}});
  const AdvisoryReport report = judge_by_bound_alone(problem, emulated_outputs(problem, true)).advisory.value();
  EXPECT_EQ(report.units, 2);
  EXPECT_EQ(report.units_off, 2);
  EXPECT_EQ(report.sigma_compared, 2 * 64 * 16) << "the o of the chunks that begin at 0 and 128";
  EXPECT_FALSE(found_something(report));
}

TEST(AdvisoryScope, CountsTheLastStateOnce) {
  Recipe recipe(1);
  recipe.sizes = {.T = 65, .K = 16, .V = 8};
  const Problem problem = recipe.problem("fla-chunk");
  const AdvisoryReport report = judge_by_bound_alone(problem, emulated_outputs(problem, true)).advisory.value();
  EXPECT_EQ(report.units, 2);
  EXPECT_EQ(report.sigma_compared, 65 * 8 + 2 * 16 * 8) << "final_state and the last of chunk_states are one state";
}

TEST(AdvisoryVerdict, AFailureStaysOne) {
  const CaseFile file = recording("gdn_chunk_bf16_strong_decay");
  const Verdict verdict = judge_by_bound_alone(file.problem, scaled(*file.outputs, "o", 1.02));
  EXPECT_EQ(verdict.status, Status::failed);
  EXPECT_TRUE(found_something(verdict.advisory.value()));
  EXPECT_FALSE(mentions(verdict.reason, "structure"));
}

TEST(AdvisoryVerdict, ANonconformingRunStaysOne) {
  const CaseFile file = recording("gdn_chunk_bf16_strong_decay");
  const Verdict verdict = judge(file, scaled(*file.outputs, "o", 1.003));
  EXPECT_EQ(verdict.status, Status::nonconforming);
  EXPECT_TRUE(found_something(verdict.advisory.value()));
  EXPECT_FALSE(mentions(verdict.reason, "structure"));
}

TEST(AdvisoryVerdict, AnUninformativeOneStaysOne) {
  const CaseFile file = recording("delta_chunk_bf16");
  const Problem problem = file.problem.with_arithmetic("generic");
  ASSERT_EQ(judge(problem, *file.outputs).status, Status::uninformative);
  const Verdict verdict = judge(problem, scaled(*file.outputs, "o", 1.005));
  EXPECT_EQ(verdict.status, Status::uninformative) << describe(verdict);
  EXPECT_TRUE(found_something(verdict.advisory.value()));
  EXPECT_FALSE(mentions(verdict.reason, "structure"));
}

// A run that conforms to PIN, differs in a bit and has structure would be suspect twice over: the first reason stays.
TEST(AdvisoryVerdict, APassIsMadeSuspectWithTheReason) {
  const CaseFile file = recording("gdn_chunk_bf16_strong_decay");
  const Verdict verdict = judge_by_bound_alone(file.problem, scaled(*file.outputs, "o", 1.003));
  EXPECT_EQ(verdict.status, Status::suspect) << describe(verdict);
  EXPECT_TRUE(mentions(verdict.reason, "the error has structure: slope of o, all: 0.00")) << verdict.reason;
  EXPECT_EQ(exit_status(summarise({verdict}), false), 0);
  EXPECT_EQ(exit_status(summarise({verdict}), true), 1);
}

void expect_same(const AdvisoryReport& a, const AdvisoryReport& b) {
  EXPECT_EQ(a.units, b.units);
  EXPECT_EQ(a.units_off, b.units_off);
  EXPECT_EQ(a.why_units_off, b.why_units_off);
  EXPECT_EQ(a.sigma_limit, b.sigma_limit);
  EXPECT_EQ(a.sigma_compared, b.sigma_compared);
  EXPECT_EQ(a.sigma_outside, b.sigma_outside);
  EXPECT_EQ(a.sigma_largest, b.sigma_largest);
  EXPECT_EQ(to_string(a.sigma_worst), to_string(b.sigma_worst));
  EXPECT_EQ(a.statistics, b.statistics);
  ASSERT_EQ(a.structures.size(), b.structures.size());
  for (std::size_t i = 0; i < a.structures.size(); ++i) {
    const Structure &x = a.structures[i], &y = b.structures[i];
    EXPECT_EQ(x.statistic + x.tensor + x.group, y.statistic + y.tensor + y.group);
    EXPECT_EQ(x.index, y.index);
    // Chunks are summed in the order in which they are done: at most 100 here, each within 2^-53 of the sum of sizes.
    EXPECT_NEAR(x.value, y.value, 1e-12 * std::abs(y.value));
    EXPECT_NEAR(x.limit, y.limit, 1e-12 * y.limit);
  }
}

TEST(AdvisoryReport, DoesNotDependOnTheNumberOfThreads) {
  const CaseFile file = recording("gdn_chunk_bf16_varlen_gva");
  const Outputs outputs = scaled(*file.outputs, "o", 1.003);
  AccuracyOptions options;
  options.conformity = false;
  options.threads = 1;
  const AdvisoryReport one = judge(file, outputs, options).advisory.value();
  EXPECT_TRUE(found_something(one));
  for (const int threads : {2, 5}) {
    options.threads = threads;
    expect_same(one, judge(file, outputs, options).advisory.value());
  }
}

TEST(AdvisoryReport, IsOfTheSampleAlone) {
  const CaseFile file = recording("gdn_chunk_bf16_strong_decay");
  AccuracyOptions options;
  options.conformity = false;
  options.sample = 0.5;
  options.seed = 4;
  const Verdict sampled = judge(file, *file.outputs, options);
  const Verdict whole = judge_by_bound_alone(file.problem, *file.outputs);
  const AdvisoryReport &some = sampled.advisory.value(), &all = whole.advisory.value();
  EXPECT_EQ(sampled.status, Status::passed);
  EXPECT_GT(some.units, 0);
  EXPECT_LT(some.units, all.units);
  EXPECT_LT(some.sigma_compared, all.sigma_compared);
  EXPECT_LE(some.sigma_largest, all.sigma_largest);
  EXPECT_LT(some.sigma_limit, all.sigma_limit);
  EXPECT_FALSE(found_something(some));
  expect_same(some, judge(file, *file.outputs, options).advisory.value());
}

// Equal bits prove more than chance can say: what the tier found is a remark then.
TEST(Advise, DoesNotOutweighEqualBits) {
  AdvisoryReport report;
  report.structures.push_back({"slope", "o", "all", -1, 1e-3, 0, 1e-4});
  Verdict verdict;
  verdict.status = Status::passed;
  verdict.compared = 100;
  verdict.conformity.emplace();
  verdict.conformity->bits_compared = 100;
  advise(report, verdict);
  EXPECT_EQ(verdict.status, Status::passed);
  ASSERT_EQ(verdict.notes.size(), 1u);
  EXPECT_NE(verdict.notes[0].find("slope of o, all: 0.001"), std::string::npos) << verdict.notes[0];
  verdict.conformity->bits_unequal = 1;
  advise(report, verdict);
  EXPECT_EQ(verdict.status, Status::suspect);
  for (const std::int64_t compared : {0, 99}) {  // nothing, or not everything, was emulated
    verdict.status = Status::passed;
    verdict.conformity->bits_unequal = 0;
    verdict.conformity->bits_compared = compared;
    advise(report, verdict);
    EXPECT_EQ(verdict.status, Status::suspect) << compared;
  }
}

// Of two records of one state the one with more bits is judged: a state scaled by 1.01 is lost in bf16.
TEST(AdvisoryScope, JudgesTheStateThatIsStoredWithMoreBits) {
  Recipe recipe(1);
  recipe.sizes = {.T = 64, .K = 32, .V = 32};
  const Problem problem = recipe.problem("fla-chunk");
  Outputs outputs = emulated_outputs(problem, true);
  const Tensor states = outputs.tensors.at("chunk_states"), final = outputs.tensors.at("final_state");
  outputs.tensors["chunk_states"] = Tensor::from(Dtype::bf16, states.shape, states.values());
  EXPECT_FALSE(found_something(judge_by_bound_alone(problem, outputs).advisory.value()));
  std::vector<double> values = final.values();
  for (double& x : values) x *= 1.01;
  outputs.tensors["final_state"] = Tensor::from(Dtype::f32, final.shape, values);
  EXPECT_TRUE(found_something(judge_by_bound_alone(problem, outputs).advisory.value()));
}

}  // namespace
}  // namespace deltaproof
