// Lemma 4 of docs/certificate.md: the forward bound holds for every evaluation of a step that it
// lists, also where the write is small against v and the state, so that what a chain loses by
// starting from v, or a dense product by passing the state through K sums, stands out.
#include <gtest/gtest.h>

#include <cstdio>

#include "float_kernels.hpp"
#include "heads.hpp"
#include "reference/oracle/outward.hpp"

namespace deltaproof::testing {
namespace {

std::vector<Kernel> evaluations() {
  std::vector<Kernel> all;
  for (const Write write : {Write::after_dot, Write::from_v, Write::b_distributed,
                            Write::b_in_chain, Write::expanded, Write::matrix})
    for (const DecayAt decay : {DecayAt::state, DecayAt::dot, DecayAt::key})
      for (const bool fused : {false, true})
        all.push_back({Sum::sequential, fused, decay, fused, write, fused});
  return all;
}

// A key with one large element before many small ones, values of one size.
HeadInputs small_writes(Rule rule, Index K, double beta, Index V = 100) {
  HeadInputs head = random_head(rule, {.tokens = 3, .K = K, .V = V}, 21);
  head.k *= 1e-3 * std::sqrt(static_cast<double>(K));
  head.k.col(0).setOnes();
  head.k = exact_in_float(head.k);
  head.v = exact_in_float(head.v.unaryExpr([](double x) { return 1 + std::abs(std::sin(x)); }));
  head.write.setConstant(beta);
  head.write = exact_in_float(head.write);
  return head;
}

enum class Bound { forward, in_the_order_of_the_code };

struct Held {
  explicit Held(const HeadInputs& inputs)
      : head(inputs),
        precision(truth_bits),
        truth(update_truth(head)),
        exact(answer_mpfr(head, {.trace = true}, 200)) {}

  template <class F>
  Ratios ratios(const Kernel& kernel, Bound bound = Bound::forward) const {
    RecurrenceRounding rounding;
    rounding.u = std::is_same_v<F, float> ? 0x1p-24 : 0x1p-53;
    rounding.exp_error = (std::is_same_v<F, float> ? 0x1.0001p-24 : 0.0) + 0x1p-51;
    const auto radius = bound == Bound::forward ? &recurrence_radius : &recurrence_radius_of_run;
    return compare(run_kernel<F>(head, kernel),
                   radius(make_steps<double>(head), exact.trace,
                          column_norm_bounds(head.initial_state), rounding, {}),
                   truth);
  }

  template <class F>
  void expect_every_evaluation_inside(const char* name) const {
    Ratios worst;
    for (const Kernel& kernel : evaluations()) {
      const Ratios r = ratios<F>(kernel);
      EXPECT_LE(r.worst(), 1) << name << ": write " << static_cast<int>(kernel.write) << ", decay "
                              << static_cast<int>(kernel.decay) << ", fused " << kernel.fused;
      EXPECT_TRUE(r.certified);
      worst = {std::max(worst.o, r.o), std::max(worst.state, r.state), std::max(worst.u, r.u)};
    }
    std::printf("%-40s error/bound: o %.3f state %.3f u %.3f\n", name, worst.o, worst.state,
                worst.u);
  }

  HeadInputs head;
  WorkingPrecision precision;
  Truth truth;
  HeadAnswer exact;
};

TEST(EvaluationOrders, AllAreInsideWhereWritesAreSmall) {
  for (const Rule rule : {Rule::delta, Rule::gated_delta, Rule::vector_decay_delta})
    for (const Index K : {64, 512})
      for (const double beta : {1e-6, 1e-3, 1.0}) {
        HeadInputs inputs = small_writes(rule, K, beta, K == 512 ? 3 : 20);
        const Held with_state(inputs);
        inputs.initial_state.setZero();
        const Held from_zero(inputs);
        const std::string name = std::string(rule_info(rule).name) + " K = " + std::to_string(K) +
                                 " beta = " + std::to_string(beta);
        for (const Held* held : {&with_state, &from_zero}) {
          held->expect_every_evaluation_inside<double>((name + ", double").c_str());
          held->expect_every_evaluation_inside<float>((name + ", float").c_str());
        }
      }
}

TEST(EvaluationOrders, AllAreInsideWhereWritesAreLarge) {
  for (const NamedHead& named : edge_heads({.tokens = 12}, 22)) {
    if (named.name.find("bits") != std::string::npos) continue;  // not exact in float
    if (named.head.options.rule == Rule::kla) continue;          // its b is not exact
    const Held held(named.head);
    held.expect_every_evaluation_inside<float>(named.name.c_str());
    held.expect_every_evaluation_inside<double>(named.name.c_str());
  }
}

TEST(EvaluationOrders, AdditiveRulesAreInside) {
  for (const Rule rule : {Rule::linear, Rule::scalar_decay, Rule::vector_decay}) {
    const Held held(random_head(rule, {.tokens = 20, .K = 16}, 23));
    for (const DecayAt decay : {DecayAt::state, DecayAt::key})
      for (const bool fused : {false, true}) {
        const Kernel kernel{Sum::sequential, fused, decay, fused, Write::after_dot, fused};
        EXPECT_LE(held.ratios<float>(kernel).worst(), 1);
        EXPECT_LE(held.ratios<double>(kernel).worst(), 1);
      }
  }
}

// Made against a chain that starts from a number in [1, 2): each of the K - 1 terms that follow it,
// b k_i k_j s with s <= 1.5, lies just below half its spacing u and is swallowed. b is a power of
// two, near 1e-6.
HeadInputs swallowed_terms(Index K, double u) {
  HeadInputs head = random_head(Rule::delta, {.tokens = 2, .K = K, .V = 3}, 24);
  const double b = 0x1p-20;
  head.k.setConstant(std::sqrt(0.9 * u / (1.5 * b)));
  head.k = exact_in_float(head.k);
  head.write.setConstant(b);
  head.v.setConstant(1.5);
  return head;
}

template <class F>
void expect_outside_the_order_of_the_code(const HeadInputs& head, Write write) {
  const Held held(head);
  const Kernel kernel{.write = write};
  const Ratios in_order = held.ratios<F>(kernel, Bound::in_the_order_of_the_code);
  const Ratios forward = held.ratios<F>(kernel);
  EXPECT_GT(in_order.worst(), 4);
  EXPECT_LE(forward.worst(), 1);
  EXPECT_GT(forward.worst(), 0.2);
  EXPECT_LE(held.ratios<F>({}, Bound::in_the_order_of_the_code).worst(), 1);
  std::printf("K = %3d, write %d: error/radius in order %.1f, in any order %.2f\n",
              static_cast<int>(head.K), static_cast<int>(write), in_order.worst(), forward.worst());
}

// The radius for the order of the code alone is broken by other orders; the forward bound is not,
// and little of it is unused.
TEST(EvaluationOrders, AChainFromVIsOutsideTheBoundForTheOrderOfTheCode) {
  for (const Index K : {64, 512})
    for (const Write write : {Write::from_v, Write::b_in_chain}) {
      for (const double u : {0x1p-24, 0x1p-53}) {
        HeadInputs head = swallowed_terms(K, u);
        head.initial_state.setZero();  // the first token writes b k v
        head.k.col(0).setOnes();
        if (u == 0x1p-24)
          expect_outside_the_order_of_the_code<float>(head, write);
        else
          expect_outside_the_order_of_the_code<double>(head, write);
      }
    }
}

TEST(EvaluationOrders, ADenseProductIsOutsideTheBoundForTheOrderOfTheCode) {
  for (const Index K : {64, 512}) {
    HeadInputs head = swallowed_terms(K, 0x1p-24);
    head.initial_state.setConstant(1.5);
    expect_outside_the_order_of_the_code<float>(head, Write::matrix);
    head = swallowed_terms(K, 0x1p-53);
    head.initial_state.setConstant(1.5);
    expect_outside_the_order_of_the_code<double>(head, Write::matrix);
  }
}

TEST(EvaluationOrders, AWrongCoefficientIsOutsideInEveryEvaluation) {
  const Held held(small_writes(Rule::gated_delta, 64, 0.5, 6));
  HeadInputs wrong = held.head;
  wrong.write.array() *= 1 + 0x1p-12;
  for (const Kernel& kernel : evaluations()) {
    const KernelRun run = run_kernel<double>(wrong, kernel);
    RecurrenceRounding rounding;
    rounding.u = 0x1p-53;
    rounding.exp_error = 0x1p-51;
    const RecurrenceRadius radius =
        recurrence_radius(make_steps<double>(held.head), held.exact.trace,
                          column_norm_bounds(held.head.initial_state), rounding);
    const Ratios r = compare(run, radius, held.truth);
    EXPECT_GT(r.o, 1);
    EXPECT_GT(r.state, 1);
    EXPECT_GT(r.u, 1);
  }
}

}  // namespace
}  // namespace deltaproof::testing
