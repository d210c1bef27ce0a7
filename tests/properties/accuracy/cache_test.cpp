// A run of rule hola: what is judged of its scores, sets and reads, and what fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "cache_problems.hpp"
#include "properties/accuracy/refused_score.hpp"
#include "recordings.hpp"

namespace deltaproof {
namespace {

constexpr const char* regime = "facts";

class Cache : public testing::Test {
 protected:
  const Problem problem = cache_problem(regime);
  Outputs outputs = cache_outputs(problem);

  Verdict verdict() const { return judge(problem, outputs); }
  void expect_failed(const std::string& tensor, const std::string& words) const {
    const Verdict found = verdict();
    EXPECT_EQ(found.status, Status::failed) << describe(found);
    EXPECT_EQ(found.first_bad.tensor, tensor) << describe(found);
    EXPECT_NE(found.reason.find(words), std::string::npos) << found.reason;
  }
};

TEST_F(Cache, RightRunPasses) {
  const Verdict found = verdict();
  EXPECT_EQ(found.status, Status::passed) << describe(found);
  ASSERT_TRUE(found.conformity);
  EXPECT_EQ(found.conformity->bits_unequal, 0);
  EXPECT_GT(found.conformity->bits_compared, problem.dims().T * problem.dims().HV * problem.dims().V);
}

TEST_F(Cache, EveryFamilyPasses) {
  for (const Regime& each : regimes()) {
    const Problem drawn = cache_problem(std::string(each.name));
    const Verdict found = judge(drawn, cache_outputs(drawn));
    EXPECT_TRUE(found.status == Status::passed || found.status == Status::uninformative)
        << each.name << '\n' << describe(found);
  }
}

TEST_F(Cache, EveryScoreAndReadPasses) {
  for (const char* score : {"beta_e", "write_norm", "beta_v", "recency"}) {
    for (const char* read : {"rmsnorm", "l2"}) {
      for (const char* rule : {"gated_delta", "kla"}) {
        const Problem drawn =
            cache_problem(regime, 2, {{"score", score}, {"read", read}, {"state_rule", rule}});
        const Verdict found = judge(drawn, cache_outputs(drawn));
        EXPECT_EQ(found.status, Status::passed) << score << ' ' << read << ' ' << rule << '\n' << describe(found);
      }
    }
  }
}

TEST_F(Cache, WrongScoreFails) {
  Tensor& scores = outputs.tensors.at("scores");
  set_value(scores, 51, 1.1 * scores.value(51) + 0.01);
  const Verdict found = verdict();
  EXPECT_EQ(found.status, Status::failed) << describe(found);
  EXPECT_EQ(found.first_bad.tensor, "scores") << describe(found);
  EXPECT_EQ(found.worst.tensor, "scores");
  EXPECT_EQ(found.worst.token, 25);
  EXPECT_EQ(found.worst.head, 1);
  EXPECT_EQ(found.value, scores.value(51));
  EXPECT_EQ(found.worst_ratio, found.error / found.bound_value);
  EXPECT_TRUE(found.terms.empty()) << "they are those of o";
}

TEST_F(Cache, SetThatIsNotTheBestOfTheScoresFails) {
  std::vector<std::int64_t> row = selected_row(outputs, problem, 2, 1);
  for (std::int64_t t = 0; t < 40; ++t) {
    if (std::find(row.begin(), row.end(), t) != row.end()) continue;
    row.back() = t;
    break;
  }
  set_selected_row(outputs, problem, 2, 1, row);
  expect_failed("selected", "");
}

TEST_F(Cache, TokenOfTheBlockItselfFails) {
  std::vector<std::int64_t> row = selected_row(outputs, problem, 1, 0);
  row[0] = 25;
  set_selected_row(outputs, problem, 1, 0, row);
  expect_failed("selected", "25");
}

TEST_F(Cache, TokenTwiceFails) {
  std::vector<std::int64_t> row = selected_row(outputs, problem, 1, 0);
  row[1] = row[0];
  set_selected_row(outputs, problem, 1, 0, row);
  expect_failed("selected", "");
}

TEST_F(Cache, EmptyPlaceThoughATokenIsLeftFails) {
  std::vector<std::int64_t> row = selected_row(outputs, problem, 3, 1);
  row.back() = -1;
  set_selected_row(outputs, problem, 3, 1, row);
  expect_failed("selected", "");
}

TEST_F(Cache, ReadWithoutSinkFails) {
  TensorMap inputs = problem.tensors();
  for (std::int64_t h = 0; h < 2; ++h) {
    set_value(inputs.at("sink"), h, -100);
    set_value(inputs.at("cache_gate"), h, 2);
  }
  const Problem open = problem.with_inputs(inputs);
  for (std::int64_t h = 0; h < 2; ++h) set_value(inputs.at("sink"), h, 1);
  outputs = cache_outputs(problem.with_inputs(inputs));
  const Verdict found = judge(open, outputs);
  EXPECT_EQ(found.status, Status::failed) << describe(found);
  EXPECT_EQ(found.first_bad.tensor, "o") << describe(found);
}

// A run whose sets are not the exact scores' is read with its own: only what it does with them is judged.
TEST_F(Cache, ReadsAreJudgedWithTheKernelsOwnSets) {
  const Problem equal = cache_problem("near_scores");
  outputs = cache_outputs(equal);
  outputs.tensors.erase("scores");
  const Verdict found = judge(equal, outputs);
  EXPECT_EQ(found.status, Status::passed) << describe(found);
}

TEST_F(Cache, WithoutSetsThoseOfTheScoresAreTaken) {
  outputs.tensors.erase("scores");
  outputs.tensors.erase("selected");
  const Verdict found = verdict();
  EXPECT_EQ(found.status, Status::passed) << describe(found);
}

TEST_F(Cache, WithoutSetsAWrongReadFails) {
  outputs.tensors.erase("scores");
  outputs.tensors.erase("selected");
  Tensor& o = outputs.tensors.at("o");
  set_value(o, 33 * 32 + 5, -o.value(33 * 32 + 5));
  expect_failed("o", "further from the right answer");
}

// Equal scores leave open what was kept: then not even a wrong read is proof of anything.
TEST_F(Cache, ReadsFromUnknownSetsAreNotJudged) {
  const Problem equal = cache_problem("equal_scores", 1, {{"cache_block", "36"}});
  outputs = cache_outputs(equal);
  outputs.tensors.erase("scores");
  outputs.tensors.erase("selected");
  EXPECT_EQ(judge(equal, outputs).status, Status::uninformative);
  Tensor& o = outputs.tensors.at("o");
  set_value(o, 50 * 32 + 5, 1 + o.value(50 * 32 + 5));
  const Verdict found = judge(equal, outputs);
  EXPECT_EQ(found.status, Status::uninformative) << describe(found);
  EXPECT_NE(found.reason.find("sets are legitimate"), std::string::npos) << found.reason;
  Tensor& state = outputs.tensors.at("final_state");
  set_value(state, 3, 1 + state.value(3));
  EXPECT_EQ(judge(equal, outputs).status, Status::failed) << "states are judged all the same";
}

// b v leaves fp16: what the kernel makes of its infinities is no fault of its own.
TEST_F(Cache, ScoreThatOverflowedIsNotJudged) {
  TensorMap inputs = problem.tensors();
  for (const char* name : {"q", "k", "v"}) {
    inputs[name] = Tensor::from(Dtype::f16, inputs[name].shape, inputs[name].values());
  }
  for (const std::int64_t i : {0, 1, 2}) set_value(inputs.at("v"), i, 60000);
  for (std::int64_t i = 0; i < 8; ++i) set_value(inputs.at("beta"), i, 100);
  const Problem large = problem.with_inputs(inputs);
  const std::optional<std::string> refused = refused_score(GivenOutputs("deltaproof-chunk", {}), large);
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->find("NaN"), std::string::npos) << *refused;
  Tensor& scores = outputs.tensors.at("scores");
  set_value(scores, 0, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(verdict().status, Status::failed) << "of a score that is known";
  const Verdict found = judge(large, outputs);
  EXPECT_EQ(found.reason.find("the score of token 0 is NaN"), std::string::npos) << describe(found);
}

TEST_F(Cache, SelectionByAttentionIsNotJudged) {
  const Problem attention = cache_problem(regime, 1, {{"score", "attention"}});
  Outputs given = outputs;
  given.tensors.erase("scores");
  const Verdict found = judge(attention, given);
  EXPECT_EQ(found.status, Status::uninformative) << describe(found);
  EXPECT_NE(found.reason.find("attention"), std::string::npos);
}

}  // namespace
}  // namespace deltaproof
