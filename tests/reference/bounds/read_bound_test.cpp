#include "reference/bounds/read_bound.hpp"

#include <gtest/gtest.h>

#include <iostream>

#include "properties/regimes/families.hpp"
#include "properties/regimes/generator.hpp"
#include "reference/arithmetic/hola_bits.hpp"
#include "tests/reference/bounds/simulated/read_kernel.hpp"

// docs/read-bound.md, Theorem 3: simulated kernels stay inside, and some come near.

namespace deltaproof {
namespace {

using namespace simulated;

struct Ratio {
  Index values = 0, outside = 0, unbounded = 0;
  double worst = 0;

  void add(const Matrix& value, const Matrix& exact, const Matrix& bound) {
    for (Index i = 0; i < value.size(); ++i) {
      const double allowed = bound.data()[i], error = std::abs(value.data()[i] - exact.data()[i]);
      ASSERT_FALSE(std::isnan(allowed));
      ++values;
      if (std::isinf(allowed)) {
        ++unbounded;
        continue;
      }
      outside += !(error <= allowed + 0x1p-52 * std::abs(exact.data()[i]));  // exact is rounded to double
      worst = std::max(worst, allowed > 0 ? error / allowed : 0);
    }
  }
};

struct Case {
  HeadInputs head;
  CacheSets sets;
};

double rounded_to(Dtype dtype, double x) {
  return dtype == Dtype::f32 ? x : round_to_nearest_even(dtype_format(dtype), x);
}

// Keys and values of any family; rows of gamma times `sharpness`; sets of random scores.
Case draw_case(std::uint64_t seed, Dtype input, double sharpness) {
  Generator draw(seed, {7});
  const auto families = regimes();
  const Regime& regime = families[static_cast<std::size_t>(draw.integer(0, static_cast<int>(families.size()) - 1))];
  const Index w = draw.integer(0, 12), C = draw.integer(1, 24), K = draw.integer(1, 3) == 1 ? draw.integer(1, 4) : 32;
  Case c{regime_head(regime, Rule::hola,
                     {.tokens = draw.integer(1, 60), .K = K, .V = 5, .input = input, .cache_size = w, .cache_block = C},
                     seed),
         {}};
  HeadInputs& head = c.head;
  head.options.hola.read = draw.integer(0, 3) == 0 ? CacheRead::l2 : CacheRead::rmsnorm;
  head.gamma_q *= sharpness;
  head.gamma_k *= sharpness;
  head.cache_gate = static_cast<float>(draw.uniform(-6, 6));
  head.sink = static_cast<float>(draw.uniform(-3, 8));
  if (draw.integer(0, 3) == 0) head.options.hola.tau = draw.uniform(0.1, 4);
  std::vector<double> scores;
  for (Index t = 0; t < head.tokens; ++t) scores.push_back(draw.uniform());
  c.sets = online_sets(scores, w, C);
  return c;
}

Matrix bound_of(const Case& c, const ReadFormats& formats) {
  return read_bound(c.head, c.sets, formats, false).sum(c.head.tokens, c.head.V);
}

ReadFormats formats_for(const char* name, const Case& c, const Format& input) {
  return read_formats(name, c.head, input, input, tensor_core("any"));
}

TEST(ReadBound, HoldsForTheBuiltInKernelsBits) {
  for (const double sharpness : {1.0, 4.0}) {
    Ratio ratio;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
      const Case c = draw_case(seed, seed % 2 == 0 ? Dtype::bf16 : Dtype::f32, sharpness);
      HolaHead head;
      head.inputs = c.head;
      head.rows = c.sets;
      Matrix value = hola_reads(head).cast<double>(), exact = exact_reads(c.head, c.sets);
      const auto gate = static_cast<float>(c.head.cache_gate);
      const auto s = static_cast<double>(1.0f / (1.0f + std::exp2(-gate * 1.4426950408889634f)));
      ratio.add(s * value, exact, bound_of(c, formats_for("deltaproof-chunk", c, formats::f32)));
    }
    EXPECT_EQ(ratio.outside, 0);
    EXPECT_EQ(ratio.unbounded, 0);
    std::cout << "built-in, gamma times " << sharpness << ": " << ratio.values << " values, worst error / bound "
              << ratio.worst << '\n';
  }
}

std::vector<ReadKernel> kernels_in_fp32() {
  using Push = ReadKernel::Push;
  return {{},
          {.push = 0.85},
          {.push = -0.85},
          {.push = 0.85, .pushed = Push::random},
          {.push = 0.85, .pushed = Push::spread},
          {.fused = false, .factor_after_dot = false, .push = -0.85, .pushed = Push::spread},
          {.two_passes = true}};
}

std::vector<ReadKernel> foreign_kernels(const Format& input) {
  const bool narrow = input.significant_bits < 24;
  const Rounding r = narrow ? nearest(input) : truncated(formats::tf32);
  const Rounding value = narrow ? not_rounded : r, stored = narrow ? r : not_rounded;
  std::vector<ReadKernel> kernels;
  for (const bool base_two : {false, true}) {
    for (const Index tile : {1, 7, 100}) {
      kernels.push_back({.tile = tile,
                         .shuffled = true,
                         .base_two = base_two,
                         .push = 0.85,
                         .pushed = ReadKernel::Push::random,
                         .rows = r,
                         .weight = r,
                         .value = value});
    }
  }
  kernels.push_back({.two_passes = true,
                     .shuffled = true,
                     .fused = false,
                     .rows = r,
                     .logit = stored,
                     .weight = r,
                     .value = value,
                     .read = stored});
  kernels.push_back({.shuffled = true,
                     .normalises_first = true,
                     .rows = r,
                     .logit = stored,
                     .weight = r,
                     .value = value,
                     .read = stored});
  kernels.push_back({.shuffled = true, .factor_after_dot = false, .push = -0.85});
  return kernels;
}

Ratio over_kernels(const char* name, Dtype input, double sharpness, const std::vector<ReadKernel>& kernels,
                   double shrink = 1) {
  Ratio ratio;
  const Format& format = dtype_format(input);
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const Case c = draw_case(seed, input, rounded_to(input, sharpness));
    const Matrix exact = exact_reads(c.head, c.sets), bound = bound_of(c, formats_for(name, c, format)) / shrink;
    for (const ReadKernel& kernel : kernels) ratio.add(run_reads(kernel, c.head, c.sets, seed), exact, bound);
  }
  return ratio;
}

TEST(ReadBound, HoldsForEveryOrderOfTheBuiltInArithmetic) {
  for (const double sharpness : {1.0, 4.0}) {
    const Ratio ratio = over_kernels("deltaproof-recurrent", Dtype::bf16, sharpness, kernels_in_fp32());
    EXPECT_EQ(ratio.outside, 0);
    std::cout << "fp32, gamma times " << sharpness << ": " << ratio.values << " values, worst " << ratio.worst << '\n';
  }
}

TEST(ReadBound, HoldsForForeignKernels) {
  for (const Dtype input : {Dtype::bf16, Dtype::f16, Dtype::f32}) {
    for (const double sharpness : {1.0, 4.0}) {
      const Ratio ratio = over_kernels("generic", input, sharpness, foreign_kernels(dtype_format(input)));
      EXPECT_EQ(ratio.outside, 0);
      std::cout << dtype_name(input) << ", gamma times " << sharpness << ": " << ratio.values << " values, worst "
                << ratio.worst << ", without bound " << ratio.unbounded << '\n';
    }
  }
}

// Two entries of opposite values below the sink, exponentials pushed apart: errors that align.
Case two_entries(double q) {
  Case c{regime_head(*find_regime("rand_sig_gdn"), Rule::hola,
                     {.tokens = 2, .K = 1, .V = 1, .cache_size = 0, .cache_block = 2}, 1),
         {{}}};
  c.head.q.setConstant(q);
  c.head.k << 1, -1;
  c.head.v << 1, -1;
  c.head.gamma_q.setConstant(0.125);
  c.head.gamma_k.setConstant(0.125);
  c.head.sink = 0.5;
  c.head.cache_gate = 8;
  return c;
}

TEST(ReadBound, AQuarterOfItIsNotEnough) {
  Ratio quarter, whole;
  for (const double push : {0.85, -0.85}) {
    const Case c = two_entries(1);
    const ReadKernel kernel{.push = push, .pushed = ReadKernel::Push::spread};
    const Matrix value = run_reads(kernel, c.head, c.sets, 1), exact = exact_reads(c.head, c.sets);
    const Matrix bound = bound_of(c, formats_for("deltaproof-chunk", c, formats::f32));
    whole.add(value, exact, bound);
    quarter.add(value, exact, bound / 4);
  }
  std::cout << "aligned exponentials: error / bound " << whole.worst << '\n';
  EXPECT_EQ(whole.outside, 0);
  EXPECT_GT(quarter.outside, 0);
}

// Kernels that round to bf16 are outside a bound for fp32, and those of bf16 outside a quarter of it.
TEST(ReadBound, SeesRoundingsThatWereNotDeclared) {
  EXPECT_GT(over_kernels("deltaproof-chunk", Dtype::bf16, 1, foreign_kernels(formats::bf16)).outside, 0);
  const Ratio quarter = over_kernels("generic", Dtype::bf16, 1, foreign_kernels(formats::bf16), 4);
  EXPECT_GT(quarter.outside, 0) << quarter.worst / 4;
}

// |z| to 1e5 and beyond the range of fp32, sinks and gates likewise, values to 1e37 and subnormal: large or infinite,
// never NaN.
TEST(ReadBound, HoldsAtTheEdgesOfFp32) {
  Ratio ratio;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Generator draw(seed, {9});
    Case c = draw_case(seed, Dtype::f32, std::exp2(draw.integer(-60, 63)));
    c.head.v *= std::exp2(draw.integer(-140, 120));
    c.head.v = c.head.v.unaryExpr([](double x) { return static_cast<double>(static_cast<float>(x)); });
    if (!(c.head.v.cwiseAbs().maxCoeff() < 1e38)) c.head.v *= 0x1p-30;
    c.head.sink = std::exp2(draw.integer(-4, 16)) * (draw.integer(0, 1) == 0 ? -1 : 1);
    c.head.cache_gate = draw.integer(-110, 110);
    const Matrix exact = exact_reads(c.head, c.sets),
                 bound = bound_of(c, formats_for("deltaproof-chunk", c, formats::f32));
    ratio.add(run_reads({}, c.head, c.sets, seed), exact, bound);
  }
  std::cout << "edges: " << ratio.values << " values, worst " << ratio.worst << ", without bound " << ratio.unbounded
            << '\n';
  EXPECT_EQ(ratio.outside, 0);
  EXPECT_LT(ratio.unbounded, ratio.values / 2);
}

TEST(ReadBound, OfRowsWithoutEpsilonThatAreZeroIsInfinite) {
  Case c = two_entries(1);
  c.head.options.hola.read_eps = 0;
  c.head.k.setZero();
  const Matrix bound = bound_of(c, formats_for("deltaproof-chunk", c, formats::f32));
  EXPECT_TRUE(std::isinf(bound(0, 0)));
}

TEST(ReadBound, TermsApartAddUp) {
  const Case c = draw_case(5, Dtype::bf16, 1);
  const ReadFormats formats = formats_for("generic", c, formats::bf16);
  const Terms apart = read_bound(c.head, c.sets, formats, true);
  const Matrix whole = bound_of(c, formats);
  EXPECT_EQ(apart.list().size(), 4u);
  EXPECT_LE((apart.sum(whole.rows(), whole.cols()) - whole).cwiseAbs().maxCoeff(), 0x1p-45 * whole.maxCoeff());
}

// A query's bound does not know what comes after it.
TEST(ReadBound, IsCausal) {
  Case c = draw_case(8, Dtype::bf16, 1);
  const Matrix before = bound_of(c, formats_for("generic", c, formats::bf16));
  const Index last = c.head.tokens - 1;
  c.head.v.row(last) *= 0x1p60;
  c.head.k.row(last) *= -3;
  const Matrix after = bound_of(c, formats_for("generic", c, formats::bf16));
  EXPECT_EQ(before.topRows(last), after.topRows(last));
  EXPECT_NE(before.row(last), after.row(last));
}

// o as the built-in kernels store it: the state's o rounded to bf16, then one fused multiply-add.
TEST(ReadBound, TheSumsOwnRoundingsAreCharged) {
  Index outside = 0, without = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Case c = draw_case(seed, Dtype::bf16, 1);
    const ReadFormats formats = formats_for("deltaproof-chunk", c, formats::bf16);
    const Matrix read = exact_reads(c.head, c.sets), added = run_reads({}, c.head, c.sets, seed),
                 bound = bound_of(c, formats);
    const Matrix state = Matrix::Random(read.rows(), read.cols());
    const Matrix sums = sum_bound(state.cwiseAbs(), read.cwiseAbs() + bound, formats);
    for (Index i = 0; i < read.size(); ++i) {
      const double stored = round_to_nearest_even(formats::bf16, state.data()[i]);
      const double sum = static_cast<double>(static_cast<float>(stored + added.data()[i]));
      const double error = std::abs(sum - (state.data()[i] + read.data()[i]));
      outside += !(error <= bound.data()[i] + sums.data()[i]);
      without += !(error <= bound.data()[i]);
    }
  }
  EXPECT_EQ(outside, 0);
  EXPECT_GT(without, 0);
}

}  // namespace
}  // namespace deltaproof
