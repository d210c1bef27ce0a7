// Where a recording is wrong, in words, after a known part of it was damaged.
#include "properties/diagnose/explain/spread.hpp"

#include <gtest/gtest.h>

#include "damaged_runs.hpp"

namespace deltaproof {
namespace {

constexpr const char* recording = "gdn_chunk_bf16_strong_decay";

// Far from any right value.
void spoil(double& value) { value = -value - 4; }

TEST(Spread, ARightRunHasNone) {
  const CaseFile file = recorded_case(recording);
  const ExaminedRun judged(file);
  const auto spreads = spread_of(judged.map, file.problem);
  EXPECT_EQ(spreads.front().tensor, "o");
  for (const TensorSpread& spread : spreads) {
    EXPECT_EQ(spread.bad, 0) << spread.tensor;
    EXPECT_GT(spread.judged, 0) << spread.tensor;
    EXPECT_TRUE(spread.axes.empty() && spread.patterns.empty()) << spread.tensor;
  }
}

TEST(Spread, TheLastTokenOfEveryChunkOfOneHead) {
  CaseFile file = recorded_case(recording);
  damage(*file.outputs, "o", [](auto, auto head, auto t, auto, double& value) {
    if (head == 1 && (t == 63 || t == 127 || t == 129)) spoil(value);
  });
  const ExaminedRun judged(file);
  const auto spreads = spread_of(judged.map, file.problem);
  const TensorSpread& o = spread_in(spreads, "o");
  EXPECT_EQ(o.bad, 3 * file.problem.dims().V);
  EXPECT_EQ(words_of(o, "head"), "head 1 alone (1 of 2)");
  EXPECT_EQ(words_of(o, "chunk"), "all 3 chunks");
  EXPECT_TRUE(has_pattern(o, "only the last token of every chunk"));
  EXPECT_FALSE(has_pattern(o, "first token"));
  EXPECT_EQ(spread_in(spreads, "chunk_states").bad, 0);
}

TEST(Spread, EveryFourthColumnFromASecondChunkOn) {
  CaseFile file = recorded_case(recording);
  damage(*file.outputs, "o", [](auto, auto, auto t, auto column, double& value) {
    if (t >= 64 && column % 4 == 3) spoil(value);
  });
  const ExaminedRun judged(file);
  const auto spreads = spread_of(judged.map, file.problem);
  const TensorSpread& o = spread_in(spreads, "o");
  EXPECT_EQ(words_of(o, "column").substr(0, 29), "every 4th column from 3 on (1");
  EXPECT_EQ(words_of(o, "head"), "all 2 heads");
  EXPECT_TRUE(has_pattern(o, "every chunk but the first"));
  EXPECT_TRUE(has_pattern(o, "in each head every token from its first wrong one on"));
  EXPECT_FALSE(has_pattern(o, "tail"));
}

TEST(Spread, OneTokenAndTheTail) {
  CaseFile file = recorded_case(recording);
  damage(*file.outputs, "o", [](auto, auto head, auto t, auto, double& value) {
    if (head == 0 && t == 70) spoil(value);
  });
  {
    const ExaminedRun judged(file);
    const auto spreads = spread_of(judged.map, file.problem);
    EXPECT_EQ(words_of(spread_in(spreads, "o"), "position"), "position 6 alone (1 of 64)");
    EXPECT_TRUE(has_pattern(spread_in(spreads, "o"), "one token, and none after it"));
  }
  file = recorded_case(recording);
  damage(*file.outputs, "o", [](auto, auto, auto t, auto, double& value) {
    if (t >= 128) spoil(value);
  });
  const ExaminedRun judged(file);
  EXPECT_TRUE(has_pattern(spread_in(spread_of(judged.map, file.problem), "o"), "only the tail"));
}

TEST(Spread, StatesOnly) {
  CaseFile file = recorded_case(recording);
  damage(*file.outputs, "chunk_states", [](auto outer, auto head, auto row, auto column, double& value) {
    if (outer == 1 && head == 0 && row == 5 && column == 7) value += 100;
  });
  const ExaminedRun judged(file);
  const auto spreads = spread_of(judged.map, file.problem);
  const TensorSpread& states = spread_in(spreads, "chunk_states");
  EXPECT_EQ(states.bad, 1);
  EXPECT_EQ(words_of(states, "row").substr(0, 11), "row 5 alone");
  EXPECT_EQ(words_of(states, "column").substr(0, 14), "column 7 alone");
  EXPECT_EQ(words_of(states, "chunk"), "chunk 1 alone (1 of 3)");
}

// 2 key heads for 4 value heads, five sequences, no states.
TEST(Spread, ValueHeadsOfOneKeyHeadInOneSequence) {
  CaseFile file = recorded_case("gdn_chunk_bf16_varlen_gva");
  const Sequence& sequence = file.problem.sequences()[1];
  damage(*file.outputs, "o", [&](auto, auto head, auto t, auto, double& value) {
    if (head >= 2 && t >= sequence.begin && t < sequence.begin + sequence.length) spoil(value);
  });
  const ExaminedRun judged(file);
  const auto spreads = spread_of(judged.map, file.problem);
  const TensorSpread& o = spread_in(spreads, "o");
  EXPECT_EQ(words_of(o, "sequence").substr(0, 16), "sequence 1 alone");
  EXPECT_TRUE(has_pattern(o, "all value heads of key head 1 and no other"));
}

// All its sequences end in a partial chunk: their final states have nothing else to be right in.
TEST(Spread, FinalStatesAreNotATail) {
  CaseFile file = recorded_case("gdn_chunk_bf16_varlen_gva");
  damage(*file.outputs, "final_state", [](auto, auto, auto, auto, double& value) { spoil(value); });
  const ExaminedRun judged(file);
  EXPECT_FALSE(has_pattern(spread_in(spread_of(judged.map, file.problem), "final_state"), "tail"));
}

}  // namespace
}  // namespace deltaproof
