// States of the built-in kernels: carried over, in place, in a pool, transposed, of empty sequences.
#include <gtest/gtest.h>

#include "kernels/stepwise.hpp"
#include "tests/kernels/built_in_bits.hpp"

namespace deltaproof {
namespace {

class BuiltInStates : public testing::TestWithParam<const char*> {
 protected:
  std::string kernel() const { return GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(, BuiltInStates, testing::Values("recurrent", "chunk"),
                         [](const auto& test) { return std::string(test.param); });

RegimeShape shape_of(std::int64_t B, std::int64_t tokens, Dtype type) {
  RegimeShape shape;
  shape.B = B, shape.tokens = tokens, shape.K = 24, shape.V = 16, shape.HV = 2, shape.input = type;
  shape.initial_state = true;
  return shape;
}

Metadata chunks_of(const char* tokens) { return {{"chunk_size", tokens}, {"states_every", tokens}}; }

Tensor integers(Dtype type, std::vector<double> values) {
  const auto count = static_cast<std::int64_t>(values.size());
  return Tensor::from(type, {count}, values);
}

TEST_P(BuiltInStates, ChunkByChunkGivesTheBitsOfTheFullRun) {
  const BuiltInKernel run = on_host(kernel());
  for (const Dtype type : input_types) {
    for (const Rule rule : {Rule::gated_delta, Rule::linear, Rule::vector_decay_delta}) {
      const Problem p = own_problem(kernel(), rule, shape_of(1, 75, type), chunks_of("32"));
      const SteppedRun stepped = run_stepwise(run, p);
      EXPECT_GT(stepped.difference.compared, 0);
      EXPECT_EQ(stepped.difference.unequal, 0) << p.name() << " at " << to_string(stepped.difference.first);
    }
  }
}

TEST_P(BuiltInStates, OfEmptySequencesAreTheInitialOnes) {
  const BuiltInKernel run = on_host(kernel());
  RegimeShape shape = shape_of(1, 90, Dtype::bf16);
  shape.initial_state = false;
  std::vector<double> states(5 * 2 * 24 * 16);
  for (std::size_t i = 0; i < states.size(); ++i) states[i] = static_cast<double>(i % 37) / 16 - 1;
  const TensorMap packed = {{"cu_seqlens", integers(Dtype::i64, {0, 0, 20, 20, 85, 85})},  // rows from 85 in none
                            {"initial_state", Tensor::from(Dtype::f32, {5, 2, 24, 16}, states)}};
  const Problem p = own_problem(kernel(), Rule::gated_delta, shape, chunks_of("16"), packed);
  const Outputs actual = run.run(p);
  EXPECT_TRUE(same_bits(p, expected_outputs(p), actual));
  const Tensor &before = packed.at("initial_state"), &after = actual.tensors.at("final_state");
  for (const std::int64_t row : {0, 2, 4}) {
    for (std::int64_t i = row * 768; i < (row + 1) * 768; ++i) ASSERT_EQ(after.value(i), before.value(i)) << row;
  }
  EXPECT_NE(after.value(768), before.value(768));
}

TEST_P(BuiltInStates, OfAPoolAreUpdatedInPlaceAndSkippedOnesLeftAlone) {
  const BuiltInKernel run = on_host(kernel());
  for (const std::int64_t tokens : {1, 40}) {
    const RegimeShape shape = shape_of(3, tokens, Dtype::f16);
    std::vector<double> pool(5 * 2 * 24 * 16);
    for (std::size_t i = 0; i < pool.size(); ++i) pool[i] = static_cast<double>(i % 41) / 16 - 1;
    const Problem p = own_problem(kernel(), Rule::gated_delta, shape, {},
                                  {{"initial_state", Tensor::from(Dtype::f32, {5, 2, 24, 16}, pool)},
                                   {"state_indices", integers(Dtype::i32, {4, -1, 0})}});
    const Outputs actual = run.run(p);
    EXPECT_TRUE(same_bits(p, expected_outputs(p), actual));
    const Tensor &o = actual.tensors.at("o"), &states = actual.tensors.at("final_state");
    const std::size_t o_row = o.bytes.size() / 3;  // of the skipped sequence
    for (std::size_t i = o_row; i < 2 * o_row; ++i) ASSERT_EQ(o.bytes[i], std::byte{0xff});
    for (std::int64_t i = 768; i < 4 * 768; ++i) ASSERT_EQ(states.value(i), pool[static_cast<std::size_t>(i)]);
    EXPECT_NE(states.value(0), pool[0]);
    EXPECT_NE(states.value(4 * 768), pool[4 * 768]);
  }
}

Tensor transposed(const Tensor& states) {
  const std::int64_t rows = states.shape[2], columns = states.shape[3], outer = states.shape[0] * states.shape[1];
  std::vector<double> values(static_cast<std::size_t>(states.size()));
  for (std::int64_t n = 0; n < outer; ++n) {
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) {
        values[static_cast<std::size_t>((n * columns + j) * rows + i)] = states.value((n * rows + i) * columns + j);
      }
    }
  }
  return Tensor::from(states.dtype, {states.shape[0], states.shape[1], columns, rows}, values);
}

TEST_P(BuiltInStates, InTheOtherLayoutAreTransposed) {
  const BuiltInKernel run = on_host(kernel());
  for (const Rule rule : {Rule::gated_delta, Rule::vector_decay}) {
    const Problem kv = own_problem(kernel(), rule, shape_of(2, 50, Dtype::bf16));
    const Problem vk = own_problem(kernel(), rule, shape_of(2, 50, Dtype::bf16), {{"state_layout", "vk"}},
                                   {{"initial_state", transposed(*kv.find("initial_state"))}});
    const Outputs one = run.run(kv), other = run.run(vk);
    EXPECT_EQ(one.tensors.at("o").bytes, other.tensors.at("o").bytes);
    EXPECT_EQ(transposed(one.tensors.at("final_state")).bytes, other.tensors.at("final_state").bytes);
  }
}

// Value heads share keys: the same as if each had its own copy.
TEST_P(BuiltInStates, OfGroupedHeadsReadTheKeyOfTheirGroup) {
  const BuiltInKernel run = on_host(kernel());
  RegimeShape shape = shape_of(1, 40, Dtype::bf16);
  shape.H = 2, shape.HV = 6;
  const Problem grouped = own_problem(kernel(), Rule::gated_delta, shape);
  TensorMap copied;
  for (const char* name : {"q", "k"}) {
    const Tensor& from = *grouped.find(name);
    std::vector<double> values;
    for (std::int64_t t = 0; t < 40; ++t) {
      for (std::int64_t head = 0; head < 6; ++head) {
        for (std::int64_t i = 0; i < 24; ++i) values.push_back(from.value((t * 2 + head / 3) * 24 + i));
      }
    }
    copied[name] = Tensor::from(from.dtype, {1, 40, 6, 24}, values);
  }
  shape.H = 6;
  for (const char* name : {"v", "g", "beta", "initial_state"}) copied[name] = *grouped.find(name);
  const Problem separate = own_problem(kernel(), Rule::gated_delta, shape, {}, copied);
  EXPECT_TRUE(same_bits(grouped, run.run(separate), run.run(grouped)));
}

}  // namespace
}  // namespace deltaproof
