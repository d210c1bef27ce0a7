// The kernel into which faults are put: without one it gives the recording's bits; a fault in one head or chunk
// leaves the others as they are, and its edits meet the values that the text has there.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace deltaproof
