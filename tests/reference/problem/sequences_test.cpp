#include <gtest/gtest.h>

#include "tests/reference/problem/support.hpp"

namespace deltaproof {
namespace {

using testing::Case;
using testing::expect_refused;
using testing::filled;
using testing::integers;
using testing::small_case;

Case packed(const std::vector<double>& boundaries, Dtype dtype = Dtype::i32) {
  Case c = small_case();
  c.tensors["cu_seqlens"] = integers(boundaries, dtype);
  return c;
}

void refuses(const Case& c, std::vector<std::string> parts) {
  parts.emplace_back("small.safetensors");
  expect_refused([&] { c.make(); }, parts);
}

TEST(Sequences, WithoutBoundariesAreTheBatchRows) {
  const Problem problem = small_case("gated_delta", {.B = 3}).make();
  ASSERT_EQ(problem.sequences().size(), 3u);
  EXPECT_EQ(problem.dims().N, 3);
  const Sequence& last = problem.sequences()[2];
  EXPECT_EQ(last.index, 2);
  EXPECT_EQ(last.batch, 2);
  EXPECT_EQ(last.begin, 0);
  EXPECT_EQ(last.length, 6);
  EXPECT_EQ(last.state_row, 2);
  EXPECT_EQ(last.first_state, 0);
}

TEST(Sequences, PackedOnesMayBeEmptyAndEndBeforeT) {
  for (const Dtype dtype : {Dtype::i32, Dtype::i64}) {
    Case c = packed({0, 0, 3, 3, 4, 4}, dtype);
    c.metadata.insert({"chunk_size", "2"});
    const Problem problem = c.make();
    EXPECT_EQ(problem.dims().N, 5);
    EXPECT_EQ(problem.dims().pool, 5);
    const std::int64_t begin[] = {0, 0, 3, 3, 4}, length[] = {0, 3, 0, 1, 0};
    const std::int64_t first_state[] = {0, 0, 2, 2, 3};
    ASSERT_EQ(problem.sequences().size(), 5u);
    for (std::size_t n = 0; n < 5; ++n) {
      const Sequence& sequence = problem.sequences()[n];
      EXPECT_EQ(sequence.batch, 0);
      EXPECT_EQ(sequence.begin, begin[n]);
      EXPECT_EQ(sequence.length, length[n]);
      EXPECT_EQ(sequence.first_state, first_state[n]);
      EXPECT_EQ(sequence.state_row, static_cast<std::int64_t>(n));
    }
  }
}

TEST(Sequences, RefusesBoundariesOutOfOrder) {
  refuses(packed({1, 6}), {"'cu_seqlens'", "value 1 at [0]", "0"});
  refuses(packed({-1, 6}), {"'cu_seqlens'", "value -1 at [0]"});
  refuses(packed({0, 4, 3, 6}), {"'cu_seqlens'", "value 3 at [2]", "4"});
  refuses(packed({0, -2, 6}), {"'cu_seqlens'", "value -2 at [1]"});
  refuses(packed({0, 3, 7}), {"'cu_seqlens'", "value 7 at [2]", "T = 6"});
  refuses(packed({0, 0x1p62}, Dtype::i64), {"'cu_seqlens'", "4611686018427387904", "T = 6"});
  refuses(packed({0}), {"'cu_seqlens'", "[1]", "at least 2"});
}

TEST(Sequences, RefusesBoundariesOfAnotherKind) {
  Case c = packed({0, 6});
  c.tensors["cu_seqlens"] = Tensor::from(Dtype::f32, {2}, {0, 6});
  refuses(c, {"'cu_seqlens'", "F32", "I32 or I64"});
  c.tensors["cu_seqlens"] = Tensor::from(Dtype::i32, {1, 2}, {0, 6});
  refuses(c, {"'cu_seqlens'", "[1, 2]", "rank 2"});
  Case batch = small_case("gated_delta", {.B = 2});
  batch.tensors["cu_seqlens"] = integers({0, 6});
  refuses(batch, {"'cu_seqlens'", "B = 1", "B = 2"});
}

Case pooled(const std::vector<double>& indices) {
  Case c = packed({0, 2, 4, 6});
  c.tensors["initial_state"] = filled("initial_state", {5, 4, 3, 5});
  c.tensors["state_indices"] = integers(indices);
  return c;
}

TEST(Sequences, StateIndicesChooseRowsOfThePool) {
  const Problem problem = pooled({4, -1, 0}).make();
  EXPECT_EQ(problem.dims().N, 3);
  EXPECT_EQ(problem.dims().pool, 5);
  EXPECT_EQ(problem.sequences()[0].state_row, 4);
  EXPECT_EQ(problem.sequences()[1].state_row, -1);
  EXPECT_EQ(problem.sequences()[2].state_row, 0);
  EXPECT_NO_THROW(pooled({-1, -1, -1}).make());
}

TEST(Sequences, RefusesStateIndicesOutsideThePoolOrTwice) {
  refuses(pooled({0, 5, 1}), {"'state_indices'", "value 5 at [1]", "0 to 4"});
  refuses(pooled({0, 1, -2}), {"'state_indices'", "value -2 at [2]", "-1"});
  refuses(pooled({3, 1, 3}), {"'state_indices'", "value 3 at [2]", "[0]"});
  refuses(pooled({0, 1}), {"'state_indices'", "[2]", "[N] = [3]"});
}

TEST(Sequences, StateIndicesNeedAPool) {
  Case c = pooled({0, 1, 2});
  c.tensors.erase("initial_state");
  refuses(c, {"'state_indices'", "'initial_state'"});
  c.tensors["initial_state"] = filled("initial_state", {0, 4, 3, 5});
  refuses(c, {"'initial_state'", "[0, 4, 3, 5]", "is 0"});
}

TEST(StateCount, CountsAPartialLastChunk) {
  EXPECT_EQ(state_count(0, 64), 0);
  EXPECT_EQ(state_count(1, 64), 1);
  EXPECT_EQ(state_count(64, 64), 1);
  EXPECT_EQ(state_count(65, 64), 2);
  EXPECT_EQ(state_count(5, std::int64_t{1} << 62), 1);
}

}  // namespace
}  // namespace deltaproof
