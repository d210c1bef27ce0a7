// Slicing of a head against plain indexing of the tensors.
#include "reference/problem/head.hpp"

#include <gtest/gtest.h>

#include "tests/reference/problem/support.hpp"

namespace deltaproof {
namespace {

using testing::Case;
using testing::filled;
using testing::integers;
using testing::small_case;

/// Element at a multi-index.
double at(const Tensor& tensor, const std::vector<std::int64_t>& index) {
  std::int64_t flat = 0;
  for (std::size_t axis = 0; axis < index.size(); ++axis)
    flat = flat * tensor.shape[axis] + index[axis];
  return tensor.value(flat);
}

Case varied(const std::string& rule, Dtype dtype) {
  Case c = small_case(rule, {.B = 2});
  for (auto& [name, tensor] : c.tensors) tensor = filled(name, tensor.shape, dtype);
  return c;
}

class EveryDtype : public ::testing::TestWithParam<Dtype> {};

TEST_P(EveryDtype, RowsAreThoseOfTheTensors) {
  const Problem problem = varied("vector_decay_delta", GetParam()).make();
  for (const Sequence& s : problem.sequences())
    for (std::int64_t head = 0; head < 4; ++head) {
      const HeadInputs inputs = head_inputs(problem, s, head);
      const std::int64_t key_head = head / 2;  // HV / H = 2
      ASSERT_EQ(inputs.tokens, 6);
      for (Index t = 0; t < 6; ++t) {
        for (Index i = 0; i < 3; ++i) {
          EXPECT_EQ(inputs.q(t, i), at(*problem.find("q"), {s.batch, t, key_head, i}));
          EXPECT_EQ(inputs.k(t, i), at(*problem.find("k"), {s.batch, t, key_head, i}));
          EXPECT_EQ(inputs.g(t, i), at(*problem.find("g"), {s.batch, t, head, i}));
        }
        for (Index j = 0; j < 5; ++j)
          EXPECT_EQ(inputs.v(t, j), at(*problem.find("v"), {s.batch, t, head, j}));
        EXPECT_EQ(inputs.write(t, 0), at(*problem.find("beta"), {s.batch, t, head}));
      }
      EXPECT_EQ(inputs.initial_state, Matrix(Matrix::Zero(3, 5)));
      EXPECT_EQ(inputs.slot_decay.size(), 0);
      EXPECT_FALSE(inputs.sink.has_value());
    }
}

INSTANTIATE_TEST_SUITE_P(Dtypes, EveryDtype,
                         ::testing::Values(Dtype::bf16, Dtype::f16, Dtype::f32, Dtype::f64),
                         [](const auto& tested) { return std::string(dtype_name(tested.param)); });

TEST(HeadInputs, GatesOfOtherRules) {
  const Problem longhorn = small_case("longhorn").make();
  const HeadInputs wide = head_inputs(longhorn, longhorn.sequences()[0], 3);
  EXPECT_EQ(wide.write.cols(), 5);
  EXPECT_EQ(wide.write(4, 2), at(*longhorn.find("beta"), {0, 4, 3, 2}));
  EXPECT_EQ(wide.g.size(), 0);

  const Problem linear = small_case("linear").make();
  EXPECT_EQ(head_inputs(linear, linear.sequences()[0], 0).write.size(), 0);

  Case c = small_case("softmax");
  c.tensors["sink"] = filled("sink", {4});
  const Problem softmax = c.make();
  EXPECT_EQ(head_inputs(softmax, softmax.sequences()[0], 2).sink, softmax.find("sink")->value(2));
}

TEST(HeadInputs, SlotAttention) {
  Case c = small_case("gsa");
  const Problem zero = c.make();
  const HeadInputs from_zero = head_inputs(zero, zero.sequences()[0], 1);
  EXPECT_EQ(from_zero.slots, 7);
  EXPECT_EQ(from_zero.slot_decay(5, 6), at(*zero.find("a"), {0, 5, 1, 6}));
  EXPECT_EQ(from_zero.write.size(), 0);
  EXPECT_EQ(from_zero.initial_state, Matrix(Matrix::Zero(7, 3)));
  EXPECT_EQ(from_zero.initial_slot_values, Matrix(Matrix::Zero(7, 5)));

  c.tensors["initial_slot_keys"] = filled("x", {1, 4, 7, 3});
  c.tensors["initial_slot_values"] = filled("y", {1, 4, 7, 5});
  const Problem problem = c.make();
  const HeadInputs inputs = head_inputs(problem, problem.sequences()[0], 1);
  EXPECT_EQ(inputs.initial_state(6, 2), at(c.tensors["initial_slot_keys"], {0, 1, 6, 2}));
  EXPECT_EQ(inputs.initial_slot_values(6, 4), at(c.tensors["initial_slot_values"], {0, 1, 6, 4}));
}

TEST(HeadInputs, StatesHaveTheSameMeaningInBothLayouts) {
  Case kv = small_case();
  kv.tensors["cu_seqlens"] = integers({0, 2, 6});
  kv.tensors["initial_state"] = filled("s", {2, 4, 3, 5});
  Case vk = kv;
  vk.metadata["state_layout"] = "vk";
  std::vector<double> turned(2 * 4 * 3 * 5);
  for (std::int64_t outer = 0; outer < 8; ++outer)
    for (std::int64_t i = 0; i < 3; ++i)
      for (std::int64_t j = 0; j < 5; ++j)
        turned[static_cast<std::size_t>((outer * 5 + j) * 3 + i)] =
            kv.tensors["initial_state"].value((outer * 3 + i) * 5 + j);
  vk.tensors["initial_state"] = Tensor::from(Dtype::f32, {2, 4, 5, 3}, turned);
  const Problem a = kv.make(), b = vk.make();
  for (std::size_t n = 0; n < 2; ++n)
    for (std::int64_t head = 0; head < 4; ++head) {
      const Matrix state = head_inputs(a, a.sequences()[n], head).initial_state;
      EXPECT_EQ(state, head_inputs(b, b.sequences()[n], head).initial_state);
      EXPECT_EQ(state(2, 1),
                at(kv.tensors["initial_state"], {static_cast<std::int64_t>(n), head, 2, 1}));
    }
}

TEST(HeadInputs, PackedSequencesStartAtTheirFirstToken) {
  Case c = small_case();
  c.tensors["cu_seqlens"] = integers({0, 2, 2, 5});
  const Problem problem = c.make();
  const HeadInputs empty = head_inputs(problem, problem.sequences()[1], 0);
  EXPECT_EQ(empty.tokens, 0);
  EXPECT_EQ(empty.q.rows(), 0);
  const HeadInputs last = head_inputs(problem, problem.sequences()[2], 3);
  ASSERT_EQ(last.tokens, 3);
  EXPECT_EQ(last.first_position, 1);
  EXPECT_EQ(last.v(0, 0), at(*problem.find("v"), {0, 2, 3, 0}));
  EXPECT_EQ(last.g(2, 0), at(*problem.find("g"), {0, 4, 3}));

  const Tensor o = filled("o", {1, 6, 4, 5}, Dtype::bf16);
  const Matrix rows = output_rows(o, problem, problem.sequences()[2], 3);
  ASSERT_EQ(rows.rows(), 3);
  EXPECT_EQ(rows(1, 4), at(o, {0, 3, 3, 4}));
}

TEST(HeadInputs, StatesComeFromThePoolRowOfTheSequence) {
  Case c = small_case("gated_delta", {.B = 2});
  c.tensors["initial_state"] = filled("s", {5, 4, 3, 5});
  c.tensors["state_indices"] = integers({3, -1});
  const Problem problem = c.make();
  EXPECT_EQ(head_inputs(problem, problem.sequences()[0], 2).initial_state(1, 1),
            at(c.tensors["initial_state"], {3, 2, 1, 1}));
  EXPECT_EQ(head_inputs(problem, problem.sequences()[1], 2).initial_state,
            Matrix(Matrix::Zero(3, 5)));
  const Tensor chunks = filled("c", {2, 3, 4, 3, 5});
  EXPECT_EQ(state_of(chunks, problem, 1 * 3 + 2, 1)(2, 4), at(chunks, {1, 2, 1, 2, 4}));
}

TEST(HeadInputs, SliceKeepsPositionsAndTakesTheStateGiven) {
  const Problem problem = small_case("vector_decay_delta").make();
  const HeadInputs whole = head_inputs(problem, problem.sequences()[0], 1);
  const Matrix state = Matrix::Constant(3, 5, 0.5);
  const HeadInputs part = whole.slice(2, 3, state);
  EXPECT_EQ(part.tokens, 3);
  EXPECT_EQ(part.first_position, 3);
  EXPECT_EQ(part.slice(1, 1, state).first_position, 4);
  EXPECT_EQ(part.q, Matrix(whole.q.middleRows(2, 3)));
  EXPECT_EQ(part.k, Matrix(whole.k.middleRows(2, 3)));
  EXPECT_EQ(part.v, Matrix(whole.v.middleRows(2, 3)));
  EXPECT_EQ(part.g, Matrix(whole.g.middleRows(2, 3)));
  EXPECT_EQ(part.write, Matrix(whole.write.middleRows(2, 3)));
  EXPECT_EQ(part.initial_state, state);
  EXPECT_EQ(part.options.scale, whole.options.scale);
  EXPECT_EQ(part.slot_decay.size(), 0);
}

}  // namespace
}  // namespace deltaproof
