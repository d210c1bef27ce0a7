// The kernel that carries defects is right without one: on generated problems it passes what built-in kernels pass.
#include <gtest/gtest.h>

#include "properties/defects/catalogue.hpp"
#include "properties/defects/defect_kernel.hpp"
#include "properties/defects/matrix_problems.hpp"
#include "properties/runs/check_run.hpp"
#include "properties/runs/kernel_case.hpp"
#include "strong_decay.hpp"

namespace deltaproof {
namespace {

Problem typical_case(const char* kernel, std::uint64_t index) {
  return kernel_case(*find_built_in_kernel(kernel), *find_regime("typical"), 1, index);
}

Verdict accuracy_of(const Problem& problem, const Kernel& kernel) {
  RunChecks checks;
  checks.accuracy.threads = 1;
  return check_run(problem, kernel, checks).front();
}

class WithoutDefect : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, WithoutDefect, testing::Values("chunk", "recurrent", "hola", "hola_decode"));

TEST_P(WithoutDefect, PassesOnGeneratedProblems) {
  const DefectKernel kernel(nullptr, GetParam());
  EXPECT_EQ(kernel.name(), GetParam());
  for (std::uint64_t index = 0; index < 40; ++index) {
    const Problem problem = typical_case(GetParam(), index);
    const Verdict verdict = accuracy_of(problem, kernel);
    EXPECT_EQ(verdict.status, Status::passed) << problem.name() << ": " << verdict.reason;
  }
}

TEST_P(WithoutDefect, IsAFunctionOfTheProblem) {
  const DefectKernel kernel(nullptr, GetParam());
  const Problem problem = typical_case(GetParam(), 3), other = typical_case(GetParam(), 12);
  const Outputs first = kernel.run(problem);
  kernel.run(other);
  EXPECT_TRUE(same_bits(first, kernel.run(problem)));
}

TEST(DefectKernel, IsNamedByItsArithmeticOrItself) {
  for (const char* name : {"chunk", "recurrent"}) {
    EXPECT_EQ(DefectKernel(nullptr, name).arithmetic(), "deltaproof-" + std::string(name));
    EXPECT_EQ(DefectKernel(nullptr, "deltaproof-" + std::string(name)).name(), name);
  }
  EXPECT_EQ(DefectKernel(nullptr, "hola").arithmetic(), "deltaproof-chunk");
  EXPECT_EQ(DefectKernel(nullptr, "hola_decode").arithmetic(), "deltaproof-recurrent");
}

// The key of the token is zero, what it would write beyond 2^64: 0 times infinity.
TEST(DefectKernel, KnowsWhereAScoreIsNoNumber) {
  ProblemSpec spec = problem_specs_for("hola", *find_regime("typical"), 0).front();
  spec.shape.input = Dtype::f16;
  const Problem problem = problem_of(spec);
  const DefectKernel kernel(nullptr, "hola");
  EXPECT_TRUE(kernel.has_scores(problem));
  TensorMap inputs = problem.tensors();
  for (const char* name : {"v", "beta"}) {  // b v leaves fp16
    if (const auto found = inputs.find(name); found != inputs.end()) {
      const std::vector<double> large(static_cast<std::size_t>(found->second.size()), 60000);
      found->second = Tensor::from(found->second.dtype, found->second.shape, large);
    }
  }
  EXPECT_FALSE(kernel.has_scores(problem.with_inputs(inputs)));
  EXPECT_THROW(kernel.run(problem.with_inputs(inputs)), std::runtime_error);
}

TEST(DefectKernel, RefusesWhatItsKernelRefuses) {
  const Problem problem = typical_case("recurrent", 0);
  std::uint64_t index = 0;
  while (typical_case("recurrent", index).dims().V != 33) ++index;  // `recurrent` takes any, `chunk` multiples of 8
  const Problem odd = typical_case("recurrent", index);
  EXPECT_EQ(DefectKernel(nullptr, "deltaproof-recurrent").refusal(problem), "");
  EXPECT_NE(DefectKernel(nullptr, "deltaproof-chunk").refusal(odd).find("is no multiple of 8"), std::string::npos);
  EXPECT_THROW(DefectKernel(nullptr, "deltaproof-chunk").run(odd), std::runtime_error);
}

TEST(DefectKernel, RefusesWhatCannotBeEmulated) {
  for (std::uint64_t index = 0; index < 8; ++index) {
    const Problem problem = typical_case("chunk", index);
    const std::string refusal = DefectKernel(nullptr, "fla-chunk").refusal(problem);
    const Rule rule = problem.options().rule;
    EXPECT_EQ(refusal.empty(), rule == Rule::delta || rule == Rule::gated_delta) << problem.name() << ": " << refusal;
    if (rule == Rule::linear) {
      EXPECT_EQ(refusal, "fla-chunk: rule linear has no declared order of roundings");
    } else if (rule == Rule::kla) {
      EXPECT_NE(refusal.find("forms its write coefficient"), std::string::npos) << refusal;
    }
  }
}

TEST(DefectKernel, IsRightWhereTheDefectSaysNothing) {
  const Defect& defect = *find_defect("gate_shift");
  for (std::uint64_t index = 0; index < 8; ++index) {
    const Problem problem = typical_case("chunk", index);
    const DefectKernel wrong(&defect, "deltaproof-chunk");
    const bool same = same_bits(wrong.run(problem), DefectKernel(nullptr, "deltaproof-chunk").run(problem));
    const bool has_gates = problem.find("g") != nullptr;
    EXPECT_EQ(same, !has_gates) << problem.name();
    EXPECT_EQ(wrong.refusal(problem),
              has_gates ? "" : "chunk with gate_shift: says nothing here: there is no decay");
  }
}

std::vector<Problem> in_chunks_of_16_and_32(const char* regime, const char* kernel) {
  std::vector<Problem> problems;
  for (ProblemSpec spec : problem_specs_for(kernel, *find_regime(regime), 1)) {
    for (const char* size : {"16", "32"}) {
      spec.options["chunk_size"] = size;
      problems.push_back(problem_of(spec));
    }
  }
  return problems;
}

// A text may make a matrix of a chunk in parts, where a place that was drawn for the whole does not exist.
TEST(DefectKernel, EveryDefectHasItsPlaceInEveryText) {
  for (const char* kernel_name : {"chunk", "recurrent", "fla-chunk", "hola", "hola_decode"}) {
    for (const Problem& problem : in_chunks_of_16_and_32("typical", kernel_name)) {
      for (const Defect& defect : defect_catalogue()) {
        for (std::uint64_t place = 0; place < (defect.reach == Reach::one_place ? 4 : 1); ++place) {
          const DefectKernel kernel(&defect, kernel_name, 1, place);
          if (kernel.refusal(problem).empty()) {
            EXPECT_NO_THROW(kernel.run(problem)) << kernel.name() << " on " << problem.name();
          }
        }
      }
    }
  }
}

// Also where decays are one a channel, and k k^T and q k^T are made from blocks of 16 tokens.
TEST(DefectKernel, OnePairAndOneScoreAreLostWhereDecaysArePerChannel) {
  int runs = 0;
  for (const Problem& problem : in_chunks_of_16_and_32("weak_decay", "chunk")) {
    if (problem.options().rule != Rule::vector_decay_delta) continue;
    const Outputs right = DefectKernel(nullptr, "deltaproof-chunk").run(problem);
    for (const char* id : {"L_missing_ij", "P_strict_row"}) {
      int changed = 0;
      for (std::uint64_t place = 0; place < 8; ++place) {
        changed += same_bits(DefectKernel(find_defect(id), "deltaproof-chunk", 1, place).run(problem), right) ? 0 : 1;
      }
      EXPECT_GE(changed, 6) << id << " on " << problem.name();
    }
    ++runs;
  }
  EXPECT_EQ(runs, 2);
}

TEST(DefectKernel, GivesTheRecordingsBitsWithoutADefectAndThoseOfTheBenchWithOne) {
  const Problem& problem = strong_decay().problem;
  Outputs right = *strong_decay().outputs;
  right.tensors.erase("chunk_states");
  EXPECT_TRUE(same_bits(DefectKernel(nullptr, "fla-chunk").run(problem), right));
  for (const char* id : {"gate_shift", "beta0_tok", "stale_S", "o_trunc", "ulp4"}) {
    Outputs wrong = strong_decay_bench().outputs(*find_defect(id), 3);
    wrong.tensors.erase("chunk_states");
    EXPECT_TRUE(same_bits(DefectKernel(find_defect(id), "fla-chunk", 1, 3).run(problem), wrong)) << id;
  }
}

}  // namespace
}  // namespace deltaproof
