// What published rules hold whole runs against: both tensors, of packed sequences, pools and both layouts.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "properties/defects/defect_kernel.hpp"
#include "properties/defects/published_baseline.hpp"
#include "properties/laws/tensors.hpp"
#include "properties/runs/problem_spec.hpp"
#include "reference/oracle/answer.hpp"
#include "strong_decay.hpp"

namespace deltaproof {
namespace {

using enum PublishedRule;

const PublishedRules& rules() {
  static const PublishedRules published(strong_decay().problem);
  return published;
}

Outputs damaged(std::string_view id) { return strong_decay_bench().outputs(*find_defect(id), 0); }

Outputs with_o(double value) {
  Outputs outputs = *strong_decay().outputs;
  outputs.tensors.at("o") = laws::filled(outputs.tensors.at("o"), value);
  return outputs;
}

TEST(PublishedRules, AcceptTheRecording) {
  for (const PublishedRule rule : {rms, rms_loose, nmse_5e_4, close_1e_2, close_2e_2, twice_baseline}) {
    EXPECT_TRUE(rules().accept(rule, *strong_decay().outputs)) << static_cast<int>(rule);
  }
  EXPECT_GT(rules().error_of_o(*strong_decay().outputs).relative_rms, 0);
}

// Two of them ask for more than a right kernel in bf16 gives.
TEST(PublishedRules, MadeForFp32RejectARightKernelInBf16) {
  EXPECT_FALSE(rules().accept(nmse_1e_7, *strong_decay().outputs));
  EXPECT_FALSE(rules().accept(close_default, *strong_decay().outputs));
}

TEST(PublishedRules, ZerosAreOffByTheAnswerItself) {
  EXPECT_NEAR(rules().error_of_o(with_o(0)).relative_rms, 1, 1e-5);
  EXPECT_FALSE(rules().accept(rms, with_o(0)));
}

// No output of this run is as large as the 0.3 that the looser rule forgives.
TEST(PublishedRules, TheLooserOneAcceptsZerosSwappedHeadsAndLateTokens) {
  EXPECT_TRUE(rules().accept(rms_loose, with_o(0)));
  EXPECT_TRUE(rules().accept(rms_loose, damaged("swap_heads")));
  EXPECT_TRUE(rules().accept(rms_loose, damaged("shift_token")));
  EXPECT_FALSE(rules().accept(rms, damaged("swap_heads")));
}

TEST(PublishedRules, AllRejectWhatIsGrosslyWrong) {
  for (const PublishedRuleInfo& info : published_rules()) {
    EXPECT_FALSE(rules().accept(info.rule, with_o(1))) << info.name;
    EXPECT_FALSE(rules().accept(info.rule, with_o(std::numeric_limits<double>::quiet_NaN()))) << info.name;
  }
  EXPECT_FALSE(rules().accept(rms_loose, damaged("transposed_S")));
}

TEST(PublishedRules, TheFinalStateIsJudgedByItself) {
  const Outputs outputs = damaged("transposed_ST");
  EXPECT_LT(rules().error_of_o(outputs).relative_rms, 0.005);
  EXPECT_GT(rules().error_of_state(outputs).relative_rms, 0.005);
  EXPECT_FALSE(rules().accept(rms, outputs));
}

ProblemSpec packed_pool(const char* layout) {
  ProblemSpec spec;
  spec.options = {
      {"rule", "gated_delta"}, {"chunk_size", "16"}, {"arithmetic", "fla-chunk"}, {"state_layout", layout}};
  spec.lengths = {20, 9, 0, 17};
  spec.pool = true;
  spec.shape.tokens = 46, spec.shape.K = 16, spec.shape.V = 8, spec.shape.HV = 2;
  return spec;
}

TEST(PublishedRules, LookOnlyAtSequencesThatAreComputed) {
  for (const char* layout : {"kv", "vk"}) {
    const Problem problem = problem_of(packed_pool(layout));
    const PublishedRules published(problem);
    Outputs run = DefectKernel(nullptr, "fla-chunk").run(problem);
    EXPECT_TRUE(published.accept(rms, run)) << layout;
    Tensor& o = run.tensors.at("o");
    laws::set_value(o, 25 * 2 * 8, 1e30);  // token 5 of sequence 1, which the pool skips
    EXPECT_TRUE(published.accept(rms, run)) << layout;
    laws::set_value(o, 30 * 2 * 8, 1e30);  // token 1 of sequence 3
    EXPECT_FALSE(published.accept(rms, run)) << layout;
  }
}

TEST(PublishedRules, ATransposedStateIsWrongInBothLayouts) {
  for (const char* layout : {"kv", "vk"}) {
    ProblemSpec spec = packed_pool(layout);
    spec.shape.V = 16;
    const Problem problem = problem_of(spec);
    const PublishedRules published(problem);
    Outputs run = DefectKernel(nullptr, "fla-chunk").run(problem);
    EXPECT_TRUE(published.accept(close_2e_2, run)) << layout;
    run.tensors.at("final_state") = laws::transposed(run.tensors.at("final_state"));
    EXPECT_FALSE(published.accept(close_2e_2, run)) << layout;
  }
}

// Where no value of either tensor is above 0.3, nothing that is as small as the answer is ever wrong.
TEST(PublishedRules, OnlyTheLooseOneAcceptsZerosAndDoesWhereAllIsSmall) {
  int accepted = 0;
  for (const Regime& regime : regimes()) {
    const Problem problem = regime_problem(regime, Rule::gated_delta, {}, 5);
    const PublishedRules published(problem);
    Outputs zeros;
    zeros.tensors["o"] = laws::filled({Dtype::bf16, {1, 64, 1, 32}, {}}, 0);
    zeros.tensors["final_state"] = laws::filled({Dtype::f32, {1, 1, 32, 32}, {}}, 0);
    const double o = published.error_of_o(zeros).largest, state = published.error_of_state(zeros).largest;
    EXPECT_EQ(published.accept(rms_loose, zeros), o <= 0.3 && state <= 0.3)
        << regime.name << " " << o << " " << state;
    EXPECT_EQ(published.accept(close_2e_2, zeros), o <= 2e-2 && state <= 2e-2)
        << regime.name << " " << o << " " << state;
    accepted += published.accept(rms_loose, zeros) ? 1 : 0;
    if (state <= 1e-6) continue;
    for (const PublishedRule rule : {rms, nmse_1e_7, nmse_5e_4}) {
      EXPECT_FALSE(published.accept(rule, zeros)) << regime.name << " " << static_cast<int>(rule);
    }
  }
  EXPECT_GT(accepted, 0);
}

// One token, K = 2, V = 1, b = 1/2: S~ = 0, e = v, S = k (v / 2), o = scale S^T q, each rounded to bf16 (8 bits).
TEST(PublishedBaseline, RoundsEachOperationToTheType) {
  HeadInputs head;
  head.options.rule = Rule::delta;
  head.options.scale = 1;
  head.tokens = 1, head.K = 2, head.V = 1;
  head.q = head.k = Matrix{{1.0, 1 + 0x1p-7}};
  head.v = Matrix{{1 + 0x1p-7}};
  head.write = Matrix{{0.5}};
  head.initial_state = Matrix::Zero(2, 1);
  const BaselineRun run = baseline_run(head, formats::bf16);
  const double u = 0.5 + 0x1p-8;
  EXPECT_EQ(run.state(0, 0), u);
  EXPECT_EQ(run.state(1, 0), 0.5 + 0x1p-7);  // (1 + 2^-7) u = 0.5 + 2^-7 + 2^-15
  EXPECT_EQ(run.o(0, 0), 1 + 0x1p-6);  // u + (1 + 2^-7)(0.5 + 2^-7) = 1 + 0x1p-6 - 2^-12 + .., to the nearest 2^-7
}

TEST(PublishedBaseline, IsTheRightAnswerInDouble) {
  const Problem& problem = strong_decay().problem;
  const HeadInputs head = head_inputs(problem, problem.sequences().front(), 1);
  const BaselineRun run = baseline_run(head, formats::f64);
  const HeadAnswer answer = answer_double(head, {});
  EXPECT_LT((run.o - answer.o).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT((run.state - answer.states.back()).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_GT((baseline_run(head, formats::bf16).o - answer.o).cwiseAbs().maxCoeff(), 1e-5);
}

}  // namespace
}  // namespace deltaproof
