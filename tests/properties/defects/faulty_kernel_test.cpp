// The kernel into which faults are put: without one it gives the recording's bits; a fault in one head or chunk
// leaves the others as they are, and its edits meet the values that the text has there.
#include <gtest/gtest.h>

#include "properties/defects/faulty_head.hpp"
#include "strong_decay.hpp"

namespace deltaproof {
namespace {

const FaultyKernel& kernel() { return strong_decay_bench().kernel(); }

Matrix rows(const Outputs& outputs, std::int64_t head) {
  const Problem& problem = strong_decay().problem;
  return output_rows(outputs.tensors.at("o"), problem, problem.sequences().front(), head);
}

Matrix state(const Outputs& outputs, std::int64_t chunk, std::int64_t head) {
  return state_of(outputs.tensors.at("chunk_states"), strong_decay().problem, chunk, head);
}

TEST(FaultyKernel, WithoutAFaultGivesTheRecordedBits) {
  EXPECT_TRUE(same_bits(kernel().run(), *strong_decay().outputs));
}

TEST(FaultyKernel, WithoutAFaultGivesTheRecordedBitsOfAKlaRun) {
  const CaseFile& file = recorded_case("kla_chunk_bf16_T300");
  const FaultyKernel kla(file.problem, built_in("fla-chunk", Rule::gated_delta).value());
  EXPECT_TRUE(same_bits(kla.run(), *file.outputs));
}

TEST(FaultyKernel, EmptyHooksInEveryChunkChangeNothing) {
  Fault fault;
  fault.head = 1;
  fault.chunk_inputs = [](TextInput<Bits>&) {};
  fault.factors = [](Product, MatrixF&, MatrixF&) {};
  fault.product = [](const ChunkStep&, Product, MatrixF&) {};
  fault.before_rounding = [](const ChunkStep&, Point, MatrixF&) {};
  fault.after_rounding = [](const ChunkStep&, Point, MatrixF&) {};
  fault.next_state = [](const ChunkStep&, MatrixF&) {};
  EXPECT_TRUE(same_bits(kernel().run(fault), *strong_decay().outputs));
}

TEST(FaultyKernel, AFaultOfOneChunkLeavesEarlierChunksAndOtherHeads) {
  Fault fault;
  fault.head = 1;
  fault.chunk = 1;
  fault.chunk_inputs = [](TextInput<Bits>& in) { in.v *= 2.0f; };
  const Outputs right = *strong_decay().outputs, wrong = kernel().run(fault);
  EXPECT_EQ(rows(wrong, 0), rows(right, 0));
  EXPECT_EQ(rows(wrong, 1).topRows(64), rows(right, 1).topRows(64));
  EXPECT_EQ(state(wrong, 0, 1), state(right, 0, 1));
  EXPECT_NE(rows(wrong, 1).middleRows(64, 64), rows(right, 1).middleRows(64, 64));
  EXPECT_NE(state(wrong, 1, 1), state(right, 1, 1));
}

TEST(FaultyKernel, LaterChunksStartFromTheWrongState) {
  Fault fault;
  fault.head = 0;
  fault.chunk = 1;
  fault.next_state = [](const ChunkStep&, MatrixF& S) { S.setZero(); };
  const Outputs right = *strong_decay().outputs, wrong = kernel().run(fault);
  EXPECT_EQ(rows(wrong, 0).topRows(128), rows(right, 0).topRows(128));
  EXPECT_EQ(state(wrong, 1, 0), Matrix::Zero(64, 64));
  EXPECT_NE(rows(wrong, 0).bottomRows(2), rows(right, 0).bottomRows(2));
}

TEST(FaultyKernel, TheFinalStateIsTheLastOfTheChunkStates) {
  const Outputs wrong = kernel().run(fault_of("S_bf16"));
  EXPECT_EQ(state_of(wrong.tensors.at("final_state"), strong_decay().problem, 0, 1), state(wrong, 2, 1));
}

Emulation part_of_head(const HeadPart& part, const Fault& fault = {}) {
  const Problem& problem = strong_decay().problem;
  const Declared declared = built_in("fla-chunk", problem.options().rule).value();
  return run_head(fault, problem, declared, problem.sequences().front(), 1, nullptr, part);
}

// A chunk alone, from the state that the recording has before it, gives the recording's bits; the others are not made.
TEST(HeadPart, OneChunkFromAKnownState) {
  const Outputs& right = *strong_decay().outputs;
  HeadPart part;
  part.first = 1, part.end = 2;
  part.known_state = [&](Index chunk) -> std::optional<MatrixF> {
    if (chunk != 1) return std::nullopt;
    return state(right, 0, 1).cast<float>();
  };
  const Emulation made = part_of_head(part);
  EXPECT_EQ(made.o.topRows(64).cwiseAbs().maxCoeff(), 0);
  EXPECT_EQ(made.o.middleRows(64, 64).cast<double>(), rows(right, 1).middleRows(64, 64));
  EXPECT_EQ(made.o.bottomRows(2).cwiseAbs().maxCoeff(), 0);
  EXPECT_EQ(made.states.at(1).cast<double>(), state(right, 1, 1));
}

// What a known state replaces cannot be wrong behind it.
TEST(HeadPart, AFaultEndsAtAKnownState) {
  const Outputs& right = *strong_decay().outputs;
  Fault fault;
  fault.next_state = [](const ChunkStep& step, MatrixF& S) {
    if (step.in.k.rows() == 64) S.setZero();
  };
  HeadPart part;
  part.known_state = [&](Index chunk) -> std::optional<MatrixF> {
    if (chunk == 0) return std::nullopt;
    return state(right, chunk - 1, 1).cast<float>();
  };
  const Emulation made = part_of_head(part, fault), carried = part_of_head({}, fault);
  EXPECT_EQ(made.o.cast<double>(), rows(right, 1));
  EXPECT_NE(carried.o.cast<double>(), rows(right, 1));
  EXPECT_EQ(made.states.at(0).cwiseAbs().maxCoeff(), 0);
}

TEST(HeadPart, StoredInAnotherType) {
  HeadPart part;
  part.stored = formats::f32;
  const Emulation wide = part_of_head(part), narrow = part_of_head({});
  EXPECT_NE(wide.o, narrow.o);
  EXPECT_EQ(wide.states.back(), narrow.states.back());
}

}  // namespace
}  // namespace deltaproof
