#include <gtest/gtest.h>

#include <limits>

#include "tests/reference/problem/support.hpp"

namespace deltaproof {
namespace {

using testing::Case;
using testing::expect_refused;
using testing::filled;
using testing::integers;
using testing::small_case;

class CaseFiles : public ::testing::Test {
 protected:
  CaseFile read(const Case& c) {
    c.write(folder_ / "run.safetensors");
    return read_case(folder_ / "run.safetensors");
  }
  void refuses(const Case& c, std::vector<std::string> parts) {
    parts.push_back((folder_ / "run.safetensors").string() + ": ");
    expect_refused([&] { read(c); }, parts);
  }
  testing::TempFolder folder_;
};

TEST_F(CaseFiles, AProblemAloneHasNoOutputs) {
  const CaseFile file = read(small_case());
  EXPECT_FALSE(file.outputs.has_value());
  EXPECT_TRUE(file.gradients.empty());
  EXPECT_EQ(file.problem.name(), "run.safetensors");
  EXPECT_EQ(file.path, folder_ / "run.safetensors");
  EXPECT_EQ(file.kernel, "recorded");
}

TEST_F(CaseFiles, ARecordedRunIsSplit) {
  Case c = small_case();
  c.metadata.insert(
      {{"kernel", "my kernel"}, {"source", "here"}, {"note", "n"}, {"chunk_size", "4"}});
  c.tensors["o"] = filled("o", {1, 6, 4, 5}, Dtype::bf16);
  c.tensors["final_state"] = filled("s", {1, 4, 3, 5});
  c.tensors["chunk_states"] = filled("s", {1, 2, 4, 3, 5});
  c.tensors["dq"] = filled("x", {17});
  c.tensors["chunk_dstates"] = filled("x", {1});
  c.tensors["eta"] = filled("eta", {1, 6, 4});
  c.tensors["mystery"] = filled("x", {2});
  const CaseFile file = read(c);
  ASSERT_TRUE(file.outputs.has_value());
  EXPECT_EQ(file.outputs->tensors.size(), 3u);
  ASSERT_NE(file.outputs->find("o"), nullptr);
  EXPECT_EQ(file.outputs->find("o")->bytes, c.tensors["o"].bytes);
  EXPECT_EQ(file.outputs->find("dq"), nullptr);
  EXPECT_EQ(file.gradients, (std::vector<std::string>{"chunk_dstates", "dq"}));
  EXPECT_EQ(file.problem.unused(), (std::vector<std::string>{"eta", "mystery"}));
  EXPECT_EQ(file.kernel, "my kernel");
  EXPECT_EQ(file.source, "here");
  EXPECT_EQ(file.note, "n");
  EXPECT_EQ(file.metadata.at("chunk_size"), "4");
}

TEST_F(CaseFiles, OutputsWithoutOAreARun) {
  Case c = small_case();
  c.tensors["final_state"] = filled("s", {1, 4, 3, 5});
  EXPECT_TRUE(read(c).outputs.has_value());
}

TEST_F(CaseFiles, OutputsThatAreNotFiniteAreKeptForJudgement) {
  Case c = small_case();
  c.tensors["o"] = filled("o", {1, 6, 4, 5});
  testing::set(c.tensors["o"], 0, std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(read(c).outputs.has_value());
}

TEST_F(CaseFiles, OutputsOfAnotherShapeAreRefused) {
  const std::pair<std::string, std::vector<std::int64_t>> wanted[] = {
      {"o", {1, 6, 4, 5}}, {"final_state", {1, 4, 3, 5}}, {"chunk_states", {1, 1, 4, 3, 5}}};
  for (const auto& [name, shape] : wanted)
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      Case c = small_case();
      std::vector<std::int64_t> other = shape;
      other[axis] += 1;
      c.tensors[name] = filled(name, other);
      refuses(c, {"'" + name + "'", shape_string(other), shape_string(shape)});
    }
  Case c = small_case();
  c.tensors["o"] = Tensor::from(Dtype::i32, {1, 6, 4, 5}, std::vector<double>(120));
  refuses(c, {"'o'", "I32", "BF16"});
}

TEST_F(CaseFiles, StatesFollowTheLayout) {
  Case c = small_case();
  c.metadata["state_layout"] = "vk";
  c.tensors["final_state"] = filled("s", {1, 4, 5, 3});
  c.tensors["chunk_states"] = filled("s", {1, 1, 4, 5, 3});
  EXPECT_EQ(read(c).outputs->tensors.size(), 2u);
  c.tensors["final_state"] = filled("s", {1, 4, 3, 5});
  refuses(c, {"'final_state'", "[N, HV, V, K] = [1, 4, 5, 3]"});
}

TEST_F(CaseFiles, ChunkStatesRestartWithEachSequence) {
  Case c = small_case();
  c.metadata["chunk_size"] = "2";
  c.tensors["cu_seqlens"] = integers({0, 3, 3, 6});
  c.tensors["chunk_states"] = filled("s", {1, 4, 4, 3, 5});  // 2 + 0 + 2
  EXPECT_TRUE(read(c).outputs.has_value());
  c.metadata["states_every"] = "4";
  refuses(c, {"'chunk_states'", "[1, 2, 4, 3, 5]"});  // 1 + 0 + 1

  Case batch = small_case("gated_delta", {.B = 2});
  batch.metadata["chunk_size"] = "4";
  batch.tensors["chunk_states"] = filled("s", {2, 2, 4, 3, 5});
  EXPECT_TRUE(read(batch).outputs.has_value());
}

TEST_F(CaseFiles, FinalStatesOfAPoolHaveItsRows) {
  Case c = small_case();
  c.tensors["initial_state"] = filled("s", {5, 4, 3, 5});
  c.tensors["state_indices"] = integers({2});
  c.tensors["final_state"] = filled("s", {5, 4, 3, 5});
  EXPECT_TRUE(read(c).outputs.has_value());
  c.tensors["final_state"] = filled("s", {1, 4, 3, 5});
  refuses(c, {"'final_state'", "[1, 4, 3, 5]", "[5, 4, 3, 5]"});
}

TEST_F(CaseFiles, SlotAttentionReturnsBothParts) {
  Case c = small_case("gsa");
  c.tensors["final_slot_keys"] = filled("s", {1, 4, 7, 3});
  c.tensors["final_slot_values"] = filled("s", {1, 4, 7, 5});
  c.tensors["final_state"] = filled("s", {1, 4, 3, 5});
  const CaseFile file = read(c);
  EXPECT_EQ(file.outputs->tensors.size(), 2u);
  EXPECT_EQ(file.problem.unused(), std::vector<std::string>{"final_state"});
  c.tensors["final_slot_values"] = filled("s", {1, 4, 5, 7});
  refuses(c, {"'final_slot_values'", "[1, 4, 5, 7]", "[1, 4, 7, 5]"});
}

TEST_F(CaseFiles, MessagesNameThePath) {
  Case c = small_case();
  testing::set(c.tensors["g"], 0, 1);
  refuses(c, {"'g'", "1 at [0, 0, 0]"});
  c.metadata["rule"] = "nothing";
  refuses(c, {"'nothing'"});
}

TEST_F(CaseFiles, AFileOfAnotherFormatIsRefused) {
  write_safetensors(folder_ / "run.safetensors", {{{"format", "pt"}}, {}});
  expect_refused([&] { read_case(folder_ / "run.safetensors"); },
                 {"run.safetensors", "'format'", "'pt'", "deltaproof.case/1"});
  write_safetensors(folder_ / "run.safetensors", {});
  expect_refused([&] { read_case(folder_ / "run.safetensors"); },
                 {"run.safetensors", "no 'format'"});
}

}  // namespace
}  // namespace deltaproof
