// Single numbers moved by units in the last place, and tensors that are read, edited and written back.
#include <gtest/gtest.h>

#include <limits>

#include "properties/defects/tensor_edit.hpp"
#include "strong_decay.hpp"

namespace deltaproof {
namespace {

TEST(Neighbour, OfOneInBf16) {
  EXPECT_EQ(neighbour(Dtype::bf16, 1.0, 1), 1 + 0x1p-7);
  EXPECT_EQ(neighbour(Dtype::bf16, 1.0, -1), 1 - 0x1p-8);  // numbers below a power of two are closer together
  EXPECT_EQ(neighbour(Dtype::bf16, -1.0, 1), -1 + 0x1p-8);
}

TEST(Neighbour, SeveralUnitsCrossAPowerOfTwo) {
  EXPECT_EQ(neighbour(Dtype::bf16, 1 - 0x1p-8, 2), 1 + 0x1p-7);
  EXPECT_EQ(neighbour(Dtype::bf16, 1 + 0x1p-7, -2), 1 - 0x1p-8);
}

TEST(Neighbour, OfZeroIsTheSmallestNumber) {
  EXPECT_EQ(neighbour(Dtype::bf16, 0.0, 1), 0x1p-133);
  EXPECT_EQ(neighbour(Dtype::f16, 0.0, -1), -0x1p-24);
}

TEST(Neighbour, OfTheLargestIsInfinite) {
  EXPECT_EQ(neighbour(Dtype::f16, 65504, 1), std::numeric_limits<double>::infinity());
}

TEST(Neighbour, UpAndDownAgainIsTheSameNumber) {
  Generator draw(3, {});
  for (int i = 0; i < 1000; ++i) {
    const double x = round_to_nearest_even(formats::bf16, draw.normal());
    EXPECT_EQ(neighbour(Dtype::bf16, neighbour(Dtype::bf16, x, 8), -8), x);
    EXPECT_LT(x, neighbour(Dtype::bf16, x, 1));
  }
}

TEST(TensorEdit, WritesBackWhatItRead) {
  Outputs outputs = *strong_decay().outputs;
  for (const char* tensor : {"o", "final_state", "chunk_states"}) TensorEdit(outputs, tensor).write(outputs);
  EXPECT_TRUE(same_bits(outputs, *strong_decay().outputs));
}

TEST(TensorEdit, FindsTokensAndStatesWhereHeadsHaveThem) {
  const CaseFile& file = strong_decay();
  TensorEdit o(*file.outputs, "o"), states(*file.outputs, "chunk_states");
  const Sequence& sequence = file.problem.sequences().front();
  EXPECT_EQ(o.at(0, 1, 100, 7), output_rows(file.outputs->tensors.at("o"), file.problem, sequence, 1)(100, 7));
  EXPECT_EQ(states.at(2, 1, 30, 7), state_of(file.outputs->tensors.at("chunk_states"), file.problem, 2, 1)(30, 7));
}

// A problem without tokens.
TEST(TensorEdit, OfATensorWithoutElements) {
  Outputs outputs;
  outputs.tensors["o"] = Tensor::from(Dtype::bf16, {1, 0, 2, 8}, {});
  const TensorEdit edit(outputs, "o");
  EXPECT_EQ(edit.outer, 0);
  EXPECT_EQ(edit.rows, 0);
  EXPECT_EQ(edit.heads, 2);
}

}  // namespace
}  // namespace deltaproof
