// Theorem 2 of docs/certificate.md: the forward bound holds for any order of summation, fused or
// not, and for the other associations that kernels use. The kernels here share no code with the
// oracle.
#include <gtest/gtest.h>

#include <cstdio>

#include "float_kernels.hpp"
#include "heads.hpp"
#include "reference/oracle/outward.hpp"
#include "truth.hpp"

namespace deltaproof::testing {
namespace {

std::vector<Kernel> kernels() {
  std::vector<Kernel> all;
  for (const Sum sum : {Sum::sequential, Sum::reversed, Sum::pairwise, Sum::four_lanes})
    for (const bool fused : {false, true})
      for (const bool moved : {false, true})
        all.push_back({sum, fused, moved ? DecayAt::dot : DecayAt::state, moved});
  return all;
}

// exp (2 ulp of double) and b (a sum of K squares, an addition, a division) are formed in double
// and, for float, rounded once more.
RecurrenceRounding rounding_of(double u, const HeadInputs& head) {
  RecurrenceRounding rounding;
  rounding.u = u;
  const double more = u > 0x1p-53 ? u * (1 + 0x1p-20) : 0;
  rounding.exp_error = more + 0x1p-51;
  if (head.options.rule == Rule::kla)
    rounding.b_error = more + gamma_bound(static_cast<double>(head.K) + 3, 0x1p-53) * (1 + 0x1p-20);
  return rounding;
}

template <class F>
Ratios hold_kernels_against_bound(const NamedHead& named, double u, double shrink = 1) {
  SCOPED_TRACE(named.name);
  const WorkingPrecision precision(truth_bits);
  const Truth truth = update_truth(named.head);
  const HeadAnswer exact = answer_mpfr(named.head, {.trace = true}, 200);
  RecurrenceRounding rounding = rounding_of(u, named.head);
  rounding.u /= shrink;
  rounding.exp_error /= shrink;
  rounding.b_error /= shrink;
  const RecurrenceRadius radius =
      recurrence_radius(make_steps<double>(named.head), exact.trace,
                        column_norm_bounds(named.head.initial_state), rounding);
  Ratios worst;
  for (const Kernel& kernel : kernels()) {
    const Ratios ratios = compare(run_kernel<F>(named.head, kernel), radius, truth);
    worst = {std::max(worst.o, ratios.o), std::max(worst.state, ratios.state),
             std::max(worst.u, ratios.u), ratios.certified && worst.certified};
  }
  std::printf("%-40s error/bound: o %.3f state %.3f u %.3f\n", named.name.c_str(), worst.o,
              worst.state, worst.u);
  return worst;
}

std::vector<NamedHead> heads() {
  std::vector<NamedHead> all;
  for (const Rule rule : {Rule::linear, Rule::scalar_decay, Rule::vector_decay, Rule::delta,
                          Rule::gated_delta, Rule::kla, Rule::vector_decay_delta})
    for (const Shape shape : {Shape{64, 16, 6}, {200, 4, 6}, {16, 128, 3}, {20, 1, 4}})
      all.push_back({std::string(rule_info(rule).name) + " K=" + std::to_string(shape.K),
                     random_head(rule, shape, 11)});
  return all;
}

TEST(ForwardBound, HoldsForFloatKernelsInAnyOrder) {
  for (const NamedHead& named : heads()) {
    const Ratios ratios = hold_kernels_against_bound<float>(named, 0x1p-24);
    EXPECT_LE(ratios.worst(), 1) << named.name;
    EXPECT_TRUE(ratios.certified);
  }
}

TEST(ForwardBound, HoldsForDoubleKernelsInAnyOrder) {
  for (const NamedHead& named : heads()) {
    const Ratios ratios = hold_kernels_against_bound<double>(named, 0x1p-53);
    EXPECT_LE(ratios.worst(), 1) << named.name;
    EXPECT_TRUE(ratios.certified);
  }
}

TEST(ForwardBound, HoldsWhereFloatUnderflows) {
  for (const double size : {0x1p-100, 0x1p-125, 0x1p-140}) {
    NamedHead named{"v and state x 2^" + std::to_string(std::ilogb(size)),
                    random_head(Rule::gated_delta, {}, 12)};
    named.head.v = exact_in_float(named.head.v * size);
    named.head.initial_state = exact_in_float(named.head.initial_state * size);
    EXPECT_LE(hold_kernels_against_bound<float>(named, 0x1p-24).worst(), 1);
  }
}

TEST(ForwardBound, HoldsAtTheEdges) {
  for (NamedHead& named : edge_heads({.tokens = 12}, 13)) {
    if (named.name.find("bits") != std::string::npos)
      continue;  // those sizes are not exact in float
    EXPECT_LE(hold_kernels_against_bound<float>(named, 0x1p-24).worst(), 1) << named.name;
  }
}

TEST(ForwardBound, ASixtyFourthOfItIsViolated) {
  const NamedHead named{"gated_delta, u / 64", random_head(Rule::gated_delta, {40, 2, 8}, 14)};
  const Ratios ratios = hold_kernels_against_bound<float>(named, 0x1p-24, 64);
  EXPECT_GT(ratios.o, 1);
  EXPECT_GT(ratios.state, 1);
  EXPECT_GT(ratios.u, 1);
}

TEST(ForwardBound, CoarserArithmeticIsOutside) {
  // A float kernel is not what a bound for double allows.
  const HeadInputs head = random_head(Rule::gated_delta, {}, 15);
  EXPECT_GT(hold_kernels_against_bound<float>({"float against 2^-53", head}, 0x1p-53).worst(), 1);
}

TEST(ForwardBound, CarriesTheRadiusOfTheInitialState) {
  // The kernel starts from a state that is off by a known amount, along one channel of each column.
  const WorkingPrecision precision(truth_bits);
  const HeadInputs head = random_head(Rule::delta, {.tokens = 8}, 16);
  const Truth truth = update_truth(head);
  const HeadAnswer exact = answer_mpfr(head, {.trace = true}, 200);
  const auto radius = [&](const RowVector& initial) {
    return recurrence_radius(make_steps<double>(head), exact.trace,
                             column_norm_bounds(head.initial_state), rounding_of(0x1p-24, head),
                             initial);
  };
  HeadInputs moved = head;
  moved.initial_state.row(3).array() += 0x1p-10;
  const KernelRun run = run_kernel<float>(moved, {});
  EXPECT_LE(
      compare(run, radius(RowVector::Constant(head.V, 0x1p-10 * (1 + 0x1p-10))), truth).worst(), 1);
  EXPECT_GT(compare(run, radius({}), truth).worst(), 1);
}

TEST(ForwardBound, IsInfiniteForWhatCannotBeBounded) {
  const HeadInputs head = random_head(Rule::gated_delta, {.tokens = 4}, 17);
  const HeadAnswer exact = answer_double(head, {.trace = true});
  const RowVector initial = column_norm_bounds(head.initial_state);
  const Steps<double> steps = make_steps<double>(head);
  const auto infinite = [](const RecurrenceRadius& radius, Index t) {
    return (radius.o.row(t).array() == HUGE_VAL).all() &&
           (radius.state.row(t).array() == HUGE_VAL).all();
  };
  RecurrenceRounding coarse;
  coarse.u = 0.1;
  EXPECT_TRUE(infinite(recurrence_radius(steps, exact.trace, initial, coarse), 0));
  NormTrace broken = exact.trace;
  broken.state.row(1).setConstant(std::nan(""));
  const RecurrenceRadius radius =
      recurrence_radius(steps, broken, initial, rounding_of(0x1p-53, head));
  EXPECT_FALSE(infinite(radius, 0));
  for (Index t = 1; t < 4; ++t) EXPECT_TRUE(infinite(radius, t));
  Steps<double> bad = steps;
  bad.k[static_cast<std::size_t>(2 * head.K)] = std::nan("");
  EXPECT_TRUE(
      infinite(recurrence_radius(bad, exact.trace, initial, rounding_of(0x1p-53, head)), 2));
  bad = steps;
  bad.alpha[3] = std::nan("");
  EXPECT_TRUE(
      infinite(recurrence_radius(bad, exact.trace, initial, rounding_of(0x1p-53, head)), 3));
  bad = steps;
  bad.b[0] = std::nan("");
  EXPECT_TRUE(
      infinite(recurrence_radius(bad, exact.trace, initial, rounding_of(0x1p-53, head)), 0));
}

}  // namespace
}  // namespace deltaproof::testing
