// What shrinking promises, on small runs that are wrong in known ways.
#include "properties/diagnose/shrink/shrink_case.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>

#include "properties/defects/catalogue.hpp"
#include "properties/defects/defect_kernel.hpp"
#include "properties/diagnose/shrink/fingerprint.hpp"
#include "properties/diagnose/shrink/shrunk_file.hpp"
#include "properties/diagnose/shrink/valid_slices.hpp"
#include "properties/laws/tensors.hpp"
#include "tests/properties/diagnose/shrink/defect_case.hpp"
#include "tests/properties/runs/emulated_kernel.hpp"

namespace deltaproof {
namespace {

// Two key heads, four value heads, two chunks of 16 and a tail of 9.
ProblemSpec spec() {
  ProblemSpec spec;
  spec.options = {{"rule", "gated_delta"}, {"chunk_size", "16"}, {"arithmetic", "fla-chunk"}};
  spec.shape.K = spec.shape.V = 16, spec.shape.H = 2, spec.shape.HV = 4;
  spec.shape.tokens = 41;
  spec.shape.initial_state = true;
  return spec;
}

ProblemSpec packed() {
  ProblemSpec packed = spec();
  packed.lengths = {20, 41, 5};
  packed.shape.tokens = 66;
  return packed;
}

void scale(Outputs& outputs, const std::string& name, double factor) {
  Tensor& tensor = outputs.tensors.at(name);
  std::vector<double> values = tensor.values();
  for (double& x : values) x *= factor;
  tensor = Tensor::from(tensor.dtype, tensor.shape, values);
}

// Row `token` of o of a sequence, all heads.
void spoil_token(const Problem& problem, Outputs& outputs, std::size_t sequence, std::int64_t token) {
  Tensor& o = outputs.tensors.at("o");
  const std::int64_t row = problem.dims().HV * problem.dims().V;
  const std::int64_t first = (problem.sequences()[sequence].begin + token) * row;
  for (std::int64_t i = 0; i < row; ++i) laws::set_value(o, first + i, 3 + static_cast<double>(i % 2));
}

ShrunkCase by_running(const Kernel& kernel, const ProblemSpec& of, const ShrinkLimits& limits = {},
                      RunChecks checks = {}) {
  checks.accuracy.name_fits = false;
  return shrink_case(case_of(of), KernelJudge(kernel, checks), limits);
}

RunCase recorded(const ProblemSpec& of, const EmulatedKernel::Damage& damage = {}) {
  RunCase run = case_of(of);
  const auto declared = built_in(run.problem.options().arithmetic, run.problem.options().rule).value();
  run.outputs = emulated_outputs(run.problem, declared, true);
  if (damage) damage(run.problem, run.outputs);
  return run;
}

ShrunkCase by_slicing(RunCase run, const ShrinkLimits& limits = {}) {
  AccuracyOptions options;
  options.name_fits = false;
  return shrink_case(std::move(run), RecordedJudge("recorded", std::nullopt, options), limits);
}

bool says(const std::vector<std::string>& sentences, const std::string& text) {
  for (const std::string& sentence : sentences) {
    if (sentence.find(text) != std::string::npos) return true;
  }
  return false;
}

// In the same way, by a judgement of its own.
void expect_fails_alike(const ShrunkCase& shrunk, const CaseJudge& judge) {
  const JudgedCase again = judge.judge(shrunk.smallest.run);
  EXPECT_EQ(again.failure.status, shrunk.failure.status);
  EXPECT_EQ(again.failure.property, shrunk.failure.property);
  EXPECT_EQ(again.failure.what, shrunk.failure.what);
  EXPECT_EQ(again.failure.stage, shrunk.failure.stage);
  EXPECT_EQ(again.failure.tensor, shrunk.failure.tensor);
}

const EmulatedKernel half([](const Problem&, Outputs& outputs) { scale(outputs, "o", 0.5); });

TEST(ShrinkCase, WhatFailsEverywhereBecomesOneTokenOfOneHead) {
  const ShrunkCase shrunk = by_running(half, packed());
  const Dimensions& d = shrunk.smallest.run.problem.dims();
  EXPECT_EQ(std::tuple(d.N, d.T, d.H, d.HV, d.K, d.V), std::tuple(1, 1, 1, 1, 1, 1));
  EXPECT_EQ(shrunk.smallest.run.problem.find("initial_state"), nullptr);
  EXPECT_EQ(shrunk.smallest.run.problem.find("cu_seqlens"), nullptr);
  EXPECT_EQ(shrunk.why_over, "");
  expect_fails_alike(shrunk, KernelJudge(half, {}));
  expect_fails_alike(shrunk, RecordedJudge("emulated", std::nullopt, {}));  // its outputs alone
  EXPECT_EQ(shrunk.failure.stage, FailureStage::read);
}

TEST(ShrinkCase, ARecordingBecomesTheWrongTokenAndWhatItNeeds) {
  const auto damage = [](const Problem& problem, Outputs& outputs) { spoil_token(problem, outputs, 1, 20); };
  const ShrunkCase shrunk = by_slicing(recorded(packed(), damage));
  const Dimensions& d = shrunk.smallest.run.problem.dims();
  EXPECT_EQ(std::tuple(d.N, d.T, d.HV, d.K, d.V), std::tuple(1, 5, 1, 16, 1));  // tokens 16 to 20
  EXPECT_TRUE(says(shrunk.kept, "key channels, values and options stay")) << shrunk.kept.size();
  expect_fails_alike(shrunk, RecordedJudge("recorded", std::nullopt, {}));
}

TEST(ShrinkCase, AStateThatIsWrongKeepsTheStateAfterIt) {
  const auto damage = [](const Problem& problem, Outputs& outputs) {
    Tensor& states = outputs.tensors.at("chunk_states");
    const Dimensions& d = problem.dims();
    laws::set_value(states, ((1 * d.HV + 2) * d.K + 3) * d.V + 4, 9);  // after token 32, head 2
  };
  const ShrunkCase shrunk = by_slicing(recorded(spec(), damage));
  EXPECT_EQ(shrunk.failure.stage, FailureStage::carry);
  const Dimensions& d = shrunk.smallest.run.problem.dims();
  EXPECT_EQ(d.HV, 1);
  EXPECT_LE(d.T, 32);
}

TEST(ShrinkCase, ATailAloneIsEnoughWhereOnlyItFails) {
  const auto damage = [](const Problem& problem, Outputs& outputs) {
    for (const Sequence& s : problem.sequences()) {
      if (s.length % 16 != 0) spoil_token(problem, outputs, static_cast<std::size_t>(s.index), s.length - 1);
    }
  };
  const ShrunkCase run = by_running(EmulatedKernel(damage), spec());
  EXPECT_TRUE(run.fails());
  EXPECT_EQ(run.smallest.run.problem.dims().T, 1);
  const ShrunkCase sliced = by_slicing(recorded(spec(), damage));
  EXPECT_EQ(sliced.smallest.run.problem.dims().T, 9);
  EXPECT_EQ(sliced.smallest.run.problem.dims().HV, 1);
}

TEST(ShrinkCase, AnInitialStateStaysWhereOnlyItIsLost) {
  const DefectKernel kernel(find_defect("initial_ignored"), "fla-chunk");
  const ShrunkCase shrunk = by_running(kernel, spec());
  const Problem& problem = shrunk.smallest.run.problem;
  ASSERT_NE(problem.find("initial_state"), nullptr);
  EXPECT_EQ(problem.dims().HV, 1);
  EXPECT_EQ(problem.dims().T, 1);
  expect_fails_alike(shrunk, KernelJudge(kernel, {}));
}

TEST(ShrinkCase, TwoSequencesStayWhereOnlyTheSecondFails) {
  const auto damage = [](const Problem& problem, Outputs& outputs) {
    if (problem.dims().N > 1 && problem.sequences()[1].length > 0) spoil_token(problem, outputs, 1, 0);
  };
  const ShrunkCase run = by_running(EmulatedKernel(damage), packed());
  EXPECT_TRUE(run.fails());
  EXPECT_EQ(run.smallest.run.problem.dims().N, 2);
  EXPECT_LE(run.smallest.run.problem.dims().T, 2);
  const ShrunkCase sliced = by_slicing(recorded(packed(), damage));
  EXPECT_EQ(sliced.smallest.run.problem.dims().N, 1);  // what is wrong is recorded
  EXPECT_EQ(sliced.smallest.run.problem.dims().T, 1);
}

// With fewer columns it fails, too, but in the state as well: that is another failure.
TEST(ShrinkCase, ASmallerCaseOfAnotherStageIsNotTaken) {
  const EmulatedKernel kernel([](const Problem& problem, Outputs& outputs) {
    scale(outputs, "o", 0.5);
    if (problem.dims().V < 16) scale(outputs, "final_state", 0.5);
  });
  const ShrunkCase shrunk = by_running(kernel, spec());
  EXPECT_EQ(shrunk.failure.stage, FailureStage::read);
  EXPECT_EQ(shrunk.smallest.failure.stage, FailureStage::read);
  EXPECT_EQ(shrunk.smallest.run.problem.dims().V, 16);
  EXPECT_EQ(shrunk.smallest.run.problem.dims().K, 1);
  ProblemSpec narrow = spec();
  narrow.shape.V = 8;
  EXPECT_EQ(KernelJudge(kernel, {}).judge(case_of(narrow)).failure.stage, FailureStage::step);
}

TEST(ShrinkCase, ValuesBecomeZerosAndOnes) {
  const ShrunkCase shrunk = by_running(half, spec());
  for (const auto& [name, tensor] : shrunk.smallest.run.problem.tensors()) {
    for (const double x : tensor.values()) EXPECT_TRUE(x == 0 || std::abs(x) == 1) << name << " " << x;
  }
}

TEST(ShrinkCase, EveryCaseOnTheWayIsSmallerThanTheOneBefore) {
  std::vector<CaseSize> sizes;
  ShrinkLimits limits;
  limits.progress = [&](const RunCase& smallest, std::int64_t) {
    const CaseSize size = size_of(smallest);
    if (sizes.empty() || size.is_below(sizes.back())) sizes.push_back(size);
    EXPECT_FALSE(sizes.back().is_below(size));
  };
  const ShrunkCase shrunk = by_running(half, packed(), limits);
  EXPECT_EQ(static_cast<std::int64_t>(sizes.size()), shrunk.taken + (shrunk.after.is_below(sizes.back()) ? 0 : 1));
  EXPECT_TRUE(shrunk.after.is_below(shrunk.before));
}

TEST(ShrinkCase, TheSameCaseGivesTheSameBytes) {
  const auto folder = std::filesystem::temp_directory_path();
  std::vector<std::uint64_t> prints;
  for (int i = 0; i < 2; ++i) {
    const ShrunkCase shrunk = by_running(half, packed());
    prints.push_back(fingerprint(shrunk.smallest.run));
    const auto path = folder / ("deltaproof-shrunk-" + std::to_string(getpid()) + ".safetensors");
    write_shrunk_case(path, shrunk, "packed.safetensors");
    const CaseFile file = read_case(path);
    std::filesystem::remove(path);
    EXPECT_EQ(file.note, "shrunk from packed.safetensors: accuracy failed by LOC, stage read, first in o; " +
                             std::to_string(shrunk.taken) + " of " + std::to_string(shrunk.tried) +
                             " tried cases fail in this way");
  }
  EXPECT_EQ(prints[0], prints[1]);
}

// Its `spec` draws the whole problem, and its outputs are not those that `route` proved.
TEST(ShrinkCase, APartOfAGoldenVectorIsNone) {
  ShrunkCase shrunk = by_running(half, spec(), {.most_tried = 2});
  for (const char* key : {"vector", "route", "spec", "precision_bits"}) shrunk.smallest.run.metadata[key] = "192";
  const auto path =
      std::filesystem::temp_directory_path() / ("deltaproof-part-" + std::to_string(getpid()) + ".safetensors");
  write_shrunk_case(path, shrunk, "vector.safetensors");
  const CaseFile file = read_case(path);
  std::filesystem::remove(path);
  for (const char* key : {"vector", "route", "spec", "precision_bits"}) EXPECT_FALSE(file.metadata.contains(key)) << key;
}

TEST(ShrinkCase, ABudgetEndsTheSearchWithWhatWasFound) {
  ShrinkLimits limits;
  limits.most_tried = 3;
  const ShrunkCase few = by_running(half, packed(), limits);
  EXPECT_EQ(few.tried, 3);
  EXPECT_EQ(few.why_over, "3 cases were tried");
  EXPECT_TRUE(few.fails());
  EXPECT_TRUE(few.after.is_below(few.before));
  limits = {};
  limits.seconds = 1e-9;
  const ShrunkCase none = by_running(half, packed(), limits);
  EXPECT_EQ(none.tried, 0);
  EXPECT_EQ(none.why_over, "1e-09 seconds were over");
  EXPECT_EQ(fingerprint(none.smallest.run.problem), fingerprint(case_of(packed()).problem));
  limits = {};
  limits.stop = [] { return true; };
  EXPECT_EQ(by_running(half, packed(), limits).why_over, "it was interrupted");
}

TEST(ShrinkCase, ARightRunAndARefusedProblemAreNotShrunk) {
  const ShrunkCase right = by_running(EmulatedKernel(), spec());
  EXPECT_FALSE(right.fails());
  EXPECT_EQ(right.tried, 0);
  ProblemSpec linear = spec();
  linear.options["rule"] = "linear";
  const ShrunkCase refused = by_running(EmulatedKernel(), linear);
  EXPECT_FALSE(refused.fails());
  EXPECT_EQ(refused.smallest.verdict.status, Status::skipped);
  EXPECT_FALSE(by_slicing(recorded(spec())).fails());
}

TEST(ShrinkCase, AKernelThatBreaksOffIsShrunkWithoutOutputs) {
  const EmulatedKernel kernel([](const Problem& problem, Outputs&) {
    if (problem.dims().T > 5) throw KernelError("launch of 'x' failed at block " + std::to_string(problem.dims().T));
  });
  const ShrunkCase shrunk = by_running(kernel, spec());
  EXPECT_EQ(shrunk.smallest.verdict.status, Status::error);
  EXPECT_EQ(shrunk.smallest.run.problem.dims().T, 6);
  EXPECT_TRUE(shrunk.smallest.run.outputs.tensors.empty());
}

TEST(ShrinkCase, OtherPropertiesOfARunAreKept) {
  RunChecks checks;
  checks.schedules.push_back({"schedule reverse", std::make_shared<EmulatedKernel>(half)});
  const ShrunkCase shrunk = by_running(EmulatedKernel(), spec(), {}, checks);
  EXPECT_EQ(shrunk.failure.property, "schedules");
  EXPECT_EQ(shrunk.smallest.verdict.property, "schedules");
  EXPECT_EQ(shrunk.smallest.run.problem.dims().T, 1);
}

// Narrow values come out wrong under every schedule: that is another failure than the one looked at.
TEST(ShrinkCase, ACaseThatFailsInAnEarlierPropertyIsNotTaken) {
  const EmulatedKernel narrow_is_wrong([](const Problem& problem, Outputs& outputs) {
    if (problem.dims().V < 16) scale(outputs, "o", 0.5);
  });
  RunChecks checks;
  checks.schedules.push_back({"schedule reverse", std::make_shared<EmulatedKernel>([](const Problem&, Outputs& outputs) {
                                scale(outputs, "o", 0.25);
                              })});
  const ShrunkCase shrunk = by_running(narrow_is_wrong, spec(), {.most_tried = 40}, checks);
  EXPECT_EQ(shrunk.failure.property, "schedules");
  EXPECT_EQ(shrunk.smallest.verdict.property, "schedules");
  EXPECT_EQ(shrunk.smallest.run.problem.dims().V, 16);
}

TEST(ShrinkCase, WhatIsNotTheDeclaredOrderStaysSo) {
  const DefectKernel kernel(find_defect("T_trunc"), "fla-chunk");
  ShrinkLimits limits;
  limits.most_tried = 60;
  const ShrunkCase shrunk = by_running(kernel, spec(), limits);
  EXPECT_EQ(shrunk.failure.status, Status::nonconforming) << shrunk.smallest.verdict.reason;
  EXPECT_EQ(shrunk.smallest.verdict.status, Status::nonconforming);
  EXPECT_EQ(shrunk.smallest.run.problem.dims().HV, 1);
}

// One unit of one output in its type: too little for LOC, not for the sets of the declared order.
TEST(ShrinkCase, OneOtherBitOfARecordingIsFound) {
  RunCase run = recorded(spec());
  run.outputs.tensors.at("o").bytes[2 * (20 * 64 + 7)] ^= std::byte{1};
  const ShrunkCase shrunk = by_slicing(std::move(run));
  EXPECT_EQ(shrunk.failure.status, Status::nonconforming);
  EXPECT_EQ(shrunk.smallest.verdict.status, Status::nonconforming);
  EXPECT_EQ(shrunk.smallest.run.problem.dims().HV, 1);
  EXPECT_EQ(shrunk.smallest.run.problem.dims().T, 5);
}

const EmulatedKernel::Damage token_20 = [](const Problem& problem, Outputs& outputs) {
  spoil_token(problem, outputs, 0, 20);
};

TEST(ShrinkCase, WithoutStatesFirstTokensStay) {
  RunCase run = recorded(spec(), token_20);
  run.outputs.tensors.erase("chunk_states");
  const ShrunkCase shrunk = by_slicing(std::move(run));
  EXPECT_EQ(shrunk.failure.bound, "ADJ");
  EXPECT_TRUE(says(shrunk.kept, "first tokens stay: there are no chunk_states"));
  EXPECT_EQ(shrunk.smallest.run.problem.dims().HV, 1);
  EXPECT_EQ(shrunk.smallest.run.problem.dims().T, 21);
}

TEST(ShrinkCase, StatesInANarrowTypeAreNoBeginning) {
  RunCase run = recorded(spec(), token_20);
  Tensor& states = run.outputs.tensors.at("chunk_states");
  states = Tensor::from(Dtype::bf16, states.shape, states.values());
  const ShrunkCase shrunk = by_slicing(std::move(run));
  EXPECT_TRUE(says(shrunk.kept, "chunk_states in BF16 do not hold the kernel's states exactly"));
  EXPECT_EQ(shrunk.smallest.run.problem.dims().T, 21);
}

TEST(ShrinkCase, WhereAPlaceInTheSequenceCountsFirstTokensStay) {
  ProblemSpec kla = spec();
  kla.options["rule"] = "kla";
  kla.options["position"] = "inverse_sqrt";
  const RunCase run = recorded(kla, token_20);
  EXPECT_EQ(why_not_later(run), "the write coefficient hangs on a token's place in its sequence");
  EXPECT_TRUE(says(by_slicing(run).kept, "first tokens stay: the write coefficient"));
}

TEST(ShrinkCase, ACacheKeepsFirstTokensAndColumns) {
  ProblemSpec hola = spec();
  hola.options = {{"rule", "hola"}, {"chunk_size", "16"}, {"cache_size", "4"}, {"cache_block", "6"}};
  const DefectKernel kernel(nullptr, "hola");
  hola.options["arithmetic"] = kernel.arithmetic();
  RunCase run = case_of(hola);
  run.outputs = kernel.run(run.problem);
  spoil_token(run.problem, run.outputs, 0, 20);
  const ShrunkCase shrunk = by_slicing(std::move(run));
  ASSERT_TRUE(shrunk.fails());
  EXPECT_TRUE(says(shrunk.kept, "first tokens stay: what the cache holds hangs on all of them"));
  EXPECT_TRUE(says(shrunk.kept, "value channels stay"));
  const Dimensions& d = shrunk.smallest.run.problem.dims();
  EXPECT_EQ(d.HV, 1);
  EXPECT_EQ(d.V, 16);
  EXPECT_GE(d.T, 21);
  EXPECT_LT(d.T, 41);
}

// Half of what it should give, whatever the cache holds.
class HalfOfALayer : public Kernel {
 public:
  std::string name() const override { return "half"; }
  std::string arithmetic() const override { return right_.arithmetic(); }
  std::string refusal(const Problem& problem) const override { return right_.refusal(problem); }
  Outputs run(const Problem& problem) const override {
    Outputs outputs = right_.run(problem);
    scale(outputs, "o", 0.5);
    return outputs;
  }

 private:
  DefectKernel right_{nullptr, "hola"};
};

TEST(ShrinkCase, WhatFailsWithoutThemLosesCacheLayoutAndPool) {
  const HalfOfALayer kernel;
  ProblemSpec hola = packed();
  hola.options = {{"rule", "hola"},     {"chunk_size", "16"},      {"cache_size", "4"},
                  {"cache_block", "6"}, {"state_layout", "vk"}, {"arithmetic", kernel.arithmetic()}};
  hola.lengths = {20, 0, 41, 5};
  hola.pool = true;
  const ShrunkCase shrunk = by_running(kernel, hola);
  const Problem& smallest = shrunk.smallest.run.problem;
  EXPECT_EQ(smallest.options().hola.cache_size, 0);
  EXPECT_EQ(smallest.options().hola.cache_block, 1);
  EXPECT_EQ(smallest.options().state_layout, StateLayout::kv);
  EXPECT_EQ(smallest.find("state_indices"), nullptr);
  EXPECT_EQ(std::tuple(smallest.dims().N, smallest.dims().T, smallest.dims().HV), std::tuple(1, 1, 1));
  expect_fails_alike(shrunk, KernelJudge(kernel, {}));
}

}  // namespace
}  // namespace deltaproof
