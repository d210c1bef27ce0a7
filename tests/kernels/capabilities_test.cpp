#include "kernels/built_in/capabilities.hpp"

#include <gtest/gtest.h>

#include "properties/regimes/families.hpp"

namespace deltaproof {
namespace {

Problem problem(Rule rule, const Metadata& more = {}, std::int64_t K = 16, Dtype input = Dtype::bf16) {
  RegimeShape shape;
  shape.tokens = 8, shape.K = K, shape.V = 16, shape.input = input;
  const Problem drawn = regime_problem(*find_regime("typical"), rule, shape, 1);
  Metadata metadata{{"format", "deltaproof.case/1"}, {"rule", std::string(rule_info(rule).name)}};
  for (const auto& [key, value] : more) metadata[key] = value;
  return Problem::make("p", metadata, drawn.tensors());
}

std::string refused(const char* kernel, const Problem& p) { return refusal_of(*find_built_in_kernel(kernel), p); }

TEST(Capabilities, WhatIsComputedIsNotRefused) {
  EXPECT_EQ(refused("chunk", problem(Rule::gated_delta)), "");
  EXPECT_EQ(refused("recurrent", problem(Rule::kla, {{"variant", "learned_scalar"}, {"c", "2"}})), "");
}

TEST(Capabilities, RefusalsNameKernelAndValue) {
  EXPECT_EQ(refused("chunk", problem(Rule::gated_delta, {}, 12)), "chunk: K = 12 is no multiple of 8");
  EXPECT_EQ(refused("recurrent", problem(Rule::gated_delta, {}, 12)), "");
  EXPECT_EQ(refused("chunk", problem(Rule::gated_delta, {}, 264)), "chunk: K = 264 is more than 256");
  EXPECT_EQ(refused("chunk", problem(Rule::gated_delta, {{"chunk_size", "128"}})),
            "chunk: chunk_size = 128 is not computed; it takes 16, 32, 64");
  EXPECT_EQ(refused("recurrent", problem(Rule::kla, {{"variant", "single_gate"}})),
            "recurrent: variant single_gate, whose decay the kernel would have to form, is not computed; hand in g");
  EXPECT_EQ(refused("recurrent", problem(Rule::kla, {{"position", "inverse"}})),
            "recurrent: a position factor on the write coefficient is not computed");
  EXPECT_EQ(refused("chunk", problem(Rule::softmax)).substr(0, 42), "chunk: rule softmax is not computed; it co");
  EXPECT_EQ(refused("chunk", problem(Rule::gated_delta, {{"scale", "1e300"}})),
            "chunk: scale = 1e+300 is neither 0 nor a normal fp32 number");
  EXPECT_EQ(refused("recurrent", problem(Rule::kla, {{"eps", "1e-42"}})),
            "recurrent: eps = 1e-42 is neither 0 nor a normal fp32 number");
  EXPECT_EQ(refused("recurrent", problem(Rule::kla, {{"qk_l2norm_eps", "1e40"}})),
            "recurrent: qk_l2norm_eps = 1e+40 is neither 0 nor a normal fp32 number");
  EXPECT_EQ(refused("recurrent", problem(Rule::kla, {{"eps", "0"}})), "");
}

TEST(Capabilities, DecayWhoseSumsOverAChunkWouldOverflowIsRefusedByChunk) {
  const Problem usual = problem(Rule::gated_delta);
  TensorMap tensors = usual.tensors();
  std::vector<double> g = tensors["g"].values();
  g[3] = -3e36;
  tensors["g"] = Tensor::from(Dtype::f32, tensors["g"].shape, g);
  const Problem strong = usual.with_inputs(tensors);
  EXPECT_EQ(refused("recurrent", strong), "");
  EXPECT_EQ(refused("chunk", strong).substr(0, 66),
            "chunk: g = -3.000000043527274e+36 may make a sum over a chunk infi");
}

TEST(Capabilities, TypesAreRefusedByName) {
  EXPECT_EQ(refused("chunk", problem(Rule::gated_delta, {}, 16, Dtype::f64)),
            "chunk: q in F64 is not computed; it takes BF16, F16, F32");
  Problem mixed = problem(Rule::gated_delta);
  TensorMap tensors = mixed.tensors();
  tensors["v"] = Tensor::from(Dtype::f32, tensors["v"].shape, tensors["v"].values());
  EXPECT_EQ(refused("chunk", mixed.with_inputs(tensors)),
            "chunk: v in F32 beside q in BF16 is not computed; q, k and v must have one type");
  tensors = mixed.tensors();
  tensors["g"] = Tensor::from(Dtype::f64, tensors["g"].shape, tensors["g"].values());
  EXPECT_EQ(refused("chunk", mixed.with_inputs(tensors)), "chunk: g in F64 is not computed; it takes BF16, F16, F32");
  tensors = mixed.tensors();
  tensors["initial_state"] = Tensor::from(Dtype::bf16, {1, 1, 16, 16}, std::vector<double>(256, 0));
  EXPECT_EQ(refused("chunk", mixed.with_inputs(tensors)),
            "chunk: initial_state in BF16 is not computed; states are F32");
}

}  // namespace
}  // namespace deltaproof
