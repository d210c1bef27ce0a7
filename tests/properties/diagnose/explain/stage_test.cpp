// At which step a run goes wrong: recordings whose outputs were changed by a known term of the right answer.
#include "properties/diagnose/explain/stage.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "damaged_runs.hpp"

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

}  // namespace
}  // namespace deltaproof
