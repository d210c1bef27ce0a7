// A slice of a recorded run is what the kernel gives for the sliced problem: bit for bit.
#include "properties/diagnose/shrink/slice.hpp"

#include <gtest/gtest.h>

#include "kernels/bits.hpp"
#include "kernels/stepwise.hpp"
#include "properties/diagnose/shrink/valid_slices.hpp"
#include "properties/laws/tensors.hpp"
#include "tests/properties/diagnose/shrink/defect_case.hpp"

namespace deltaproof {
namespace {

using laws::range;

ProblemSpec small(const char* rule, const char* arithmetic) {
  ProblemSpec spec;
  spec.options = {{"rule", rule}, {"chunk_size", "16"}, {"arithmetic", arithmetic}};
  spec.shape.K = 16, spec.shape.V = 24, spec.shape.H = 2, spec.shape.HV = 4;
  spec.shape.tokens = 41;
  spec.shape.initial_state = true;
  return spec;
}

ProblemSpec packed(ProblemSpec spec) {
  spec.lengths = {20, 0, 41, 5};
  spec.shape.tokens = 66;
  return spec;
}

Outputs outputs_of(const Kernel& kernel, const Problem& problem) {
  return problem.options().rule == Rule::hola ? kernel.run(problem) : run_stepwise(kernel, problem).outputs;
}

RunCase recorded(const ProblemSpec& spec) {
  RunCase run = case_of(spec);
  run.outputs = outputs_of(DefectKernel(nullptr, spec.options.at("arithmetic")), run.problem);
  return run;
}

// Whether the sliced recording has exactly what the kernel gives, and at least `wanted` of it.
void expect_recording(const RunCase& whole_run, const Slice& slice, const std::vector<std::string>& wanted) {
  const std::optional<RunCase> part = sliced(whole_run, slice);
  ASSERT_TRUE(part);
  const DefectKernel kernel(nullptr, part->problem.options().arithmetic);
  const Outputs again = outputs_of(kernel, part->problem);
  for (const std::string& name : wanted) EXPECT_TRUE(part->outputs.tensors.contains(name)) << name;
  for (const auto& [name, tensor] : part->outputs.tensors) {
    const Tensor* other = again.find(name);
    if (other == nullptr) {  // of one chunk nothing lies in between
      EXPECT_EQ(name, "chunk_states");
      continue;
    }
    EXPECT_EQ(tensor.shape, other->shape) << name;
    EXPECT_TRUE(tensor.bytes == other->bytes) << name;
  }
}

TEST(Slice, AWholeIsWhatItWas) {
  for (const ProblemSpec& spec : {small("gated_delta", "deltaproof-chunk"), packed(small("kla", "deltaproof-recurrent"))}) {
    const RunCase run = recorded(spec);
    const std::optional<RunCase> same = sliced(run, whole(run.problem));
    ASSERT_TRUE(same);
    EXPECT_EQ(size_of(*same).bytes, size_of(run).bytes);
    expect_recording(run, whole(run.problem), {"o", "final_state", "chunk_states"});
  }
}

TEST(Slice, SequencesHeadsAndColumns) {
  ProblemSpec rows = small("gated_delta", "deltaproof-chunk");
  rows.shape.B = 3;
  ProblemSpec vk = packed(small("vector_decay_delta", "deltaproof-chunk"));
  vk.options["state_layout"] = "vk";
  vk.options["qk_l2norm"] = "kernel";
  for (const ProblemSpec& spec : {rows, vk, packed(small("kla", "deltaproof-recurrent"))}) {
    const RunCase run = recorded(spec);
    Slice slice = whole(run.problem);
    const TokenRange last = slice.sequences[2], first = slice.sequences[0];
    slice.sequences = {last, first};
    slice.key_heads = {1};
    slice.value_heads = {3};
    slice.columns = range(8, 8);
    expect_recording(run, slice, {"o", "final_state", "chunk_states"});
  }
}

TEST(Slice, ChunksFromARecordedStateToARecordedState) {
  ProblemSpec vk = packed(small("gated_delta", "deltaproof-chunk"));
  vk.options["state_layout"] = "vk";
  vk.shape.initial_state = false;
  for (const ProblemSpec& spec : {packed(small("gated_delta", "fla-chunk")), vk}) {
    const RunCase run = recorded(spec);
    Slice slice = whole(run.problem);
    slice.sequences[2] = {2, 16, 32};
    expect_recording(run, slice, {"o", "final_state", "chunk_states"});
    slice.sequences = {{2, 32, 41}};
    expect_recording(run, slice, {"o", "final_state", "chunk_states"});
  }
}

TEST(Slice, ATailInsideAChunkHasNoFinalState) {
  const RunCase run = recorded(packed(small("gated_delta", "deltaproof-chunk")));
  Slice slice = whole(run.problem);
  slice.sequences = {{2, 16, 23}};
  expect_recording(run, slice, {"o"});
  const std::optional<RunCase> part = sliced(run, slice);
  ASSERT_TRUE(part);
  EXPECT_FALSE(part->outputs.tensors.contains("final_state"));
  EXPECT_FALSE(part->outputs.tensors.contains("chunk_states"));
}

TEST(Slice, APoolKeepsItsRowsOrThoseOfItsSequences) {
  ProblemSpec spec = packed(small("gated_delta", "deltaproof-chunk"));
  spec.pool = true;
  const RunCase run = recorded(spec);
  Slice slice = whole(run.problem);
  slice.sequences = {{2, 16, 41}, {3, 0, 5}};
  expect_recording(run, slice, {"o", "final_state", "chunk_states"});
  EXPECT_EQ(sliced(run, slice)->problem.dims().pool, 4);  // with two that nobody has
  slice.pool = false;
  expect_recording(run, slice, {"o", "final_state", "chunk_states"});
  EXPECT_EQ(sliced(run, slice)->problem.dims().pool, 2);
}

TEST(Slice, ACacheKeepsItsSequencesHeadsAndFirstTokens) {
  ProblemSpec spec = packed(small("hola", "hola"));
  spec.options["cache_size"] = "4", spec.options["cache_block"] = "6";
  const DefectKernel kernel(nullptr, "hola");
  spec.options["arithmetic"] = kernel.arithmetic();
  RunCase run = case_of(spec);
  run.outputs = kernel.run(run.problem);
  Slice slice = whole(run.problem);
  slice.sequences = {{2, 0, 29}, {0, 0, 20}};
  slice.key_heads = {1};
  slice.value_heads = {2};
  const std::optional<RunCase> part = sliced(run, slice);
  ASSERT_TRUE(part);
  const Outputs again = kernel.run(part->problem);
  for (const char* name : {"o", "scores", "selected"}) {
    ASSERT_TRUE(part->outputs.tensors.contains(name)) << name;
    EXPECT_TRUE(part->outputs.tensors.at(name).bytes == again.tensors.at(name).bytes) << name;
  }
}

// Weights that a token got from queries that were cut off are in its score, and cannot be taken out.
TEST(Slice, AccumulatedScoresGoWithLastTokens) {
  ProblemSpec spec = small("hola", "deltaproof-chunk");
  spec.options["score"] = "attention", spec.options["cache_size"] = "4", spec.options["cache_block"] = "8";
  RunCase run = case_of(spec);
  run.outputs.tensors["scores"] = Tensor::from(Dtype::f32, {1, 41, 4}, std::vector<double>(164, 1));
  Slice slice = whole(run.problem);
  EXPECT_TRUE(sliced(run, slice)->outputs.tensors.contains("scores"));
  slice.sequences = {{0, 0, 16}};
  EXPECT_FALSE(sliced(run, slice)->outputs.tensors.contains("scores"));
}

// A right run would fail from a state that was rounded on the way into the file.
TEST(Slice, StatesOfARunInDoubleAreNotThoseInFp32) {
  RunCase run = recorded(small("gated_delta", "deltaproof-chunk"));
  EXPECT_EQ(why_not_later(run), "");
  run.problem = run.problem.with_arithmetic("fp64");
  EXPECT_EQ(why_not_later(run), "chunk_states in F32 do not hold the kernel's states exactly");
  Tensor& states = run.outputs.tensors["chunk_states"];
  states = Tensor::from(Dtype::f64, states.shape, states.values());
  EXPECT_EQ(why_not_later(run), "");
}

TEST(Slice, WhatMakesNoProblemIsNone) {
  RunCase run = recorded(small("gated_delta", "deltaproof-chunk"));
  Slice slice = whole(run.problem);
  slice.sequences = {{0, 7, 41}};  // no state is recorded there
  EXPECT_FALSE(sliced(run, slice));
  slice.sequences = {};
  EXPECT_FALSE(sliced(run, slice));
  slice.sequences = {{0, 16, 41}};
  EXPECT_TRUE(sliced(run, slice));
  run.outputs.tensors.erase("chunk_states");
  EXPECT_FALSE(sliced(run, slice));
  ProblemSpec rows = small("gated_delta", "deltaproof-chunk");
  rows.shape.B = 2;
  run = recorded(rows);
  slice = whole(run.problem);
  slice.sequences[1].end = 16;  // rows of a batch are equally long
  EXPECT_FALSE(sliced(run, slice));
}

// A final state in another type than the states in between is the kernel's rounding, which is not guessed.
TEST(Slice, AFinalStateInAnotherTypeIsLeftOutWhereItWouldHaveToBeRounded) {
  RunCase run = recorded(small("gated_delta", "deltaproof-chunk"));
  Tensor& final = run.outputs.tensors["final_state"];
  final = Tensor::from(Dtype::bf16, final.shape, final.values());
  Slice slice = whole(run.problem);
  slice.sequences = {{0, 16, 41}};
  EXPECT_TRUE(sliced(run, slice)->outputs.tensors.contains("final_state"));
  slice.sequences = {{0, 16, 32}};
  EXPECT_FALSE(sliced(run, slice)->outputs.tensors.contains("final_state"));
  EXPECT_TRUE(sliced(run, slice)->outputs.tensors.contains("chunk_states"));
}

// Beside a narrow initial state of another sequence the recorded one is not rounded: the tensor gets wider.
TEST(Slice, InitialStatesInANarrowTypeAreWidened) {
  RunCase run = recorded(packed(small("gated_delta", "fla-chunk")));
  TensorMap inputs = run.problem.tensors();
  inputs["initial_state"] = Tensor::from(Dtype::bf16, inputs["initial_state"].shape, inputs["initial_state"].values());
  run.problem = run.problem.with_inputs(inputs);
  run.outputs = outputs_of(DefectKernel(nullptr, "fla-chunk"), run.problem);
  Slice slice = whole(run.problem);
  slice.sequences[2] = {2, 32, 41};
  expect_recording(run, slice, {"o", "final_state", "chunk_states"});
}

}  // namespace
}  // namespace deltaproof
