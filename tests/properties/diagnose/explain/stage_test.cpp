// At which step a run goes wrong: recordings whose outputs were changed by a known term of the right answer.
#include "properties/diagnose/explain/stage.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>

#include "damaged_runs.hpp"
#include "properties/defects/catalogue.hpp"
#include "properties/defects/defect_kernel.hpp"
#include "properties/runs/problem_spec.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof {
namespace {

constexpr const char* recording = "gdn_chunk_bf16_strong_decay";

StageFinding stage_of(const CaseFile& file) {
  const ExaminedRun examined(file);
  return deltaproof::stage_of(examined.run, examined.map);
}

bool names(const StageFinding& finding, const std::string& part) {
  return std::any_of(finding.parts.begin(), finding.parts.end(), [&](const WrongPart& p) { return p.name == part; });
}

bool says(const StageFinding& finding, const std::string& words) {
  return std::any_of(finding.because.begin(), finding.because.end(),
                     [&](const std::string& sentence) { return sentence.find(words) != std::string::npos; });
}

ChunkTerms terms_of(const CaseFile& file, std::int64_t head, std::int64_t token) {
  const ExaminedRun examined(file);
  Location where;
  where.sequence = 0, where.head = head, where.token = token;
  return *examined.run.chunk_at(where);
}

TEST(StageOf, ARightRunHasNone) {
  const StageFinding finding = stage_of(recorded_case(recording));
  EXPECT_EQ(finding.coarse, FailureStage::none);
  EXPECT_EQ(finding.stage, "");
  EXPECT_TRUE(finding.because.empty());
}

// The terms are those of the run: their sums are its outputs.
TEST(StageOf, TermsAddUpToTheOutputs) {
  const CaseFile file = recorded_case(recording);
  const ExaminedRun examined(file);
  const ChunkTerms terms = terms_of(file, 1, 64);
  const MeasuredBlock* o = examined.map.find("o", 0, 1, 0);
  const MeasuredBlock* state = examined.map.find("chunk_states", 0, 1, 128);
  ASSERT_NE(o, nullptr);
  ASSERT_NE(state, nullptr);
  EXPECT_TRUE(((terms.o - o->expected.middleRows(64, 64)).cwiseAbs().array() <= o->allowed.middleRows(64, 64).array()).all());
  EXPECT_TRUE(((terms.after - state->expected).cwiseAbs().array() <= state->allowed.array()).all());
  const Matrix o_of_writes = terms.from_before + terms.reads_of_writes() * terms.u;
  EXPECT_LE((o_of_writes - terms.o).cwiseAbs().maxCoeff(), 1e-12 * (1 + terms.o.cwiseAbs().maxCoeff()));
}

TEST(StageOf, OutputsAloneAreARead) {
  CaseFile file = recorded_case(recording);
  damage(*file.outputs, "o", [](auto, auto, auto, auto, double& value) { value *= 2; });
  const StageFinding finding = stage_of(file);
  EXPECT_EQ(finding.coarse, FailureStage::read);
  EXPECT_EQ(finding.stage, "read");
  EXPECT_TRUE(names(finding, "its whole value"));
}

// No chunk_states: a wrong step may be behind a right final state.
TEST(StageOf, WithoutStatesAReadIsNotProved) {
  CaseFile file = recorded_case("gdn_chunk_bf16_strong_decay");
  file.outputs->tensors.erase("chunk_states");
  file.outputs->tensors.erase("final_state");
  damage(*file.outputs, "o", [](auto, auto, auto t, auto, double& value) {
    if (t == 3) value = -value - 4;
  });
  const StageFinding finding = stage_of(file);
  EXPECT_EQ(finding.stage, "");
  EXPECT_GE(finding.candidates.size(), 2);
  EXPECT_NE(finding.would_tell.find("chunk_states"), std::string::npos);
}

TEST(StageOf, AStateAloneIsACarry) {
  CaseFile file = recorded_case(recording);
  damage(*file.outputs, "final_state", [](auto, auto, auto, auto, double& value) { value = 3 * value + 40; });
  const StageFinding finding = stage_of(file);
  EXPECT_EQ(finding.coarse, FailureStage::carry);
  EXPECT_EQ(finding.stage, "carry");
}

// o and the state after the chunk as a wrong u of its third token makes them.
TEST(StageOf, OneWrongWriteInBothIsAStep) {
  CaseFile file = recorded_case(recording);
  const std::int64_t head = 1, last = 129;
  const ChunkTerms terms = terms_of(file, head, last);
  ASSERT_EQ(terms.tokens(), 2);
  const Matrix P = terms.reads_of_writes();
  const RowVector wrong = 40 * terms.u.row(1) + RowVector::Constant(terms.u.cols(), 8);
  const Matrix of_state = terms.k.row(1).cwiseProduct(terms.to_end.row(1)).transpose() * wrong;
  damage(*file.outputs, "o", [&](auto, auto h, auto t, auto column, double& value) {
    if (h == head && t == last) value += P(1, 1) * wrong(column);
  });
  const bool vk = file.problem.options().state_layout == StateLayout::vk;
  damage(*file.outputs, "final_state", [&](auto, auto h, auto row, auto column, double& value) {
    if (h == head) value += vk ? of_state(column, row) : of_state(row, column);
  });
  damage(*file.outputs, "chunk_states", [&](auto outer, auto h, auto row, auto column, double& value) {
    if (h == head && outer == 2) value += vk ? of_state(column, row) : of_state(row, column);
  });
  const StageFinding finding = stage_of(file);
  EXPECT_EQ(finding.coarse, FailureStage::step);
  EXPECT_NE(finding.stage, "read");
  EXPECT_NE(finding.stage, "carry");
  EXPECT_NE(finding.stage, "decay");
}

// What was not compared is not said to be right.
TEST(StageOf, AStateWithoutOutputsSaysNothingOfThem) {
  CaseFile file = recorded_case(recording);
  file.outputs->tensors.erase("o");
  damage(*file.outputs, "final_state", [](auto, auto, auto, auto, double& value) { value = 3 * value + 40; });
  const StageFinding finding = stage_of(file);
  EXPECT_EQ(finding.stage, "");
  EXPECT_TRUE(says(finding, "no o of the tokens before it was compared"));
  EXPECT_FALSE(says(finding, "is right"));
  EXPECT_EQ(finding.would_tell.substr(0, 2), "o:");
}

// States between chunks would be the one that is there.
TEST(StageOf, OfASequenceOfOneChunkNoOtherStateWouldTell) {
  CaseFile file = recorded_case("gdn_decode_bf16_B16");
  for (const char* tensor : {"o", "final_state"}) {
    damage(*file.outputs, tensor, [](auto, auto, auto, auto, double& value) { value *= 1.1; });
  }
  const StageFinding finding = stage_of(file);
  EXPECT_EQ(finding.stage, "");
  EXPECT_EQ(finding.would_tell.find("chunk_states"), std::string::npos) << finding.would_tell;
}

// A small run with a defect; nothing where the defect says nothing there or no value is out of bound.
std::optional<StageFinding> stage_with(const Defect& defect, const std::string& problem_text, const std::string& order = "deltaproof-chunk") {
  const DefectKernel kernel(&defect, order);
  ProblemSpec spec = parse_spec(problem_text + " K=16 V=16 H=1 HV=2 chunk_size=16");
  spec.options["arithmetic"] = kernel.arithmetic();
  const Problem problem = problem_of(spec);
  if (!kernel.refusal(problem).empty()) return std::nullopt;
  const Outputs outputs = kernel.run(problem);
  const ExaminedRun examined(problem, outputs);
  StageFinding finding = deltaproof::stage_of(examined.run, examined.map);
  if (finding.coarse == FailureStage::none) return std::nullopt;
  return finding;
}

StageFinding stage_with(const char* id, const std::string& problem, const std::string& order = "deltaproof-chunk") {
  return stage_with(*find_defect(id), problem, order).value();
}

// What is told, or what is left: never nothing.
std::vector<std::string> stages(const StageFinding& finding) {
  return finding.stage.empty() ? finding.candidates : std::vector{finding.stage};
}

bool leaves(const StageFinding& finding, const char* stage) { return std::ranges::count(stages(finding), stage) > 0; }

constexpr const char* gdn = "regime=typical rule=gated_delta ";
constexpr const char* one_u = "one wrong u = b e could give";
constexpr const char* no_u = "no one wrong u = b e";

TEST(StageOf, OneWrongUIsSaidAndLeavesWhatItIsMadeOf) {
  for (const char* id : {"beta0_tok", "solve_off", "residual_none", "beta_before"}) {
    const StageFinding finding = stage_with(id, gdn + std::string("T=8"));
    EXPECT_TRUE(says(finding, one_u)) << id;
    EXPECT_TRUE(leaves(finding, "solve") && leaves(finding, "values")) << id;
  }
}

// A wrong u may be larger than the right one, and is rounded more; where it should be zero, nothing is known of its roundings.
TEST(StageOf, AWrongUOfAnySizeIsOne) {
  for (const char* id : {"beta_complement", "beta_sigmoid", "beta_squared", "v_of_head", "beta_of_head"}) {
    for (const char* problem : {"regime=typical rule=gated_delta T=1", "regime=heavytail_v rule=gated_delta T=1",
                                "regime=typical rule=linear T=1", "regime=b_0 rule=gated_delta T=1",
                                "regime=typical rule=gated_delta T=8 edit=beta:zero"}) {
      const std::optional<StageFinding> finding = stage_with(*find_defect(id), problem);
      if (!finding) continue;
      EXPECT_FALSE(says(*finding, no_u)) << id << ": " << problem;
      EXPECT_FALSE(says(*finding, "is not what a right kernel reads")) << id << ": " << problem;
      EXPECT_TRUE(leaves(*finding, "values")) << id << ": " << problem;
    }
  }
  const StageFinding finding = stage_with("beta_squared", gdn + std::string("T=1"));
  EXPECT_TRUE(says(finding, "the first token after a zero state is wrong"));
  EXPECT_EQ(stages(finding), (std::vector<std::string>{"solve", "values"}));
  EXPECT_EQ(stages(stage_with("v_of_head", "regime=typical rule=linear T=8")), std::vector<std::string>{"values"});
}

// Keys that hardly differ, or a state along them: one wrong u may look the same, and rules no decay out.
TEST(StageOf, AWrongDecayIsNeverRuledOut) {
  for (const char* id : {"decay_twice_last", "decay_none", "decay_log2e_twice", "decay_as_log", "decay_softplus", "decay_of_head"}) {
    for (const char* problem : {"regime=typical rule=gated_delta T=8", "regime=typical rule=gated_delta T=16",
                                "regime=subspace_d/8 rule=gated_delta T=3", "regime=subspace_d/8 rule=scalar_decay T=8",
                                "regime=strong_decay rule=gated_delta T=1 state=1 edit=k:one edit=initial_state:one",
                                "regime=heavytail_v rule=gated_delta T=3 seed=1"}) {
      const std::optional<StageFinding> finding = stage_with(*find_defect(id), problem);
      if (!finding) continue;
      EXPECT_TRUE(leaves(*finding, "decay")) << id << ": " << problem << ": " << testing::PrintToString(stages(*finding));
    }
  }
}

// The diagonal of the scores has no decay; with one, the first token is wrong and no write.
TEST(StageOf, ADecayWhereThereIsNoneIsNotTakenForAWrite) {
  const StageFinding finding = stage_with("A_off1", gdn + std::string("T=8"));
  EXPECT_TRUE(leaves(finding, "decay"));
  EXPECT_TRUE(says(finding, "or something decays it, or the kernel did not begin with zero"));
  EXPECT_TRUE(leaves(stage_with("A_off1", "regime=strong_decay rule=gated_delta T=8 state=1"), "decay"));
}

TEST(StageOf, AStateThatTheKernelBeganWithIsNotRuledOut) {
  for (const char* rule : {"gated_delta", "delta", "linear"}) {
    const std::string typical = std::string("regime=typical rule=") + rule;
    EXPECT_TRUE(leaves(stage_with("varlen_carried", typical + " lengths=9,8,12 T=29"), "carry")) << rule;
    EXPECT_TRUE(leaves(stage_with("initial_of_head_0", typical + " T=8 state=1"), "carry")) << rule;
    EXPECT_TRUE(leaves(stage_with("slot_off1", typical + " lengths=9,8,12,5 T=34 pool=1"), "carry")) << rule;
    EXPECT_TRUE(leaves(stage_with("initial_twice", "regime=b_0 rule=delta T=24 state=1"), "carry"));
  }
}

TEST(StageOf, WhereNothingShowsItTheOnlyStepLeftIsNotSaidToBeIt) {
  const StageFinding finding = stage_with("varlen_early", "regime=typical rule=linear lengths=9,8,12,5 T=34 pool=1");
  EXPECT_EQ(finding.stage, "");
  EXPECT_FALSE(finding.candidates.empty());
}

TEST(StageOf, ALastTokenLostByTheStateIsItsWrite) {
  const StageFinding finding = stage_with("S_lasttok", gdn + std::string("T=8"));
  EXPECT_EQ(finding.stage, "carry");
  EXPECT_TRUE(says(finding, "lies along the key of one token, at position 7"));
}

TEST(StageOf, AReadThatTheCacheAndTheStateShareIsLeftOpen) {
  const StageFinding finding = stage_with("P_next", "regime=typical rule=hola T=8 cache_size=6 cache_block=12", "hola");
  EXPECT_EQ(stages(finding), (std::vector<std::string>{"cache read", "read"}));
  EXPECT_NE(finding.would_tell.find("cache_gate"), std::string::npos);
}

// Of every defect of the steps: what is told or left is where it lies. (Of the state: some are how one chunk reads it, and one that
// exchanges rows and columns after each of two chunks is undone by the second.) Sums in fp16 are wrong in every step.
TEST(StageOf, EveryDefectOfAStepIsWhereItIsLookedFor) {
  const std::map<Stage, std::vector<const char*>> where = {
      {Stage::solve, {"solve"}},    {Stage::values, {"values", "solve"}}, {Stage::gates, {"decay", "values", "carry", "read"}},
      {Stage::attention, {"read"}}, {Stage::reading, {"read"}},           {Stage::state, {"carry", "decay", "read"}}};
  int told = 0;
  for (const Defect& defect : defect_catalogue()) {
    const auto of = where.find(defect.stage);
    if (of == where.end() || std::holds_alternative<HolaFault>(defect.edit) || defect.id == "mma_fp16") continue;
    for (const char* family : {"typical", "b_0"}) {
      for (const char* rule : {"gated_delta", "linear"}) {
        for (const char* shape : {"T=8", "T=24 state=1", "lengths=9,8,12 T=29"}) {
          const std::string problem = std::string("regime=") + family + " rule=" + rule + " " + shape;
          std::optional<StageFinding> finding;
          try {
            finding = stage_with(defect, problem);
          } catch (const InputError&) {  // a family that says nothing of the rule
          }
          if (!finding) continue;
          EXPECT_TRUE(std::ranges::any_of(of->second, [&](const char* stage) { return leaves(*finding, stage); }))
              << defect.id << " on " << problem << ": " << testing::PrintToString(stages(*finding));
          ++told;
        }
      }
    }
  }
  EXPECT_GT(told, 200);
}

}  // namespace
}  // namespace deltaproof
