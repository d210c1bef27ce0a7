// Runs under the declarations of this repository's kernels, emulated and judged end to end: each is as declared to
// the bit; with another choice, a cut point or a wrong coefficient it is not.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "properties/accuracy/emulated_outputs.hpp"
#include "properties/regimes/families.hpp"
#include "recordings.hpp"
#include "small_problems.hpp"

namespace deltaproof {
namespace {

constexpr Rule rules[] = {Rule::linear, Rule::scalar_decay, Rule::delta, Rule::gated_delta, Rule::kla,
                          Rule::longhorn_exact, Rule::vector_decay, Rule::vector_decay_delta};

struct Made {
  Rule rule = Rule::gated_delta;
  std::string arithmetic = "deltaproof-chunk";
  Dtype input = Dtype::bf16;
  int chunk = 64;
  Metadata more = {};
};

Problem problem_of(const Made& made) {
  const RegimeShape shape{
      .tokens = 100, .K = 24, .V = 16, .H = 1, .HV = 2, .initial_state = true, .input = made.input};
  const Problem drawn = regime_problem(*find_regime("rand_sig_gdn"), made.rule, shape, 5);
  Metadata metadata = made.more;
  metadata["chunk_size"] = metadata["states_every"] = std::to_string(made.chunk);
  return make_problem(std::string(rule_info(made.rule).name), made.arithmetic, drawn.tensors(), metadata);
}

std::string name_of(const Made& made) {
  return made.arithmetic + ", " + std::string(rule_info(made.rule).name) + ", " +
         std::string(dtype_name(made.input)) + ", chunk " + std::to_string(made.chunk);
}

void expect_every_bit(const Made& made, bool with_states) {
  const Problem problem = problem_of(made);
  const Verdict verdict = judge(problem, emulated_outputs(problem, with_states));
  EXPECT_EQ(verdict.status, Status::passed) << name_of(made) << "\n" << describe(verdict);
  ASSERT_TRUE(verdict.conformity.has_value()) << name_of(made);
  EXPECT_EQ(verdict.conformity->declaration, "the built-in " + made.arithmetic);
  EXPECT_GT(verdict.conformity->bits_compared, 0);
  EXPECT_EQ(verdict.conformity->bits_compared, verdict.compared);
  EXPECT_EQ(verdict.conformity->bits_unequal, 0);
  EXPECT_EQ(verdict.conformity->pin_violations, 0);
  EXPECT_LT(verdict.worst_ratio, 1) << name_of(made);
  ASSERT_TRUE(verdict.advisory.has_value());
  EXPECT_EQ(verdict.advisory->sigma_outside, 0) << name_of(made);
  EXPECT_TRUE(verdict.advisory->structures.empty()) << name_of(made);
}

// Keys, values and results among subnormal numbers of fp32, which lose a step of 2^-149 at every product.
TEST(OwnKernels, PassWhereResultsUnderflow) {
  struct Sized {
    double keys, values;
    const char* scale;
  };
  const Sized cases[] = {{1, 1e-39, "1e-3"}, {1, 1e-42, "1e-3"}, {1, 1e-38, "1e-30"}, {1e-20, 1e18, "1e-30"},
                         {1e-20, 1, "1e-3"}, {1e-21, 1e18, "1"}};
  for (const Rule rule : rules) {
    for (const Sized& sized : cases) {
      const std::string name(rule_info(rule).name);
      TensorMap inputs = small_inputs(name, {.T = 40, .K = 16, .V = 16}, Dtype::f32);
      const auto times = [&](std::int64_t stream, double factor) {
        return filled(Dtype::f32, {1, 40, 1, 16}, [=](std::int64_t i) { return factor * scattered(i, stream); });
      };
      inputs["k"] = times(2, sized.keys), inputs["v"] = times(3, sized.values);
      if (sized.values > 1e-30) {
        inputs["initial_state"] = filled(Dtype::f32, {1, 1, 16, 16}, [](std::int64_t i) { return scattered(i, 9); });
      }
      const Problem problem =
          make_problem(name, "deltaproof-chunk", inputs, {{"chunk_size", "16"}, {"scale", sized.scale}});
      const Verdict verdict = judge(problem, emulated_outputs(problem, false));
      EXPECT_EQ(verdict.violations, 0) << name << ": keys " << sized.keys << ", values " << sized.values
                                       << ", scale " << sized.scale << "\n" << describe(verdict);
    }
  }
}

TEST(OwnKernels, PassToTheBitForEveryRuleTypeAndChunk) {
  int turn = 0;
  for (const Rule rule : rules) {
    for (const Dtype input : {Dtype::f32, Dtype::bf16, Dtype::f16}) {
      for (const char* arithmetic : {"deltaproof-chunk", "deltaproof-recurrent"}) {
        const int chunks[] = {16, 32, 64};
        ++turn;
        expect_every_bit({rule, arithmetic, input, chunks[turn % 3], {}}, turn % 4 != 0);
      }
    }
  }
}

TEST(OwnKernels, PassToTheBitWithRowsAndCoefficientsOfTheirOwn) {
  for (const char* arithmetic : {"deltaproof-chunk", "deltaproof-recurrent"}) {
    for (const Dtype input : {Dtype::f32, Dtype::bf16}) {
      expect_every_bit({Rule::gated_delta, arithmetic, input, 32, {{"qk_l2norm", "kernel"}}}, true);
      expect_every_bit({Rule::kla, arithmetic, input, 32, {{"qk_l2norm", "kernel"}}}, true);
      for (const char* variant : {"no_norm", "key_norm_only", "learned_scalar"}) {
        Metadata more{{"variant", variant}};
        if (std::string(variant) == "learned_scalar") more["c"] = "1.25";
        expect_every_bit({Rule::kla, arithmetic, input, 64, more}, true);
      }
    }
  }
}

// The advisory tier takes the formats of the own family: on for 16 bits, where a factor of 1.003 is seen, and off where
// nothing is rounded below fp32.
TEST(OwnKernels, AreModelledByTheAdvisoryTierIn16Bits) {
  const Problem problem = problem_of({Rule::gated_delta});
  Outputs outputs = emulated_outputs(problem, true);
  AccuracyOptions bound_alone;
  bound_alone.conformity = false;
  const Verdict right = judge(problem, outputs, bound_alone);
  EXPECT_EQ(right.status, Status::passed) << describe(right);
  EXPECT_EQ(right.advisory->off, "");
  EXPECT_GT(right.advisory->sigma_compared, 0);
  Tensor& o = outputs.tensors.at("o");
  std::vector<double> values = o.values();
  for (double& x : values) x *= 1.003;
  o = Tensor::from(o.dtype, o.shape, values);
  const Verdict scaled = judge(problem, outputs, bound_alone);
  EXPECT_EQ(scaled.status, Status::suspect) << describe(scaled);

  const Problem in_fp32 = problem_of({Rule::gated_delta, "deltaproof-chunk", Dtype::f32});
  const Verdict off = judge(in_fp32, emulated_outputs(in_fp32, true));
  EXPECT_NE(off.advisory->off.find("narrower than fp32"), std::string::npos) << off.advisory->off;
}

using Change = std::function<void(Declared&)>;

// The verdict on what a kernel with one thing changed gives.
Verdict with(const Made& made, const Change& change) {
  const Problem problem = problem_of(made);
  Declared other = built_in(made.arithmetic, made.rule).value();
  change(other);
  return judge(problem, emulated_outputs(problem, other, true));
}

TEST(OwnKernels, AreNotAsDeclaredWithOneOtherRounding) {
  const std::pair<const char*, Change> changes[] = {
      {"P cut", [](Declared& d) { d[Point::P].mode = PointMode::truncated; }},
      {"state copy cut", [](Declared& d) { d[Point::state_copy].mode = PointMode::truncated; }},
      {"o cut", [](Declared& d) { d[Point::o].mode = PointMode::truncated; }},
      {"T not rounded", [](Declared& d) { d[Point::T].format = PointFormat::f32; }},
      {"merges in TF32", [](Declared& d) { d.merge = Merge::tf32_truncated; }}};
  int within_the_bound = 0;
  for (const Rule rule : {Rule::gated_delta, Rule::kla, Rule::vector_decay_delta}) {
    for (const auto& [what, change] : changes) {
      const Verdict verdict = with({rule}, change);
      within_the_bound += verdict.status == Status::nonconforming;
      EXPECT_TRUE(verdict.status == Status::nonconforming || verdict.status == Status::failed)
          << rule_info(rule).name << ", " << what << "\n" << describe(verdict);
    }
  }
  EXPECT_GE(within_the_bound, 3) << "LOC alone would do";
  const Verdict cut = with({Rule::vector_decay, "deltaproof-recurrent"},
                           [](Declared& d) { d[Point::o].mode = PointMode::truncated; });
  EXPECT_EQ(cut.status, Status::failed) << describe(cut);
}

TEST(OwnKernels, AreSuspectWithOneOtherOrder) {
  struct Order {
    Made made;
    Change change;
    const char* named;
  };
  const Order orders[] = {
      {{Rule::gated_delta}, [](Declared& d) { d.scan = Scan::pairs; }, "scan pairs instead of pieces_of_32"},
      {{Rule::scalar_decay}, [](Declared& d) { d.state_sum = StateSum::fused; }, "state_sum fused instead of"},
      {{Rule::gated_delta, "deltaproof-chunk", Dtype::f32},
       [](Declared& d) { d.row_sum = RowSum::halves_lower_fused; },
       "row_sum halves_lower_fused instead of ascending"},
      {{Rule::vector_decay, "deltaproof-chunk", Dtype::f32}, [](Declared& d) { d.channel_sum = ChannelSum::one; },
       "channel_sum one instead of ascending"},
      {{Rule::vector_decay_delta, "deltaproof-recurrent"}, [](Declared& d) { d.lanes = Lanes::sixteen; },
       "lanes sixteen instead of eight"},
      {{Rule::linear, "deltaproof-recurrent", Dtype::f32}, [](Declared& d) { d.lane_sum = LaneSum::second_product; },
       "lane_sum second_product instead of from_zero"}};
  for (const Order& order : orders) {
    const Verdict verdict = with(order.made, order.change);
    EXPECT_EQ(verdict.status, Status::suspect) << name_of(order.made) << "\n" << describe(verdict);
    EXPECT_NE(verdict.reason.find(order.named), std::string::npos) << verdict.reason;
  }
}

// The order of |x|^2 alone: bits say so also where the kernel normalises rows.
TEST(OwnKernels, AreSuspectWithAnotherSumOfSquares) {
  const Made made{Rule::gated_delta, "deltaproof-recurrent", Dtype::f32, 64, {{"qk_l2norm", "kernel"}}};
  const Verdict verdict = with(made, [](Declared& d) { d.norm_sum = NormSum::unknown; });
  EXPECT_EQ(verdict.status, Status::suspect) << describe(verdict);
}

TEST(OwnKernels, FailInTf32WithFp32Inputs) {
  for (const Rule rule : {Rule::linear, Rule::gated_delta, Rule::longhorn_exact, Rule::vector_decay_delta}) {
    const Verdict verdict = with({rule, "deltaproof-chunk", Dtype::f32}, [](Declared& d) {
      d.f32_products = F32Products::tf32;
    });
    EXPECT_EQ(verdict.status, Status::failed) << rule_info(rule).name << "\n" << describe(verdict);
  }
}

TEST(OwnKernels, FailWithoutTheirWriteGate) {
  for (const auto& [rule, gate] : {std::pair{Rule::gated_delta, "beta"}, std::pair{Rule::kla, "eta"},
                                   std::pair{Rule::longhorn_exact, "beta"}}) {
    for (const char* arithmetic : {"deltaproof-chunk", "deltaproof-recurrent"}) {
      const Problem problem = problem_of({rule, arithmetic});
      TensorMap ones = problem.tensors();
      Tensor& tensor = ones.at(gate);
      tensor = filled(tensor.dtype, tensor.shape, [](std::int64_t) { return 1.0; });
      const Outputs outputs = emulated_outputs(problem.with_inputs(ones), true);
      const Verdict verdict = judge(problem, outputs);
      EXPECT_EQ(verdict.status, Status::failed) << arithmetic << ", " << rule_info(rule).name << describe(verdict);
    }
  }
}

// What is not declared is not emulated, and PIN is there all the same.
TEST(OwnKernels, WithAPositionFactorHaveNoBitsAndSayWhy) {
  const Made made{Rule::kla, "deltaproof-recurrent", Dtype::bf16, 64, {{"position", "inverse"}}};
  const Problem problem = problem_of(made);
  const Verdict verdict = judge(problem, emulated_outputs(problem, true));
  ASSERT_TRUE(verdict.conformity.has_value());
  EXPECT_EQ(verdict.conformity->bits_compared, 0);
  ASSERT_FALSE(verdict.conformity->missing.empty());
  EXPECT_NE(verdict.conformity->missing[0].find("position"), std::string::npos);
}

}  // namespace
}  // namespace deltaproof
