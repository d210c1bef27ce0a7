// What is judged and what is not: padding, rows outside the sequences, empty sequences, layouts,
// samples, threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "damage.hpp"
#include "double_kernel.hpp"
#include "properties/accuracy/emulated_outputs.hpp"
#include "properties/accuracy/units.hpp"
#include "properties/runs/kernel_case.hpp"
#include "recordings.hpp"
#include "small_problems.hpp"

namespace deltaproof {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

void set_value(Outputs& outputs, const std::string& name, std::int64_t flat, double value) {
  Tensor& tensor = outputs.tensors.at(name);
  std::vector<double> values = tensor.values();
  values.at(static_cast<std::size_t>(flat)) = value;
  tensor = Tensor::from(tensor.dtype, tensor.shape, values);
}

// Three packed sequences of 5, 0 and 6 tokens; token 11 belongs to none.
class Packed : public testing::Test {
 protected:
  static TensorMap inputs() {
    TensorMap all = small_inputs("gated_delta", {.T = 12, .K = 4, .V = 3});
    all["cu_seqlens"] = Tensor::from(Dtype::i64, {4}, {0, 5, 5, 11});
    all["initial_state"] =
        filled(Dtype::f32, {3, 1, 4, 3}, [](std::int64_t i) { return scattered(i, 8); });
    return all;
  }
  Problem problem_ = make_problem("gated_delta", "fla-recurrent", inputs());
  Outputs outputs_ = DoubleKernel().run(problem_);
};

TEST_F(Packed, Passes) {
  const Verdict verdict = judge_by_bound_alone(problem_, outputs_);
  EXPECT_EQ(verdict.status, Status::passed) << describe(verdict);
  // 11 rows of o, three final states, two chunk states (an empty sequence has none).
  EXPECT_EQ(verdict.compared, 11 * 3 + 3 * 12 + 2 * 12);
}

TEST_F(Packed, RowsOutsideTheSequencesAreNotJudged) {
  set_value(outputs_, "o", 11 * 3, nan);
  EXPECT_EQ(judge_by_bound_alone(problem_, outputs_).status, Status::passed);
  set_value(outputs_, "o", 10 * 3, nan);
  const Verdict verdict = judge_by_bound_alone(problem_, outputs_);
  EXPECT_EQ(verdict.status, Status::failed);
  EXPECT_EQ(to_string(verdict.first_bad),
            "o: sequence 2, token 5 (chunk 0, position 5), head 0, column 0");
}

bool has_note(const Verdict& verdict, const std::string& text) {
  return std::count(verdict.notes.begin(), verdict.notes.end(), text) == 1;
}

TEST_F(Packed, TheVerdictCountsRowsOutsideTheSequences) {
  const Verdict verdict = judge_by_bound_alone(problem_, outputs_);
  EXPECT_TRUE(has_note(verdict, "1 of 12 token rows belong to no judged sequence"));
  EXPECT_EQ(verdict.notes.size(), 1u);
}

TEST(Whole, RunsHaveNothingLeftOut) {
  const Problem problem =
      make_problem("gated_delta", "fla-recurrent", small_inputs("gated_delta", {.B = 2}));
  EXPECT_TRUE(judge(problem, DoubleKernel().run(problem)).notes.empty());
}

TEST_F(Packed, AnEmptySequenceMustKeepItsStateExactly) {
  const double kept = outputs_.find("final_state")->value(12 + 7);
  set_value(outputs_, "final_state", 12 + 7, std::nextafter(static_cast<float>(kept), 10.0f));
  const Verdict verdict = judge_by_bound_alone(problem_, outputs_);
  EXPECT_EQ(verdict.status, Status::failed) << describe(verdict);
  EXPECT_EQ(to_string(verdict.first_bad),
            "final_state: sequence 1, token 0 (chunk 0), head 0, row 2, column 1");
}

// Two sequences on rows 2 and 0 of a pool of three; the middle one is padding.
class Pool : public testing::Test {
 protected:
  static TensorMap inputs() {
    TensorMap all = small_inputs("gated_delta", {.B = 3, .T = 4, .K = 4, .V = 3});
    all["initial_state"] =
        filled(Dtype::f32, {3, 1, 4, 3}, [](std::int64_t i) { return scattered(i, 8); });
    all["state_indices"] = Tensor::from(Dtype::i32, {3}, {2, -1, 0});
    return all;
  }
  Problem problem_ = make_problem("gated_delta", "fla-recurrent", inputs());
  Outputs outputs_ = DoubleKernel().run(problem_);
};

TEST_F(Pool, PaddingIsNotJudged) {
  outputs_.tensors.erase("chunk_states");
  set_value(outputs_, "o", 4 * 3 + 2, nan);         // a row of the padding sequence
  set_value(outputs_, "final_state", 12 + 5, nan);  // a row of the pool that nobody has
  const Verdict verdict = judge_by_bound_alone(problem_, outputs_);
  EXPECT_EQ(verdict.status, Status::passed) << describe(verdict);
  EXPECT_EQ(verdict.compared, 2 * 4 * 3 + 2 * 12);
}

TEST_F(Pool, TheVerdictCountsPadding) {
  const Verdict verdict = judge_by_bound_alone(problem_, outputs_);
  EXPECT_TRUE(has_note(verdict, "1 padding sequences were not judged"));
  EXPECT_TRUE(has_note(verdict, "4 of 12 token rows belong to no judged sequence"));
  EXPECT_EQ(verdict.notes.size(), 2u);
}

TEST_F(Pool, StatesAreFoundOnTheirRows) {
  set_value(outputs_, "final_state", 2 * 12 + 4, 100);
  const Verdict verdict = judge_by_bound_alone(problem_, outputs_);
  EXPECT_EQ(verdict.status, Status::failed);
  EXPECT_EQ(to_string(verdict.first_bad),
            "final_state: sequence 0, token 4 (chunk 0), head 0, row 1, column 1");
}

Tensor transposed(const Tensor& states) {
  const std::size_t rank = states.shape.size();
  const std::int64_t rows = states.shape[rank - 2], columns = states.shape[rank - 1];
  std::vector<double> values = states.values();
  for (std::int64_t i = 0; i < states.size(); ++i) {
    const std::int64_t block = i / (rows * columns), inside = i % (rows * columns);
    const std::int64_t to = block * rows * columns + inside % columns * rows + inside / columns;
    values[static_cast<std::size_t>(to)] = states.value(i);
  }
  std::vector<std::int64_t> shape = states.shape;
  std::swap(shape[rank - 2], shape[rank - 1]);
  return Tensor::from(states.dtype, shape, values);
}

class Layout : public testing::TestWithParam<std::string> {};

TEST_P(Layout, DoesNotChangeAVerdict) {
  const CaseFile file = recording(GetParam());
  Metadata metadata = file.metadata;
  metadata["state_layout"] = "vk";
  TensorMap inputs = file.problem.tensors();
  if (inputs.contains("initial_state"))
    inputs["initial_state"] = transposed(inputs["initial_state"]);
  const Problem vk = Problem::make("vk", metadata, inputs);
  Outputs outputs = *file.outputs;
  set_value(outputs, "final_state", 77, 1e3);
  Outputs other = outputs;
  for (auto& [name, tensor] : other.tensors)
    if (name != "o") tensor = transposed(tensor);
  const Verdict kv_verdict = judge(file, outputs), vk_verdict = judge(vk, other);
  EXPECT_EQ(describe(kv_verdict), describe(vk_verdict));
  EXPECT_EQ(kv_verdict.status, Status::failed);
  EXPECT_EQ(kv_verdict.compared, vk_verdict.compared);
  EXPECT_EQ(kv_verdict.violations, vk_verdict.violations);
}

INSTANTIATE_TEST_SUITE_P(Recordings, Layout,
                         testing::Values("gdn_chunk_bf16_K96_V32", "gdn_decode_bf16_B16",
                                         "kda_chunk_bf16"),
                         [](const auto& each) { return each.param; });

TEST(Threads, DoNotChangeAVerdict) {
  const CaseFile file = recording("gdn_chunk_bf16_varlen_gva");
  const Outputs wrong = damaged(*file.outputs, "o", Damage::zeros, {}, file.problem);
  for (const Outputs* outputs : {&*file.outputs, &wrong}) {
    AccuracyOptions one;
    one.threads = 1;
    const Verdict alone = judge(file, *outputs, one);
    for (const int threads : {2, 3, 7}) {
      AccuracyOptions several;
      several.threads = threads;
      const Verdict verdict = judge(file, *outputs, several);
      EXPECT_EQ(describe(verdict), describe(alone)) << threads;
      EXPECT_EQ(verdict.compared, alone.compared);
      EXPECT_EQ(verdict.violations, alone.violations);
      EXPECT_EQ(verdict.probes.size(), alone.probes.size());
    }
  }
}

class Sample : public testing::Test {
 protected:
  CaseFile file_ = recording("kla_chunk_bf16_T300");
  BoundChoice choice_ = choose_bound("fla-chunk", file_.problem);
  std::vector<Unit> units_ = plan_units(file_.problem, *file_.outputs, choice_);
};

TEST_F(Sample, HasAUnitOfEachHeadHoweverSmall) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::set<std::int64_t> heads;
    for (const Unit& unit : sample_units(units_, 0, seed)) heads.insert(unit.head);
    EXPECT_EQ(heads, std::set<std::int64_t>({0, 1})) << seed;
    EXPECT_EQ(sample_units(units_, 0, seed).size(), 2u) << seed;
  }
}

TEST_F(Sample, ReachesEveryUnitWithSomeSeed) {
  std::set<std::pair<std::int64_t, std::int64_t>> reached;
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    for (const Unit& unit : sample_units(units_, 0, seed)) reached.insert({unit.head, unit.begin});
  EXPECT_EQ(reached.size(), units_.size());
  EXPECT_EQ(units_.size(), 2u * 5u);
}

TEST_F(Sample, OfEverythingIsEverything) {
  EXPECT_EQ(sample_units(units_, 1, 0).size(), units_.size());
  EXPECT_EQ(judge(file_, *file_.outputs).compared, file_.outputs->find("o")->size() +
                                                       file_.outputs->find("final_state")->size() +
                                                       file_.outputs->find("chunk_states")->size());
}

// A fault in a chunk is found exactly by the samples that hold it.
TEST_F(Sample, FindsAFaultInASampledUnitOnly) {
  const Outputs wrong =
      damaged(*file_.outputs, "o", Damage::zero_row, {0, 1, 130, 0}, file_.problem);
  bool found = false, missed = false;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    bool holds = false;
    for (const Unit& unit : sample_units(units_, 0, seed)) {
      holds = holds || (unit.head == 1 && unit.begin <= 130 && 130 < unit.begin + unit.length);
    }
    AccuracyOptions options;
    options.sample = 0;
    options.seed = seed;
    const Verdict verdict = judge(file_, wrong, options);
    EXPECT_EQ(verdict.status, holds ? Status::failed : Status::passed) << seed;
    if (holds) {
      EXPECT_EQ(verdict.first_bad.token, 130);
    }
    (holds ? found : missed) = true;
  }
  EXPECT_TRUE(found && missed);
}

// The chunk after a NaN state cannot be judged; the state itself is found, once.
TEST(NonFiniteState, IsLocatedAndTheChunkAfterItLeftOut) {
  const CaseFile file = recording("gdn_chunk_bf16_strong_decay");
  Outputs outputs = *file.outputs;
  set_value(outputs, "chunk_states", (0 * 2 + 1) * 64 * 64 + 5 * 64 + 9, nan);
  const Verdict verdict = judge(file, outputs);
  EXPECT_EQ(verdict.status, Status::failed);
  EXPECT_EQ(to_string(verdict.first_bad),
            "chunk_states: sequence 0, token 64 (chunk 0), head 1, row 5, column 9");
  EXPECT_NE(verdict.reason.find("1 of"), std::string::npos) << verdict.reason;
  EXPECT_NE(verdict.reason.find("not finite"), std::string::npos) << verdict.reason;
}

// b = eta / (|k|^2 + eps) of tiny keys leaves fp16 on the way to the state: where a right kernel may overflow, the
// chunk after it is no proof against it.
TEST(NonFiniteState, OfAKernelThatMayOverflowIsNoFault) {
  const Regime& tiny = *find_regime("tiny_rows");
  const Problem problem =
      kernel_case(*find_built_in_kernel("hola"), tiny, 21157, 21157, CaseSizes::small).state_part();
  const Outputs outputs = emulated_outputs(problem, true);
  const std::vector<double> states = outputs.find("chunk_states")->values();
  ASSERT_TRUE(std::any_of(states.begin(), states.end(), [](double x) { return std::isnan(x); }));
  const Verdict verdict = judge(problem, outputs);
  EXPECT_NE(verdict.status, Status::failed) << describe(verdict);
}

}  // namespace
}  // namespace deltaproof
