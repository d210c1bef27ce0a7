// What an explanation says as a whole, in text and in JSON, and what it does not look at.
#include "properties/diagnose/explain/explanation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>
#include <vector>

#include "damaged_runs.hpp"
#include "properties/accuracy/emulated_outputs.hpp"
#include "properties/defects/catalogue.hpp"
#include "properties/defects/defect_kernel.hpp"
#include "properties/runs/problem_spec.hpp"

namespace deltaproof {
namespace {

using Json = nlohmann::json;

struct SmallRun {
  Problem problem;
  Outputs outputs;
};

// Small, with a declared order and states.
SmallRun small_run(Metadata more = {}, std::int64_t tokens = 40) {
  ProblemSpec spec;
  spec.shape.tokens = tokens;
  spec.shape.K = spec.shape.V = 16;
  spec.shape.H = 1, spec.shape.HV = 2;
  spec.options = {{"rule", "gated_delta"}, {"chunk_size", "16"}, {"arithmetic", "deltaproof-chunk"}};
  for (const auto& [key, value] : more) spec.options[key] = value;
  Problem problem = problem_of(spec);
  Outputs outputs = emulated_outputs(problem, true);
  return {std::move(problem), std::move(outputs)};
}

SmallRun cached_run() { return small_run({{"rule", "hola"}, {"qk_l2norm", "kernel"}, {"cache_size", "6"}, {"cache_block", "12"}}); }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Explanation, OfARightRunThatNothingIsWrong) {
  const SmallRun run = small_run();
  const Explanation found = explain(run.problem, run.outputs, std::nullopt);
  ASSERT_EQ(found.verdict.status, Status::passed) << found.verdict.reason;
  EXPECT_TRUE(text_of(found).starts_with("nothing is wrong: all ")) << text_of(found);
  EXPECT_FALSE(found.hypotheses);
  const Json json = Json::parse(json_of(found));
  EXPECT_EQ(json.at("format"), "deltaproof.explanation/1");
  EXPECT_EQ(json.at("held_against"), "nothing");
  EXPECT_TRUE(json.at("first").is_null());
}

TEST(Explanation, OfAWrongRunInTextAndInJson) {
  SmallRun run = small_run();
  damage(run.outputs, "o", [](auto, auto head, auto t, auto, double& value) {
    if (head == 1 && t >= 16) value *= 3;
  });
  const Explanation found = explain(run.problem, run.outputs, std::nullopt);
  const std::string text = text_of(found);
  EXPECT_TRUE(text.starts_with("failed: ")) << text;
  for (const char* part : {"starts     o: sequence 0, token 16 (chunk 1, position 0), head 1", "head 1 alone (1 of 2)", "times 3",
                           "terms, each alone", "every chunk but the first"}) {
    EXPECT_TRUE(has(text, part)) << part << " is not in\n" << text;
  }
  const Json json = Json::parse(json_of(found));
  EXPECT_EQ(json.at("held_against"), "bound");
  EXPECT_EQ(json.at("first").at("location").at("token"), 16);
  EXPECT_EQ(json.at("stage").at("stage"), "read");
  EXPECT_EQ(json.at("values").at(0).at("kind"), "factor");
  EXPECT_FALSE(json.at("first").at("terms").empty());
  EXPECT_GT(json.at("hypotheses").at("tried"), 0);
}

TEST(Explanation, ADefectThatFitsIsNamedInTextAndInJson) {
  SmallRun run = small_run();
  run.outputs = DefectKernel(find_defect("gate_shift"), "deltaproof-chunk").run(run.problem);
  const Explanation found = explain(run.problem, run.outputs, std::nullopt);
  ASSERT_EQ(found.verdict.status, Status::failed) << found.verdict.reason;
  const Json first = Json::parse(json_of(found)).at("hypotheses").at("ranked").at(0);
  EXPECT_EQ(first.at("id"), "gate_shift");
  EXPECT_EQ(first.at("fits"), true);
  EXPECT_EQ(first.at("outside"), 0);
  EXPECT_GT(first.at("compared"), 0);
  EXPECT_EQ(first.at("sentence"), find_defect("gate_shift")->sentence);
  EXPECT_TRUE(first.at("equivalents").is_array());
  EXPECT_TRUE(has(text_of(found), "(gate_shift")) << text_of(found);
}

// Of one token alone that is not written a run cannot tell why.
TEST(Explanation, DefectsThatMakeTheSameBitsAreNamedWithTheFirst) {
  SmallRun run = small_run({}, 1);
  run.outputs = DefectKernel(find_defect("tail_skipped"), "deltaproof-chunk").run(run.problem);
  const Explanation found = explain(run.problem, run.outputs, std::nullopt);
  const Json first = Json::parse(json_of(found)).at("hypotheses").at("ranked").at(0);
  std::vector<std::string> same = first.at("equivalents");
  same.push_back(first.at("id"));
  EXPECT_TRUE(std::ranges::count(same, "tail_skipped")) << first;
  EXPECT_TRUE(std::ranges::count(same, "last_token_lost")) << first;
  EXPECT_TRUE(has(text_of(found), "the same bits on this input: ")) << text_of(found);
}

// A status that says nothing of the right answer must not read as if it did.
TEST(Explanation, EachStatusHasItsSentence) {
  Explanation found;
  found.verdict.reason = "why.";
  const std::vector<std::tuple<Status, ExplainedBy, std::string>> sentences = {
      {Status::failed, ExplainedBy::bound, "failed: why."},
      {Status::nonconforming, ExplainedBy::declared_order, "nonconforming: every value is within the bound of the right "
       "answer, but the kernel does not round as it declares: why."},
      {Status::nonconforming, ExplainedBy::bound, "nonconforming: wrong, if the kernel rounds as was assumed: why."},
      {Status::suspect, ExplainedBy::nothing, "suspect: no value is out of bound, but correct kernels of this kind are "
       "hardly ever like this: why."},
      {Status::uninformative, ExplainedBy::nothing, "nothing is proved: no value is out of bound, and a wrong one need "
       "not be: why."},
      {Status::skipped, ExplainedBy::nothing, "nothing is proved: why."},
      {Status::error, ExplainedBy::nothing, "error: why."}};
  for (const auto& [status, by, sentence] : sentences) {
    found.verdict.status = status;
    found.by = by;
    EXPECT_EQ(verdict_sentence(found), sentence);
    EXPECT_EQ(Json::parse(json_of(found)).at("summary"), sentence);
  }
}

TEST(Explanation, NonFiniteValuesAreStringsInJson) {
  SmallRun run = small_run();
  damage(run.outputs, "o", [](auto, auto head, auto t, auto column, double& value) {
    if (head == 0 && t == 5 && column == 2) value = std::numeric_limits<double>::quiet_NaN();
  });
  const Explanation found = explain(run.problem, run.outputs, std::nullopt);
  EXPECT_EQ(found.verdict.status, Status::failed);
  EXPECT_TRUE(has(text_of(found), "1 of the 1 wrong values of o are not finite")) << text_of(found);
  const Json json = Json::parse(json_of(found));
  EXPECT_EQ(json.at("first").at("value"), "nan");
}

TEST(Explanation, NamesChangeNothing) {
  SmallRun run = small_run();
  damage(run.outputs, "o", [](auto, auto, auto t, auto, double& value) {
    if (t == 20) value = 9;
  });
  const Explanation one = explain(run.problem, run.outputs, std::nullopt);
  Metadata metadata{{"format", "deltaproof.case/1"}, {"rule", "gated_delta"}, {"chunk_size", "16"}, {"arithmetic", "deltaproof-chunk"},
                    {"kernel", "decay_twice"}, {"note", "the scale is missing"}};
  const Problem renamed = Problem::make("other.safetensors", metadata, run.problem.tensors());
  Explanation other = explain(renamed, run.outputs, std::nullopt);
  other.verdict.case_name = one.verdict.case_name;
  EXPECT_EQ(text_of(one), text_of(other));
  EXPECT_EQ(json_of(one), json_of(other));
}

TEST(Explanation, AWrongScoreAndAWrongSetAreASelection) {
  SmallRun run = cached_run();
  ASSERT_EQ(explain(run.problem, run.outputs, std::nullopt).verdict.status, Status::passed);
  Outputs wrong = run.outputs;
  Tensor& scores = wrong.tensors.at("scores");
  std::vector<double> values = scores.values();
  values[10] = 50;
  scores = Tensor::from(scores.dtype, scores.shape, values);
  const Explanation of_scores = explain(run.problem, wrong, std::nullopt);
  EXPECT_EQ(of_scores.stage.stage, "selection");
  EXPECT_TRUE(has(text_of(of_scores), "scores: 1 of 80 values")) << text_of(of_scores);

  wrong = run.outputs;
  Tensor& selected = wrong.tensors.at("selected");
  std::vector<double> tokens;
  for (std::int64_t i = 0; i < selected.size(); ++i) tokens.push_back(static_cast<double>(selected.integer(i)));
  tokens.back() = 39;  // of the last block itself, whose cache holds the blocks before it
  selected = Tensor::from(selected.dtype, selected.shape, tokens);
  const Explanation of_sets = explain(run.problem, wrong, std::nullopt);
  EXPECT_EQ(of_sets.verdict.status, Status::failed);
  EXPECT_EQ(of_sets.stage.stage, "selection") << text_of(of_sets);
}

TEST(Explanation, OutputsOfACacheThatIsNotRead) {
  SmallRun run = cached_run();
  damage(run.outputs, "o", [](auto, auto, auto t, auto, double& value) {
    if (t >= 12) value += 3;
  });
  const Explanation found = explain(run.problem, run.outputs, std::nullopt);
  EXPECT_EQ(found.stage.coarse, FailureStage::read);
  EXPECT_EQ(found.stage.stage, "cache read") << text_of(found);
}

// The first wrong value of the verdict's line need not be one of those that are not finite.
TEST(Explanation, AFiniteValueIsNotSaidToBeNone) {
  SmallRun run = small_run();
  damage(run.outputs, "o", [](auto, auto head, auto t, auto column, double& value) {
    value = head == 1 && t == 5 && column == 2 ? std::numeric_limits<double>::infinity() : 2 * value;
  });
  const std::string said = verdict_sentence(explain(run.problem, run.outputs, std::nullopt));
  EXPECT_TRUE(has(said, "not finite; the first wrong value is at o: sequence 0, token 0")) << said;
}

// No tokens: the final state is the initial one, zero, and a kernel that leaves something else there is wrong.
TEST(Explanation, OfAProblemWithoutTokens) {
  const auto empty = [](std::vector<std::int64_t> shape, Dtype dtype) {
    return Tensor::from(dtype, std::move(shape), {});
  };
  const Problem problem = Problem::make(
      "empty",
      {{"format", "deltaproof.case/1"}, {"rule", "gated_delta"}, {"chunk_size", "16"}, {"arithmetic", "deltaproof-chunk"}},
      {{"q", empty({1, 0, 2, 16}, Dtype::bf16)}, {"k", empty({1, 0, 2, 16}, Dtype::bf16)},
       {"v", empty({1, 0, 2, 16}, Dtype::bf16)}, {"g", empty({1, 0, 2}, Dtype::f32)},
       {"beta", empty({1, 0, 2}, Dtype::f32)}});
  Outputs outputs;
  outputs.tensors["o"] = empty({1, 0, 2, 16}, Dtype::bf16);
  outputs.tensors["chunk_states"] = empty({1, 0, 2, 16, 16}, Dtype::f32);
  outputs.tensors["final_state"] = Tensor::from(Dtype::f32, {1, 2, 16, 16}, std::vector<double>(2 * 16 * 16, 0.0));
  EXPECT_EQ(explain(problem, outputs, std::nullopt).verdict.status, Status::passed);
  outputs.tensors["final_state"] = Tensor::from(Dtype::f32, {1, 2, 16, 16}, std::vector<double>(2 * 16 * 16, 1.5));
  const Explanation explanation = explain(problem, outputs, std::nullopt);
  EXPECT_EQ(explanation.verdict.status, Status::failed);
  ASSERT_TRUE(explanation.first);
  EXPECT_EQ(explanation.first->where.tensor, "final_state");
  EXPECT_EQ(explanation.stage.stage, "carry");
  EXPECT_FALSE(text_of(explanation).empty());
  EXPECT_TRUE(Json::accept(json_of(explanation)));
}

TEST(Explanation, RowsOfThePoolThatNoSequenceHasAreNoted) {
  ProblemSpec spec;
  spec.lengths = {20, 7, 9};
  spec.shape.tokens = 36;
  spec.shape.K = spec.shape.V = 16;
  spec.shape.H = 1, spec.shape.HV = 2;
  spec.shape.initial_state = true;
  spec.pool = true;
  spec.options = {{"rule", "gated_delta"}, {"chunk_size", "16"}, {"arithmetic", "deltaproof-chunk"}};
  const Problem problem = problem_of(spec);
  Outputs outputs = emulated_outputs(problem, false);
  EXPECT_TRUE(explain(problem, outputs, std::nullopt).notes.empty());
  const auto& all = problem.sequences();
  std::int64_t unused = 0;
  while (std::any_of(all.begin(), all.end(), [&](const Sequence& s) { return s.state_row == unused; })) ++unused;
  ASSERT_LT(unused, problem.dims().pool);
  damage(outputs, "final_state", [unused](auto outer, auto, auto, auto, double& value) {
    if (outer == unused) value += 1;
  });
  const Explanation explanation = explain(problem, outputs, std::nullopt);
  EXPECT_EQ(explanation.verdict.status, Status::passed);
  ASSERT_EQ(explanation.notes.size(), 1);
  EXPECT_TRUE(has(explanation.notes.front(), "the first is " + std::to_string(unused))) << explanation.notes.front();
}

}  // namespace
}  // namespace deltaproof
