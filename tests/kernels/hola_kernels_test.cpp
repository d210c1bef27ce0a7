// What holds of the prefill `hola` and of `hola_decode` alike.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/kernels/hola_fixture.hpp"

namespace deltaproof {
namespace {

Outputs run(const std::string& kernel, const Problem& problem) { return on_host(kernel).run(problem); }

// Rows of a tensor as bytes.
std::vector<std::byte> rows(const Tensor& tensor, std::int64_t first, std::int64_t count, std::int64_t of) {
  const std::int64_t size = static_cast<std::int64_t>(tensor.bytes.size()) / of;
  return {tensor.bytes.begin() + first * size, tensor.bytes.begin() + (first + count) * size};
}

class HolaKernels : public testing::TestWithParam<const char*> {
 protected:
  std::string kernel() const { return GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(, HolaKernels, testing::Values("hola", "hola_decode"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(HolaKernels, PackedSequencesStandAlone) {
  HolaShape shape;
  shape.lengths = {19, 0, 8, 34}, shape.H = 1, shape.HV = 2, shape.initial_state = true;
  const Problem packed = hola_problem(kernel(), shape);
  const Outputs whole = run(kernel(), packed);
  const std::int64_t T = 61, blocks = 3 + 1 + 5;
  for (const Sequence& s : packed.sequences()) {
    if (s.length == 0) continue;
    TensorMap tensors = packed.tensors();
    for (const char* name : {"q", "k", "v", "g", "beta"}) {
      Tensor& tensor = tensors.at(name);
      tensor.bytes = rows(tensor, s.begin, s.length, T);
      tensor.shape[1] = s.length;
    }
    tensors.erase("cu_seqlens");
    Tensor& state = tensors.at("initial_state");
    state.bytes = rows(state, s.index, 1, 4), state.shape[0] = 1;
    const Outputs alone = run(kernel(), packed.with_inputs(tensors));
    EXPECT_EQ(rows(whole.tensors.at("o"), s.begin, s.length, T), alone.tensors.at("o").bytes);
    EXPECT_EQ(rows(whole.tensors.at("scores"), s.begin, s.length, T), alone.tensors.at("scores").bytes);
    EXPECT_EQ(rows(whole.tensors.at("selected"), s.first_block, (s.length + 7) / 8, blocks),
              alone.tensors.at("selected").bytes);
    EXPECT_EQ(rows(whole.tensors.at("chunk_states"), s.first_state, (s.length + 15) / 16, 2 + 1 + 3),
              alone.tensors.at("chunk_states").bytes);
    EXPECT_EQ(rows(whole.tensors.at("final_state"), s.index, 1, 4), alone.tensors.at("final_state").bytes);
  }
}

TEST_P(HolaKernels, SequencesThatThePoolSkipsStayUntouched) {
  HolaShape shape;
  shape.B = 3, shape.T = 20, shape.pool = {3, -1, 0};
  const Problem problem = hola_problem(kernel(), shape);
  const Outputs outputs = run(kernel(), problem);
  for (const char* name : {"o", "scores", "selected", "chunk_states"}) {
    const Tensor& tensor = outputs.tensors.at(name);
    for (const std::byte each : rows(tensor, 1, 1, 3)) ASSERT_EQ(each, std::byte{0xff}) << name;
    const std::vector<std::byte> first = rows(tensor, 0, 1, 3);
    EXPECT_NE(first, std::vector<std::byte>(first.size(), std::byte{0xff})) << name;
  }
  const Tensor &before = *problem.find("initial_state"), &after = outputs.tensors.at("final_state");
  for (const std::int64_t row : {1, 2}) EXPECT_EQ(rows(before, row, 1, 4), rows(after, row, 1, 4));
  for (const std::int64_t row : {0, 3}) EXPECT_NE(rows(before, row, 1, 4), rows(after, row, 1, 4));
}

TEST_P(HolaKernels, ScoresWithoutAnOrderEndTheRunByName) {
  HolaShape shape;
  shape.T = 20, shape.HV = 2;
  const Problem problem = hola_problem(kernel(), shape);
  TensorMap tensors = problem.tensors();
  std::vector<double> v = tensors.at("v").values();
  // The first token of a chunk: others of it would go down with it.
  v[static_cast<std::size_t>((16 * 2 + 1) * problem.dims().V + 3)] = std::nan("");
  tensors["v"] = Tensor::from(Dtype::bf16, tensors.at("v").shape, v);
  try {
    run(kernel(), problem.with_unchecked_values(tensors));
    FAIL() << "it ran";
  } catch (const KernelError& error) {
    EXPECT_EQ(error.what(), kernel() +
                                ": the score of token 16 of sequence 0, value head 1 is NaN or negative; the "
                                "cache has no order");
  }
}

TEST_P(HolaKernels, RefusalsNameKernelAndValue) {
  const auto refused = [&](const Metadata& more, const HolaShape& shape = {}) {
    return refusal_of(*find_built_in_kernel(kernel()), hola_problem(kernel(), shape, more));
  };
  EXPECT_EQ(refused({}), "");
  EXPECT_EQ(refused({{"score", "attention"}}),
            kernel() + ": score attention, which is not fixed when a token is written, is not computed");
  EXPECT_EQ(refused({{"cache_size", "1025"}}), kernel() + ": cache_size = 1025 is more than 1024");
  EXPECT_EQ(refused({{"cache_block", "2000"}}), kernel() + ": cache_block = 2000 is more than 1024");
  EXPECT_EQ(refused({{"tau", "1e-45"}}), kernel() + ": tau = 1e-45 over sqrt(K) is neither 0 nor a normal fp32 number");
  EXPECT_EQ(refused({{"state_rule", "kla"}, {"position", "inverse"}}),
            kernel() + ": a position factor on the write coefficient is not computed");
  EXPECT_EQ(refused({{"score", "e"}}),
            kernel() == "hola" ? "hola: score e is not computed: the chunk form has b e, and no e" : "");
  HolaShape odd;
  odd.K = 12;
  EXPECT_EQ(refused({}, odd), kernel() == "hola" ? "hola: K = 12 is no multiple of 8" : "");
  TensorMap tensors = hola_problem(kernel(), {}).tensors();
  tensors["gamma_q"] = filled_tensor(Dtype::f64, tensors.at("gamma_q").shape, 1);
  EXPECT_EQ(refusal_of(*find_built_in_kernel(kernel()), hola_problem(kernel(), {}).with_inputs(tensors)),
            kernel() + ": gamma_q in F64 is not computed; it takes BF16, F16, F32");
}

TEST_P(HolaKernels, OtherRulesAreRefused) {
  EXPECT_EQ(refusal_of(*find_built_in_kernel(kernel()), hola_problem(kernel(), {}).state_part()),
            kernel() + ": rule gated_delta is not computed; it computes hola");
  EXPECT_EQ(refusal_of(*find_built_in_kernel("chunk"), hola_problem(kernel(), {})).substr(0, 33),
            "chunk: rule hola is not computed;");
}

// Capacity 0: the block alone. Capacity of all tokens: all are kept.
TEST_P(HolaKernels, CapacitiesOfNothingAndOfEverything) {
  HolaShape shape;
  shape.T = 20;
  const Outputs none = run(kernel(), hola_problem(kernel(), shape, {{"cache_size", "0"}}));
  EXPECT_EQ(none.tensors.at("selected").size(), 0);
  const Outputs all = run(kernel(), hola_problem(kernel(), shape, {{"cache_size", "20"}}));
  EXPECT_FALSE(same_tensors(none, all, {"o"}));
  EXPECT_TRUE(same_tensors(none, all, {"scores", "final_state", "chunk_states"}));
  const Tensor& selected = all.tensors.at("selected");
  std::vector<bool> kept(20);
  for (std::int64_t i = 0; i < 20; ++i) {
    const std::int64_t token = selected.integer(2 * 2 * 20 + i);
    if (token >= 0) kept[static_cast<std::size_t>(token)] = true;
  }
  for (std::size_t t = 0; t < 20; ++t) EXPECT_EQ(kept[t], t < 16);
}

}  // namespace
}  // namespace deltaproof
