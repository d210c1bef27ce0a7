// The advisory tier in whole verdicts: silent on recordings of real kernels, and what it sees.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "declared_kernel.hpp"
#include "properties/accuracy/conformity.hpp"
#include "recordings.hpp"
#include "small_problems.hpp"

namespace deltaproof {
namespace {

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

bool found_something(const AdvisoryReport& report) { return report.sigma_outside > 0 || !report.structures.empty(); }

const AdvisoryReport& report_of(const Verdict& verdict) { return verdict.advisory.value(); }

class AdvisoryOnRecording : public testing::TestWithParam<std::string> {};

// Why the tier is off under the declared arithmetic, in part; not in the map: it is on.
const std::map<std::string, std::string>& reasons_to_be_off() {
  static const std::map<std::string, std::string> reasons = {
      {"gdn_chunk_fp32", "truncated to TF32"},        {"gla_chunk_bf16", "truncated to TF32"},
      {"kda_chunk_bf16", "truncated to TF32"},        {"gdn_decode_bf16_B16", "fp32 recurrence"},
      {"gdn_recurrent_bf16_T200", "fp32 recurrence"}, {"gdn_recurrent_fp32", "fp32 recurrence"},
      {"gdn_chunk_bf16_l2norm_zero_key", "normalises rows itself"},
  };
  return reasons;
}

TEST_P(AdvisoryOnRecording, FindsNothingOrSaysWhyItIsOff) {
  const CaseFile file = recording(GetParam());
  const Verdict verdict = judge_by_bound_alone(file.problem, *file.outputs);
  EXPECT_EQ(verdict.status, Status::passed) << describe(verdict);
  const AdvisoryReport& report = report_of(verdict);
  EXPECT_FALSE(found_something(report)) << verdict.reason;
  const auto off = reasons_to_be_off().find(GetParam());
  if (off != reasons_to_be_off().end()) {
    EXPECT_TRUE(mentions(report.off, off->second)) << report.off;
    EXPECT_EQ(report.units + report.units_off + report.sigma_compared + report.statistics, 0);
    return;
  }
  EXPECT_EQ(report.off, "");
  EXPECT_GT(report.units, 0);
  EXPECT_GT(report.sigma_compared, 0);
  EXPECT_GT(report.statistics, 0);
  const bool without_states = file.outputs->find("chunk_states") == nullptr;
  EXPECT_EQ(report.units_off > 0, without_states) << report.why_units_off;
  EXPECT_EQ(report.why_units_off, without_states ? "the state that they begin with was not recorded" : "");
  // A kernel that rounds as its family does comes near a deviation somewhere among thousands of values.
  EXPECT_GT(report.sigma_largest, 1);
  EXPECT_LT(report.sigma_largest, report.sigma_limit);
}

TEST_P(AdvisoryOnRecording, FindsNothingWhereNothingIsDeclared) {
  const CaseFile file = recording(GetParam());
  const Verdict verdict = judge(file.problem.with_arithmetic("generic"), *file.outputs);
  EXPECT_FALSE(found_something(report_of(verdict))) << verdict.reason;
  EXPECT_NE(verdict.status, Status::suspect);
}

INSTANTIATE_TEST_SUITE_P(Advisory, AdvisoryOnRecording, testing::ValuesIn(all_recordings()),
                         [](const auto& each) { return each.param; });

TEST(AdvisoryOnDouble, IsOff) {
  const CaseFile file = recording("gdn_chunk_bf16_strong_decay");
  const Verdict verdict = judge(file.problem.with_arithmetic("fp64"), *file.outputs);
  EXPECT_TRUE(mentions(report_of(verdict).off, "fp64")) << report_of(verdict).off;
}

// The recorded kernel, emulated, with its read-out multiplied by `factor` before it is stored.
Outputs scaled_before_its_store(const Problem& problem, double factor) {
  const Declared declared = built_in(problem.options().arithmetic, problem.options().rule).value();
  const Resolved resolved = resolve_for(problem, Outputs{}, declared);
  const RunHead run = [&](const Sequence& sequence, std::int64_t head) {
    HeadInputs inputs = head_inputs(problem, sequence, head);
    inputs.options.scale *= factor;
    return emulate(resolved, inputs, problem.options().chunk_size, problem.find("initial_state") != nullptr);
  };
  return assembled_outputs(problem, run, true);
}

void expect_slope_of_o(const Verdict& verdict, double slope) {
  EXPECT_EQ(verdict.status, Status::suspect) << describe(verdict);
  const AdvisoryReport& report = report_of(verdict);
  ASSERT_FALSE(report.structures.empty());
  const Structure& worst = report.structures.front();
  EXPECT_EQ(worst.statistic + " of " + worst.tensor + ", " + worst.group, "slope of o, all");
  EXPECT_TRUE(mentions(verdict.reason, "the error has structure: slope of o, all: ")) << verdict.reason;
  // Its own scale is seen as far as chance allows: within the limit, about what is known.
  EXPECT_NEAR(worst.value, slope + worst.expected, worst.limit);
}

class ScaledOutput : public testing::TestWithParam<std::string> {};

// Of 16,640 values a slope of 2.8e-4 may be chance: twice as much is asked for there.
TEST_P(ScaledOutput, IsSuspectAt3In10000) {
  const CaseFile file = recording(GetParam());
  const double slope = GetParam() == "gdn_chunk_bf16_strong_decay" ? 6e-4 : 3e-4;
  for (const double factor : {1 + slope, 1 - slope}) {
    const Verdict verdict = judge_by_bound_alone(file.problem, scaled_before_its_store(file.problem, factor));
    expect_slope_of_o(verdict, factor - 1);
  }
}

TEST_P(ScaledOutput, IsNotSuspectAtOne) {
  const CaseFile file = recording(GetParam());
  const Verdict verdict = judge_by_bound_alone(file.problem, scaled_before_its_store(file.problem, 1));
  EXPECT_EQ(verdict.status, Status::passed) << describe(verdict);
  EXPECT_FALSE(found_something(report_of(verdict)));
}

// Any order of roundings: the limits are wider, and a slope of 0.002 is beyond them all.
TEST_P(ScaledOutput, IsSuspectAt2In1000WhereNothingIsDeclared) {
  const CaseFile file = recording(GetParam());
  const Outputs outputs = scaled_before_its_store(file.problem, 1.002);
  expect_slope_of_o(judge(file.problem.with_arithmetic("generic"), outputs), 0.002);
}

INSTANTIATE_TEST_SUITE_P(Advisory, ScaledOutput,
                         testing::Values("gdn_chunk_bf16", "gdn_chunk_bf16_strong_decay", "kla_chunk_bf16_T300",
                                         "kla_trained_layer0_T512"),
                         [](const auto& each) { return std::string(each.param); });

struct Truncated {
  std::string recording, name;
  Point point;
  std::string tensor;  ///< whose slope is the worst
};

class TruncatedPoint : public testing::TestWithParam<Truncated> {};

// Truncation shrinks by half a unit in the last place on average: a slope of about -2.8e-3 where all of a value
// passes the point.
TEST_P(TruncatedPoint, IsASlopeTowardsZero) {
  const CaseFile file = recording(GetParam().recording);
  Declared declared = built_in("fla-chunk", file.problem.options().rule).value();
  declared[GetParam().point].mode = PointMode::truncated;
  const Verdict verdict = judge_by_bound_alone(file.problem, emulated_outputs(file.problem, declared, true));
  EXPECT_EQ(verdict.status, Status::suspect) << describe(verdict);
  const AdvisoryReport& report = report_of(verdict);
  ASSERT_FALSE(report.structures.empty());
  EXPECT_EQ(report.structures.front().statistic, "slope");
  EXPECT_EQ(report.structures.front().tensor, GetParam().tensor);
  EXPECT_LT(report.structures.front().value, -report.structures.front().limit);
}

INSTANTIATE_TEST_SUITE_P(Advisory, TruncatedPoint,
                         testing::Values(Truncated{"gdn_chunk_bf16", "u", Point::u, "o"},
                                         Truncated{"gdn_chunk_bf16", "o", Point::o, "o"},
                                         Truncated{"gdn_chunk_bf16", "P", Point::P, "o"},
                                         Truncated{"gdn_chunk_bf16", "v_new", Point::v_new, "o"},
                                         Truncated{"gdn_chunk_bf16", "v_beta", Point::v_beta, "o"},
                                         Truncated{"gdn_chunk_bf16", "v_scaled", Point::v_scaled, "states"},
                                         Truncated{"gdn_chunk_bf16_strong_decay", "u", Point::u, "o"},
                                         Truncated{"gdn_chunk_bf16_strong_decay", "o", Point::o, "o"},
                                         Truncated{"kla_chunk_bf16_T300", "u", Point::u, "o"},
                                         Truncated{"kla_chunk_bf16_T300", "o", Point::o, "o"},
                                         Truncated{"kla_trained_layer0_T512", "v_new", Point::v_new, "o"}),
                         [](const auto& each) { return each.param.recording + "_" + each.param.name; });

// Each query reads the one value that its token has written, so that nothing is rounded but the output, which is
// exact: the deviation is that of a rounding to bf16. N = 4096 values a head: its 64 x 32 outputs, and as many of the
// state, which is counted though it was not recorded.
struct ExactReads {
  static constexpr std::int64_t K = 64, V = 32;
  Problem problem;
  Outputs outputs;

  explicit ExactReads(std::int64_t heads) : problem(make(heads)) {
    const Tensor& v = *problem.find("v");
    outputs.tensors["o"] = Tensor::from(v.dtype, v.shape, v.values());
  }
  Verdict judge_with(std::int64_t flat, double error) const {
    Outputs wrong = outputs;
    Tensor& o = wrong.tensors.at("o");
    std::vector<double> values = o.values();
    values[static_cast<std::size_t>(flat)] += error;
    o = Tensor::from(o.dtype, o.shape, values);
    return judge_by_bound_alone(problem, wrong);
  }

 private:
  static Problem make(std::int64_t heads) {
    TensorMap inputs;
    inputs["q"] = inputs["k"] = filled(Dtype::bf16, {1, 64, heads, K},
                                       [&](std::int64_t i) { return i % K == i / K / heads ? 1 : 0; });
    inputs["v"] = filled(Dtype::bf16, {1, 64, heads, V},
                         [](std::int64_t i) { return 1.25 + 0x1p-7 * static_cast<double>(i % 61); });
    inputs["g"] = filled(Dtype::f32, {1, 64, heads}, [](std::int64_t) { return 0; });
    return make_problem("scalar_decay", "fla-simple-gla-chunk", std::move(inputs), {{"scale", "1"}});
  }
};

// One unit in the last place is 2 h = 2 sqrt(3) deviations, two are 6.93: beyond the limit for 4096 values, which is
// sqrt(2 ln(2 * 4096 / 5e-7)) = 6.86, and within that for 8 times as many, 7.15.
TEST(OneWrongValue, IsFoundBeyondTheLimitOfTheirNumber) {
  constexpr double ulp = 0x1p-7;
  constexpr std::int64_t token = 37, column = 9;
  struct At {
    std::int64_t heads;
    int units;
    bool found;
  };
  for (const At& at : {At{1, 0, false}, {1, 1, false}, {1, 2, true}, {8, 1, false}, {8, 2, false}, {8, 3, true}}) {
    const std::int64_t head = at.heads - 1;
    const AdvisoryReport report = report_of(
        ExactReads(at.heads).judge_with((token * at.heads + head) * ExactReads::V + column, at.units * ulp));
    EXPECT_EQ(report.sigma_compared, at.heads * 64 * ExactReads::V);
    const double values = 4096.0 * static_cast<double>(at.heads);
    EXPECT_NEAR(report.sigma_limit, std::sqrt(2 * std::log(2 * values / 5e-7)), 1e-12);
    // What fp32 may add is taken off first: some 2^-17 of a unit of bf16 each time.
    EXPECT_NEAR(report.sigma_largest, at.units * 2 * std::sqrt(3.0), 1e-3);
    EXPECT_EQ(report.sigma_outside, at.found ? 1 : 0) << at.heads << " heads, " << at.units << " units";
    if (at.units == 0) continue;
    EXPECT_EQ(report.sigma_worst.tensor, "o");
    EXPECT_EQ(report.sigma_worst.token, token);
    EXPECT_EQ(report.sigma_worst.head, head);
    EXPECT_EQ(report.sigma_worst.column, column);
  }
}

// In a recording LOC leaves room for it.
TEST(OneWrongValue, IsSuspectInARecording) {
  const CaseFile file = recording("gdn_chunk_bf16_strong_decay");
  const Dimensions& d = file.problem.dims();
  constexpr std::int64_t token = 70, head = 1, column = 5;
  const auto flat = static_cast<std::size_t>((token * d.HV + head) * d.V + column);
  const std::vector<double> recorded = file.outputs->tensors.at("o").values();
  bool found = false;
  double before = 0;
  for (int units = 1; units <= 256 && !found; ++units) {
    Outputs outputs = *file.outputs;
    Tensor& o = outputs.tensors.at("o");
    std::vector<double> values = recorded;
    values[flat] += units * std::abs(recorded[flat]) * 0x1p-7;  // one unit of bf16 or two
    o = Tensor::from(o.dtype, o.shape, values);
    const Verdict verdict = judge_by_bound_alone(file.problem, outputs);
    const AdvisoryReport& report = report_of(verdict);
    found = report.sigma_outside > 0;
    if (!found) {
      EXPECT_EQ(verdict.status, Status::passed) << describe(verdict);
      before = report.sigma_largest;
      continue;
    }
    EXPECT_EQ(verdict.status, Status::suspect) << describe(verdict);
    EXPECT_EQ(report.sigma_outside, 1);
    EXPECT_GT(report.sigma_largest, report.sigma_limit);
    EXPECT_EQ(report.sigma_worst.token, token);
    EXPECT_EQ(report.sigma_worst.head, head);
    EXPECT_EQ(report.sigma_worst.column, column);
    EXPECT_TRUE(mentions(verdict.reason, "1 of ")) << verdict.reason;
    EXPECT_TRUE(mentions(verdict.reason, to_string(report.sigma_worst))) << verdict.reason;
    EXPECT_LE(before, report.sigma_limit);
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace deltaproof
