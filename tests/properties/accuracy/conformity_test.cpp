// A run is held against its declared order of roundings: what conforms, what does not, and what would fit.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "declared_kernel.hpp"
#include "properties/accuracy/conclude.hpp"
#include "properties/accuracy/tightness.hpp"
#include "properties/regimes/families.hpp"
#include "kernels/recorded.hpp"
#include "recordings.hpp"

namespace deltaproof {
namespace {

Declared declared_of(const CaseFile& file) {
  return built_in(file.problem.options().arithmetic, file.problem.options().rule).value();
}

Verdict judge_as(const CaseFile& file, const Declared& declared) {
  return check_accuracy(file.problem, DeclaredKernel(declared, *file.outputs), {});
}

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// `outputs` with the values of o changed, and rounded to its type again.
Outputs with_changed_o(Outputs outputs, const std::function<void(std::vector<double>&)>& change) {
  Tensor& o = outputs.tensors.at("o");
  std::vector<double> values = o.values();
  change(values);
  o = Tensor::from(o.dtype, o.shape, values);
  return outputs;
}

class ConformingRecording : public testing::TestWithParam<std::string> {};

TEST_P(ConformingRecording, ConformsToTheBit) {
  const CaseFile file = recording(GetParam());
  const Verdict verdict = judge(file, *file.outputs);
  EXPECT_EQ(verdict.status, Status::passed) << describe(verdict);
  ASSERT_TRUE(verdict.conformity.has_value());
  const ConformityReport& report = *verdict.conformity;
  EXPECT_GT(report.pin_compared, 0);
  EXPECT_EQ(report.pin_compared, verdict.compared);
  EXPECT_EQ(report.pin_violations, 0);
  EXPECT_EQ(report.bits_compared, verdict.compared);
  EXPECT_EQ(report.bits_unequal, 0);
  EXPECT_TRUE(report.missing.empty());
}

INSTANTIATE_TEST_SUITE_P(Conformity, ConformingRecording, testing::ValuesIn(all_recordings()),
                         [](const auto& each) { return each.param; });

// The largest radius over the largest distance from the centre, of `o`: published figures for these recordings
// are 1.0, 1.0, 1.0 and 9.7, with 78.5, 67.3, 76.5 and 48.6 % of the values known to the bit.
TEST(PinTightness, IsThatOfTheBestBoundKnown) {
  struct Known {
    const char* name;
    double largest_over_largest, unambiguous;
  };
  for (const Known& known : {Known{"gdn_chunk_bf16", 1.0, 0.78}, Known{"gdn_chunk_bf16_strong_decay", 1.0, 0.67},
                             Known{"kla_chunk_bf16_T300", 1.0, 0.76}, Known{"kla_trained_layer0_T512", 9.7, 0.48}}) {
    const CaseFile file = recording(known.name);
    const RunTightness pin = measure_pin(file.problem, RecordedKernel(file));
    EXPECT_EQ(pin.o.violations + pin.states.violations, 0) << known.name;
    EXPECT_LT(pin.o.largest_over_largest, known.largest_over_largest + 0.05) << known.name;  // as printed
    EXPECT_GE(pin.o.unambiguous, known.unambiguous) << known.name;
  }
}

// A declaration with one wrong choice, and how the right one is named.
struct Wrong {
  std::string name;
  void (*change)(Declared&);
  std::string right;  ///< in the message
};

template <Point point, PointFormat format, PointMode mode>
void round_as(Declared& d) {
  d[point] = {format, mode};
}
template <Point point>
constexpr auto not_rounded_at = &round_as<point, PointFormat::f32, PointMode::nearest_even>;
template <Point point>
constexpr auto truncated_at = &round_as<point, PointFormat::input, PointMode::truncated>;

const std::vector<Wrong>& wrong_declarations() {
  static const std::vector<Wrong> list = {
      {"merge_rna", [](Declared& d) { d.merge = Merge::tf32_nearest_away; }, "merge tf32_truncated"},
      {"merge_rne", [](Declared& d) { d.merge = Merge::tf32_nearest_even; }, "merge tf32_truncated"},
      {"merge_ieee", [](Declared& d) { d.merge = Merge::ieee; }, "merge tf32_truncated"},
      {"one_substitution", [](Declared& d) { d.inverse = Inverse::substitution; }, "inverse merged_blocks"},
      {"T_not_rounded", not_rounded_at<Point::T>, "point T input instead"},
      {"rw_not_rounded", not_rounded_at<Point::k_beta_decayed>, "point k_beta_decayed input instead"},
      {"rv_not_rounded", not_rounded_at<Point::v_beta>, "point v_beta input instead"},
      {"w_not_rounded", not_rounded_at<Point::w>, "point w input instead"},
      {"u_not_rounded", not_rounded_at<Point::u>, "point u input instead"},
      {"S_not_rounded", not_rounded_at<Point::state_copy>, "point state_copy input instead"},
      {"vn_not_rounded", not_rounded_at<Point::v_new>, "point v_new input instead"},
      {"us_not_rounded", not_rounded_at<Point::v_scaled>, "point v_scaled input instead"},
      {"P_not_rounded", not_rounded_at<Point::P>, "point P input instead"},
      {"o_not_rounded", not_rounded_at<Point::o>, "point o stored instead"},
      {"T_truncated", truncated_at<Point::T>, "point T input instead"},
      {"S_truncated", truncated_at<Point::state_copy>, "point state_copy input instead"},
      {"vn_truncated", truncated_at<Point::v_new>, "point v_new input instead"},
      {"us_truncated", truncated_at<Point::v_scaled>, "point v_scaled input instead"},
      {"P_truncated", truncated_at<Point::P>, "point P input instead"},
      {"o_truncated", &round_as<Point::o, PointFormat::stored, PointMode::truncated>, "point o stored instead"},
      {"us_from_rounded_v_new", [](Declared& d) { d.v_scaled_from = ScaledFrom::rounded; },
       "v_scaled_from unrounded"},
  };
  return list;
}

class WrongDeclaration : public testing::TestWithParam<std::tuple<std::string, Wrong>> {};

TEST_P(WrongDeclaration, IsNonconformingAndTheRightOneIsNamed) {
  const auto& [name, wrong] = GetParam();
  const CaseFile file = recording(name);
  Declared declared = declared_of(file);
  wrong.change(declared);
  ASSERT_NE(declared, declared_of(file));
  const Verdict verdict = judge_as(file, declared);
  EXPECT_EQ(verdict.status, Status::nonconforming) << describe(verdict);
  ASSERT_TRUE(verdict.conformity.has_value());
  EXPECT_GT(verdict.conformity->pin_violations, 0);
  EXPECT_TRUE(mentions(verdict.reason, "would fit: the built-in fla-chunk (" + wrong.right)) << verdict.reason;
  EXPECT_EQ(verdict.conformity->fits.size(), 1) << verdict.reason;
}

INSTANTIATE_TEST_SUITE_P(Conformity, WrongDeclaration,
                         testing::Combine(testing::Values("gdn_chunk_bf16", "gdn_chunk_bf16_strong_decay",
                                                          "kla_chunk_bf16_T300"),
                                          testing::ValuesIn(wrong_declarations())),
                         [](const auto& each) {
                           return std::get<0>(each.param) + "_" + std::get<1>(each.param).name;
                         });

TEST(Declaration, OfAnotherTextIsNonconforming) {
  const CaseFile file = recording("gdn_chunk_bf16");
  const Verdict verdict = judge_as(file, built_in("nvlabs-chunk", Rule::gated_delta).value());
  EXPECT_EQ(verdict.status, Status::nonconforming) << describe(verdict);
  EXPECT_TRUE(mentions(verdict.reason, "would fit: the built-in fla-chunk")) << verdict.reason;
}

TEST(Declaration, ThatFitsIsNotLookedForUnlessAskedFor) {
  const CaseFile file = recording("gdn_chunk_bf16_strong_decay");
  Declared declared = declared_of(file);
  declared[Point::w].format = PointFormat::f32;
  AccuracyOptions options;
  options.name_fits = false;
  const Verdict verdict = check_accuracy(file.problem, DeclaredKernel(declared, *file.outputs), options);
  EXPECT_EQ(verdict.status, Status::nonconforming) << describe(verdict);
  EXPECT_TRUE(verdict.conformity->fits.empty());
  EXPECT_TRUE(mentions(verdict.reason, "not asked for")) << verdict.reason;
}

TEST(Declaration, TwoChoicesAwayIsFoundToo) {
  const CaseFile file = recording("gdn_chunk_bf16_strong_decay");
  Declared declared = declared_of(file);
  declared[Point::w].format = PointFormat::f32;
  declared[Point::P].mode = PointMode::truncated;
  declared.scan = Scan::sequential;  // which PIN allows, and bits do not
  const Verdict verdict = judge_as(file, declared);
  EXPECT_EQ(verdict.status, Status::nonconforming);
  EXPECT_TRUE(mentions(verdict.reason, "would fit: the built-in fla-chunk (")) << verdict.reason;
}

// The output of a kernel in bf16, recorded in fp32.
TEST(Declaration, OfAnOutputThatWasWidenedWhenItWasRecordedIsFound) {
  const CaseFile file = recording("gdn_chunk_bf16_strong_decay");
  Outputs outputs = *file.outputs;
  Tensor& o = outputs.tensors.at("o");
  o = Tensor::from(Dtype::f32, o.shape, o.values());
  const Verdict verdict = judge(file, outputs);
  EXPECT_EQ(verdict.status, Status::nonconforming) << describe(verdict);
  EXPECT_TRUE(mentions(verdict.reason, "would fit: fla-chunk with point o input instead of stored")) << verdict.reason;
  EXPECT_EQ(verdict.conformity->fits.size(), 1) << verdict.reason;
}

// o scaled by 1.01 is no order of roundings.
TEST(Declaration, IsNotMadeUpWhereNoneFits) {
  const CaseFile file = recording("gdn_chunk_bf16_strong_decay");
  const Outputs outputs = with_changed_o(*file.outputs, [](std::vector<double>& values) {
    for (double& x : values) x *= 1.003;
  });
  const Verdict verdict = judge(file, outputs);
  EXPECT_EQ(verdict.status, Status::nonconforming) << describe(verdict);
  EXPECT_TRUE(verdict.conformity->fits.empty());
  EXPECT_TRUE(mentions(verdict.reason, "no declaration within three choices of it fits")) << verdict.reason;
}

// Without recorded states a unit is a whole sequence: candidates are tried as far as its first bad value.
TEST(Search, OfALongRunIsCutShortAndSaysSo) {
  RegimeShape shape;
  shape.tokens = 4096;
  shape.K = shape.V = 4;
  const Problem problem =
      regime_problem(*find_regime("rand_sig_gdn"), Rule::gated_delta, shape, 1).with_arithmetic("fla-chunk");
  Outputs outputs = emulated_outputs(problem, false);
  Tensor& o = outputs.tensors.at("o");
  std::vector<double> values = o.values();
  const auto damaged_at = [&](std::size_t flat) {
    std::vector<double> changed = values;
    changed[flat] *= 1 + 0x1p-6;
    o = Tensor::from(o.dtype, o.shape, changed);
    return judge(problem, outputs);
  };
  const Verdict early = damaged_at(1), late = damaged_at(values.size() - 1);
  EXPECT_EQ(early.status, Status::nonconforming) << describe(early);
  EXPECT_TRUE(mentions(early.reason, "no declaration within three choices of it fits")) << early.reason;
  EXPECT_EQ(late.status, Status::nonconforming) << describe(late);
  EXPECT_TRUE(mentions(late.reason, "was cut short")) << late.reason;
}

TEST(Search, StartsFromTheUnitsThatAreBad) {
  const CaseFile file = recording("gdn_chunk_bf16_strong_decay");
  Declared declared = declared_of(file);
  declared[Point::u].format = PointFormat::f32;
  const ConformityContext context = conformity_context(file.problem, *file.outputs, declared);
  const std::vector<Unit> units =
      plan_units(file.problem, *file.outputs, choose_bound("fla-chunk", file.problem));
  const Conformity found = judge_conformity(context, units, 2);
  ASSERT_FALSE(found.bad.empty());
  std::int64_t outside = 0, unequal = 0;
  for (const BadUnit& each : found.bad) {
    outside += each.outside;
    unequal += each.unequal;
    if (each.outside == 0) continue;
    EXPECT_GE(each.first_outside, each.unit.begin);
    EXPECT_LE(each.first_outside, each.unit.begin + each.unit.length);
  }
  EXPECT_EQ(outside, found.pin.violations);
  EXPECT_EQ(unequal, found.bits.unequal);
}

TEST(UnequalBits, AreSuspectAndTheOrderIsNamed) {
  const CaseFile file = recording("gdn_chunk_bf16_strong_decay");
  Declared declared = declared_of(file);
  declared.scan = Scan::sequential;
  const Verdict verdict = judge_as(file, declared);
  EXPECT_EQ(verdict.status, Status::suspect) << describe(verdict);
  EXPECT_EQ(verdict.conformity->pin_violations, 0);
  EXPECT_GT(verdict.conformity->bits_unequal, 0);
  EXPECT_TRUE(mentions(verdict.reason, "the built-in fla-chunk (scan pieces_of_32 instead of sequential)"))
      << verdict.reason;
}

TEST(UnequalBits, AreFoundInOneValue) {
  const CaseFile file = recording("gdn_chunk_bf16");
  const Outputs outputs = with_changed_o(*file.outputs, [](std::vector<double>& values) {
    values[1000] *= 1 + 0x1p-7;  // one or two units of bf16's last place
  });
  const Verdict verdict = judge(file, outputs);
  EXPECT_EQ(verdict.conformity->bits_unequal, 1);
  EXPECT_NE(verdict.status, Status::passed);
}

TEST(UnequalBits, ASignedZeroIsADifference) {
  const CaseFile file = recording("gdn_chunk_bf16_l2norm_zero_key");
  const Outputs outputs = with_changed_o(*file.outputs, [](std::vector<double>& values) {
    std::size_t zero = 0;
    while (zero < values.size() && values[zero] != 0) ++zero;
    if (zero == values.size()) zero = 0;
    values[zero] = -values[zero];
  });
  EXPECT_GE(judge(file, outputs).conformity->bits_unequal, 1);
}

// Another tensor core than the one that ran: its order of accumulation gives other bits.
TEST(TensorCore, OfAnotherGenerationIsToldApart) {
  const CaseFile file = recording("kla_trained_layer0_T512");
  AccuracyOptions options;
  options.tensor_core = "ampere";
  const Verdict verdict = judge(file, *file.outputs, options);
  EXPECT_GT(verdict.conformity->bits_unequal, 0);
  EXPECT_EQ(verdict.conformity->bits, "ampere");
  EXPECT_EQ(verdict.status, Status::suspect) << describe(verdict);
  EXPECT_TRUE(mentions(verdict.reason, "mma hopper instead of ampere")) << verdict.reason;
}

TEST(TensorCore, WithoutTf32IsNotEmulatedAndThatIsSaid) {
  const CaseFile file = recording("gdn_chunk_bf16_strong_decay");
  AccuracyOptions options;
  options.tensor_core = "volta";
  const Verdict verdict = judge(file, *file.outputs, options);
  EXPECT_NE(verdict.status, Status::error);
  ASSERT_TRUE(verdict.conformity.has_value());
  EXPECT_EQ(verdict.conformity->bits_compared, 0);
  ASSERT_EQ(verdict.conformity->missing.size(), 1);
  EXPECT_TRUE(mentions(verdict.conformity->missing[0], "volta")) << verdict.conformity->missing[0];
}

// Kernels that form their write coefficient themselves: PIN holds, nothing is emulated, and the report says so.
TEST(NothingEmulated, IsSaidWithTheReason) {
  const Regime& regime = *find_regime("kla_tinykey");
  RegimeShape shape;
  shape.tokens = 80;
  const Problem problem = regime_problem(regime, Rule::kla, shape, 1).with_arithmetic("fla-chunk");
  Outputs outputs;
  const Dimensions& d = problem.dims();
  outputs.tensors["o"] = Tensor::from(Dtype::bf16, {d.B, d.T, d.HV, d.V},
                                      std::vector<double>(static_cast<std::size_t>(d.B * d.T * d.HV * d.V)));
  const Verdict verdict = judge(problem, outputs);
  ASSERT_TRUE(verdict.conformity.has_value());
  EXPECT_EQ(verdict.conformity->bits_compared, 0);
  EXPECT_EQ(verdict.conformity->bits, "");
  ASSERT_EQ(verdict.conformity->missing.size(), 1);
  EXPECT_TRUE(mentions(verdict.conformity->missing[0], "write coefficient"));
}

TEST(NothingDeclared, HasNoConformity) {
  const CaseFile file = recording("gdn_chunk_bf16_strong_decay");
  const Verdict verdict = judge(file.problem.with_arithmetic("generic"), *file.outputs);
  EXPECT_FALSE(verdict.conformity.has_value());
}

// A correct kernel in another configuration of its autotuner: other bits, the same roundings.
TEST(Autotuning, MayChooseAnotherLayout) {
  const CaseFile file = recording("kda_chunk_bf16");
  Declared other = declared_of(file);
  other.scan = Scan::pieces_of_2;
  other.channel_sum = ChannelSum::one;
  other.row_sum = RowSum::eights_lower_fused;
  const Outputs outputs = emulated_outputs(file.problem, other, true);
  const Verdict verdict = judge(file, outputs);
  EXPECT_EQ(verdict.status, Status::passed) << describe(verdict);
  EXPECT_EQ(verdict.conformity->bits_unequal, 0);
  EXPECT_EQ(verdict.conformity->declaration, "the built-in fla-kda-chunk");
  EXPECT_TRUE(mentions(verdict.conformity->layout, "scan pieces_of_2 instead of pieces_of_4"))
      << verdict.conformity->layout;

  // An order that no configuration has stays suspect.
  other.merge_sum = MergeSum::descending;
  other.scan = Scan::sequential;
  const Verdict foreign = judge(file, emulated_outputs(file.problem, other, true));
  EXPECT_EQ(foreign.status, Status::suspect) << describe(foreign);
}

// Where no states were recorded and ADJ says nothing, equal bits give the states.
TEST(EqualBits, StandInForStates) {
  RegimeShape shape;
  shape.tokens = 640;
  const Problem problem =
      regime_problem(*find_regime("rand_b1_a1"), Rule::gated_delta, shape, 1).with_arithmetic("fla-chunk");
  const Outputs outputs = emulated_outputs(problem, false);
  AccuracyOptions alone;
  alone.conformity = false;
  ASSERT_EQ(judge(problem, outputs, alone).status, Status::uninformative);
  const Verdict verdict = judge(problem, outputs);
  EXPECT_EQ(verdict.status, Status::passed) << describe(verdict);
  EXPECT_TRUE(mentions(verdict.bound, "states from the emulation")) << verdict.bound;
  EXPECT_LT(verdict.worst_ratio, 1);
  EXPECT_EQ(verdict.compared, verdict.conformity->bits_compared) << "the emulation's own states are not counted";

  const Outputs damaged = with_changed_o(outputs, [](std::vector<double>& values) {
    values[values.size() - 1] += 0x1p-6;
  });
  EXPECT_NE(judge(problem, damaged).status, Status::passed);
}

// Where even the bound of one chunk says nothing, equal bits are a bound of zero.
TEST(EqualBits, PassWhereTheBoundSaysNothing) {
  RegimeShape shape;
  shape.tokens = 128;
  const Problem problem =
      regime_problem(*find_regime("parallel_b1.98"), Rule::gated_delta, shape, 1).with_arithmetic("fla-chunk");
  const Outputs outputs = emulated_outputs(problem, true);
  AccuracyOptions alone;
  alone.conformity = false;
  ASSERT_EQ(judge(problem, outputs, alone).status, Status::uninformative);
  const Verdict verdict = judge(problem, outputs);
  EXPECT_EQ(verdict.status, Status::passed) << describe(verdict);
  ASSERT_FALSE(verdict.notes.empty());
  EXPECT_TRUE(mentions(verdict.notes.back(), "every bit"));

  const Outputs damaged = with_changed_o(outputs, [](std::vector<double>& values) {
    values[5] += values[5] * 0x1p-6;
  });
  EXPECT_NE(judge(problem, damaged).status, Status::passed);
}

}  // namespace
}  // namespace deltaproof
