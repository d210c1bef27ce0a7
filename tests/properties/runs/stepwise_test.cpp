#include "kernels/stepwise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include <cmath>

#include "emulated_kernel.hpp"
#include "small_problem.hpp"

namespace deltaproof {
namespace {

TEST(RunStepwise, StatesOfThePiecesAreThoseOfTheWholeRun) {
  const Problem problem = small_problem();
  const SteppedRun run = run_stepwise(EmulatedKernel(), problem);
  EXPECT_EQ(run.difference.unequal, 0);
  EXPECT_EQ(run.difference.compared, 2 * 40 * 2 * 16 + 2 * 2 * 16 * 16);
  const Outputs expected = emulated_outputs(problem, built_in("fla-chunk", Rule::gated_delta).value(), true);
  ASSERT_NE(run.outputs.find("chunk_states"), nullptr);
  EXPECT_EQ(run.outputs.find("chunk_states")->shape, expected.find("chunk_states")->shape);
  EXPECT_EQ(run.outputs.find("chunk_states")->bytes, expected.find("chunk_states")->bytes);
}

TEST(RunStepwise, OneChunkNeedsNoStates) {
  const SteppedRun run = run_stepwise(EmulatedKernel(), small_problem(16));
  EXPECT_EQ(run.difference.unequal, 0);
  EXPECT_EQ(run.outputs.find("chunk_states"), nullptr);
}

TEST(RunStepwise, KernelThatLosesTheStateBetweenChunksIsSeen) {
  // Wrong where a run starts without the beginning: the last bit of the state of every run of more than 16 tokens.
  const auto damage = [](const Problem& problem, Outputs& outputs) {
    if (problem.dims().T > 16) outputs.tensors["final_state"].bytes[0] ^= std::byte{1};
  };
  const SteppedRun run = run_stepwise(EmulatedKernel(damage), small_problem());
  EXPECT_EQ(run.difference.unequal, 1);
  EXPECT_EQ(to_string(run.difference.first), "final_state: sequence 0, token 40, head 0, row 0, column 0");
  EXPECT_EQ(run.outputs.find("chunk_states"), nullptr) << "states that are not proved must not be judged from";
}

TEST(RunStepwise, NoPieceBeginsFromAStateThatIsNotFinite) {
  int runs = 0;
  const auto damage = [&runs](const Problem&, Outputs& outputs) {
    ++runs;
    outputs.tensors["final_state"].bytes[2] = outputs.tensors["final_state"].bytes[3] = std::byte{0xff};  // NaN
  };
  const SteppedRun run = run_stepwise(EmulatedKernel(damage), small_problem());
  EXPECT_EQ(runs, 2) << "the whole, and the first piece";
  EXPECT_EQ(run.outputs.find("chunk_states"), nullptr);
  EXPECT_TRUE(std::isnan(run.outputs.find("final_state")->value(0)));
}

TEST(TokensOf, CutsEverySequenceAtItsEnd) {
  const Problem whole = small_problem();
  TensorMap tensors = whole.tensors();
  for (auto& [name, tensor] : tensors) {
    if (tensor.shape[0] == 2) {  // one packed row of 80 tokens
      tensor.shape[0] = 1;
      tensor.shape[1] = 80;
    }
  }
  tensors["cu_seqlens"] = Tensor::from(Dtype::i64, {4}, {0, 20, 20, 80});
  const Problem packed = whole.with_inputs(std::move(tensors));
  const Tensor states = Tensor::from(Dtype::f32, {3, 2, 16, 16}, std::vector<double>(3 * 2 * 16 * 16, 1));
  const Problem piece = tokens_of(packed, 16, 16, states);
  ASSERT_EQ(piece.sequences().size(), 3u);
  EXPECT_EQ(piece.sequences()[0].length, 4);
  EXPECT_EQ(piece.sequences()[1].length, 0);
  EXPECT_EQ(piece.sequences()[2].length, 16);
  EXPECT_EQ(piece.dims().T, 20);
  // Token 4 of the piece is token 16 of the last sequence: row 36 of the packed run.
  const Tensor& v = *piece.find("v");
  const Tensor& from = *packed.find("v");
  for (std::int64_t i = 0; i < 2 * 16; ++i) EXPECT_EQ(v.value(4 * 32 + i), from.value(36 * 32 + i));
}

TEST(CompareBits, TakesTwoNanForOneValue) {
  const Problem problem = small_problem();
  Outputs one = EmulatedKernel().run(problem), other = one;
  const std::uint16_t quiet = 0x7fff, negative = 0xffc1;
  std::memcpy(one.tensors["o"].bytes.data(), &quiet, 2);
  std::memcpy(other.tensors["o"].bytes.data(), &negative, 2);
  EXPECT_EQ(compare_bits(problem, one, other).unequal, 0);
  other.tensors["o"].bytes[1] = std::byte{0};
  EXPECT_EQ(compare_bits(problem, one, other).unequal, 1) << "NaN and a number";
}

TEST(RunStepwise, RowsOfAPoolThatNoSequenceHasMayHoldAnything) {
  const Problem rows = small_problem();
  TensorMap tensors = rows.tensors();
  std::vector<double> states(3 * 2 * 16 * 16, 0.5);
  std::fill_n(states.begin(), 2 * 16 * 16, std::numeric_limits<double>::quiet_NaN());  // row 0
  tensors["initial_state"] = Tensor::from(Dtype::f32, {3, 2, 16, 16}, states);
  tensors["state_indices"] = Tensor::from(Dtype::i32, {2}, {2, 1});
  const auto keep = [](const Problem& problem, Outputs& outputs) {
    const Tensor& before = *problem.find("initial_state");
    std::copy_n(before.bytes.begin(), before.bytes.size() / 3, outputs.tensors["final_state"].bytes.begin());
  };
  const SteppedRun run = run_stepwise(EmulatedKernel(keep), rows.with_inputs(std::move(tensors)));
  EXPECT_EQ(run.difference.unequal, 0);
  EXPECT_GT(run.difference.compared, 0);
  EXPECT_NE(run.outputs.find("chunk_states"), nullptr);
}

TEST(CompareBits, SeesTheSignOfZeroAndNamesThePlace) {
  const Problem problem = small_problem();
  Outputs one = EmulatedKernel().run(problem), other = one;
  const std::int64_t at = ((1 * 40 + 17) * 2 + 1) * 16 + 5;
  std::vector<double> values = one.tensors["o"].values();
  values[static_cast<std::size_t>(at)] = 0.0;
  one.tensors["o"] = Tensor::from(Dtype::bf16, {2, 40, 2, 16}, values);
  values[static_cast<std::size_t>(at)] = -0.0;
  other.tensors["o"] = Tensor::from(Dtype::bf16, {2, 40, 2, 16}, values);
  const BitDifference difference = compare_bits(problem, one, other);
  EXPECT_EQ(difference.unequal, 1);
  EXPECT_EQ(to_string(difference.first), "o: sequence 1, token 17 (chunk 1, position 1), head 1, column 5");
}

}  // namespace
}  // namespace deltaproof
