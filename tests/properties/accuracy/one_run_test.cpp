// final_state and the last of chunk_states are one state: what differs between them, however small,
// fails, and nothing else is held to that.
#include "properties/accuracy/one_run.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "double_kernel.hpp"
#include "recordings.hpp"
#include "small_problems.hpp"

namespace deltaproof {
namespace {

void set_value(Outputs& outputs, const std::string& name, std::int64_t flat, double value) {
  Tensor& tensor = outputs.tensors.at(name);
  std::vector<double> values = tensor.values();
  values.at(static_cast<std::size_t>(flat)) = value;
  tensor = Tensor::from(tensor.dtype, tensor.shape, values);
}

double next_float(double x) { return std::nextafter(static_cast<float>(x), 10.0f); }

// Moves one value to the next number of fp32: far less than the bound of any declared kernel.
void nudge(Outputs& outputs, const std::string& name, std::int64_t flat) {
  set_value(outputs, name, flat, next_float(outputs.find(name)->value(flat)));
}

void store_as(Outputs& outputs, const std::string& name, Dtype dtype) {
  Tensor& tensor = outputs.tensors.at(name);
  tensor = Tensor::from(dtype, tensor.shape, tensor.values());
}

// Two batch rows of 70 tokens, two value heads, K = 4, V = 3: two chunk states each.
class OneRun : public testing::TestWithParam<std::string> {
 protected:
  Problem problem_ = make_problem("gated_delta", "fla-recurrent",
                                  small_inputs("gated_delta", {.B = 2, .T = 70, .HV = 2, .V = 3}),
                                  {{"state_layout", GetParam()}});
  Outputs outputs_ = DoubleKernel().run(problem_);
  static constexpr std::int64_t state = 4 * 3;
  // Row 2, column 1 of a state.
  std::int64_t inside() const { return GetParam() == "kv" ? 2 * 3 + 1 : 1 * 4 + 2; }
};

TEST_P(OneRun, HasNoContradictionWhenRecordedAsItWas) {
  EXPECT_FALSE(first_contradiction(problem_, outputs_).has_value());
  EXPECT_EQ(judge_by_bound_alone(problem_, outputs_).status, Status::passed);
}

TEST_P(OneRun, FailsWhereTheLastStateDiffersByOneBit) {
  const char* place = "final_state: sequence 1, token 70 (chunk 1), head 1, row 2, column 1";
  const std::int64_t final_at = 3 * state + inside(), chunk_at = 7 * state + inside();
  for (const auto& [tensor, flat] :
       {std::pair("final_state", final_at), {"chunk_states", chunk_at}}) {
    Outputs outputs = outputs_;
    nudge(outputs, tensor, flat);
    const Verdict verdict = judge(problem_, outputs);
    EXPECT_EQ(verdict.status, Status::failed) << describe(verdict);
    EXPECT_EQ(verdict.violations, 0) << "the bound alone accepts it";
    EXPECT_TRUE(verdict.has_first_bad);
    EXPECT_EQ(to_string(verdict.first_bad), place);
    EXPECT_NE(verdict.reason.find("same state"), std::string::npos) << verdict.reason;
    EXPECT_NE(verdict.reason.find(place), std::string::npos) << verdict.reason;
  }
}

TEST_P(OneRun, NamesTheFirstOfSeveralPlaces) {
  nudge(outputs_, "final_state", 3 * state);
  nudge(outputs_, "final_state", 1 * state + inside());
  const auto where = first_contradiction(problem_, outputs_);
  ASSERT_TRUE(where.has_value());
  EXPECT_EQ(to_string(*where),
            "final_state: sequence 0, token 70 (chunk 1), head 1, row 2, column 1");
}

// Earlier states have nothing to agree with.
TEST_P(OneRun, SaysNothingOfEarlierStates) {
  nudge(outputs_, "chunk_states", 0 * state + inside());
  nudge(outputs_, "chunk_states", 5 * state + inside());
  EXPECT_FALSE(first_contradiction(problem_, outputs_).has_value());
}

// A state that is stored twice, once coarser, differs by its rounding.
TEST_P(OneRun, DoesNotCompareDifferentTypes) {
  store_as(outputs_, "chunk_states", Dtype::f64);
  nudge(outputs_, "final_state", inside());
  EXPECT_FALSE(first_contradiction(problem_, outputs_).has_value());
  EXPECT_EQ(judge_by_bound_alone(problem_, outputs_).status, Status::passed);
}

TEST_P(OneRun, ComparesNarrowTypesToo) {
  store_as(outputs_, "chunk_states", Dtype::bf16);
  store_as(outputs_, "final_state", Dtype::bf16);
  EXPECT_FALSE(first_contradiction(problem_, outputs_).has_value());
  const double value = outputs_.find("final_state")->value(inside());
  set_value(outputs_, "final_state", inside(), value * (1 + 0x1p-7));
  EXPECT_TRUE(first_contradiction(problem_, outputs_).has_value());
}

TEST_P(OneRun, ComparesBits) {
  set_value(outputs_, "chunk_states", 1 * 2 * state, 0.0);
  set_value(outputs_, "final_state", 0, 0.0);
  EXPECT_FALSE(first_contradiction(problem_, outputs_).has_value());
  set_value(outputs_, "final_state", 0, -0.0);
  EXPECT_TRUE(first_contradiction(problem_, outputs_).has_value());
}

TEST_P(OneRun, NeedsBothTensors) {
  for (const char* tensor : {"final_state", "chunk_states"}) {
    Outputs one = outputs_;
    nudge(one, "final_state", 0);
    one.tensors.erase(tensor);
    EXPECT_FALSE(first_contradiction(problem_, one).has_value());
  }
}

// What a value is too far off by says more than that a copy of it differs.
TEST_P(OneRun, ViolationsAreReportedFirst) {
  set_value(outputs_, "final_state", inside(), 100);
  const Verdict verdict = judge(problem_, outputs_);
  EXPECT_EQ(verdict.status, Status::failed);
  EXPECT_EQ(verdict.violations, 1);
  EXPECT_NE(verdict.reason.find("further from the right answer"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Layouts, OneRun, testing::Values("kv", "vk"),
                         [](const auto& each) { return each.param; });

// Sequences of 70, 0 and 5 tokens: the last states are at rows 1 and 2 of chunk_states.
class OnePackedRun : public testing::Test {
 protected:
  static TensorMap inputs() {
    TensorMap all = small_inputs("gated_delta", {.T = 75, .K = 4, .V = 3});
    all["cu_seqlens"] = Tensor::from(Dtype::i64, {4}, {0, 70, 70, 75});
    all["initial_state"] =
        filled(Dtype::f32, {3, 1, 4, 3}, [](std::int64_t i) { return scattered(i, 8); });
    return all;
  }
  Problem problem_ = make_problem("gated_delta", "fla-recurrent", inputs());
  Outputs outputs_ = DoubleKernel().run(problem_);
};

TEST_F(OnePackedRun, ComparesTheLastStateOfEachSequence) {
  EXPECT_FALSE(first_contradiction(problem_, outputs_).has_value());
  Outputs first = outputs_, last = outputs_;
  nudge(first, "chunk_states", 12);
  nudge(last, "chunk_states", 24 + 11);
  EXPECT_EQ(to_string(first_contradiction(problem_, first).value()),
            "final_state: sequence 0, token 70 (chunk 1), head 0, row 0, column 0");
  EXPECT_EQ(to_string(first_contradiction(problem_, last).value()),
            "final_state: sequence 2, token 5 (chunk 0), head 0, row 3, column 2");
}

// A sequence without tokens has no chunk state: its final state is held to the initial one instead.
TEST_F(OnePackedRun, LeavesEmptySequencesOut) {
  nudge(outputs_, "final_state", 12 + 7);
  EXPECT_FALSE(first_contradiction(problem_, outputs_).has_value());
}

TEST(OneRunOfAPool, LeavesPaddingOut) {
  TensorMap inputs = small_inputs("gated_delta", {.B = 2, .T = 4, .K = 4, .V = 3});
  inputs["initial_state"] =
      filled(Dtype::f32, {3, 1, 4, 3}, [](std::int64_t i) { return scattered(i, 8); });
  inputs["state_indices"] = Tensor::from(Dtype::i32, {2}, {-1, 2});
  const Problem problem = make_problem("gated_delta", "fla-recurrent", inputs);
  Outputs outputs = DoubleKernel().run(problem);
  nudge(outputs, "final_state", 0);
  nudge(outputs, "chunk_states", 0);
  EXPECT_FALSE(first_contradiction(problem, outputs).has_value());
  nudge(outputs, "final_state", 2 * 12);
  EXPECT_EQ(first_contradiction(problem, outputs).value().sequence, 1);
}

}  // namespace
}  // namespace deltaproof
