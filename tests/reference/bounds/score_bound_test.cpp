#include "reference/bounds/score_bound.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "properties/regimes/families.hpp"
#include "tests/reference/bounds/hola_runs.hpp"

// docs/read-bound.md, 1: what the built-in kernels write, and its scores, against the bounds, with states carried on.

namespace deltaproof {
namespace {

struct Ratio {
  Index values = 0, outside = 0, unbounded = 0;
  double worst = 0;

  void add(const Matrix& value, const Matrix& exact, const Matrix& radius, const Matrix& bound) {
    for (Index i = 0; i < value.size(); ++i) {
      const double allowed = bound.data()[i], error = std::abs(value.data()[i] - exact.data()[i]) - radius.data()[i];
      ++values;
      unbounded += !std::isfinite(allowed);
      outside += error > allowed;
      if (allowed > 0 && std::isfinite(allowed)) worst = std::max(worst, error / allowed);
    }
  }
};

Matrix bound_of_scores(const HolaRun& run, const char* arithmetic, const Format& input) {
  const bool of_e = run.kernel.inputs.options.hola.score == CacheScore::e;
  HeadInputs head = run.kernel.inputs;
  head.normalised_in_fp32 = true;
  return score_bound(head, of_e ? run.answer.e : run.answer.u, of_e ? run.answer.e_radius : run.answer.u_radius,
                     run.bound.u.sum(head.tokens, head.V), score_formats(arithmetic, formats::f32), input);
}

void print(const std::string& what, const Ratio& ratio) {
  std::cout << what << ": " << ratio.values << " values, worst error / bound " << ratio.worst << ", without bound "
            << ratio.unbounded << '\n';
}

// Every family, with both kernels, on both states and in both types.
template <class Visit>
void over_runs(CacheScore score, Visit&& visit) {
  std::uint64_t seed = 0;
  for (const Regime& regime : regimes()) {
    for (const char* arithmetic : {"deltaproof-recurrent", "deltaproof-chunk"}) {
      if (score == CacheScore::e && arithmetic == std::string_view("deltaproof-chunk")) continue;
      ++seed;
      const Rule state = seed % 4 < 2 ? Rule::gated_delta : Rule::kla;
      const Dtype input = seed % 3 == 0 ? Dtype::f32 : Dtype::bf16;
      visit(run_hola(
                {.regime = regime.name, .arithmetic = arithmetic, .state_rule = state, .input = input, .score = score},
                seed),
            arithmetic, dtype_format(input));
    }
  }
}

TEST(WrittenBound, HoldsForTheBitsOfU) {
  Ratio recurrent, chunk;
  over_runs(CacheScore::beta_e, [&](const HolaRun& run, const char* arithmetic, const Format&) {
    Ratio& ratio = arithmetic == std::string_view("deltaproof-chunk") ? chunk : recurrent;
    ratio.add(run.kernel.state.written.cast<double>(), run.answer.u, run.answer.u_radius, run.bound.u.sum(40, 6));
  });
  print("U, recurrent", recurrent);
  print("U, chunk", chunk);
  EXPECT_EQ(recurrent.outside + chunk.outside, 0);
}

TEST(WrittenBound, HoldsForTheBitsOfE) {
  Ratio ratio;
  over_runs(CacheScore::e, [&](const HolaRun& run, const char*, const Format&) {
    ratio.add(run.kernel.state.residual.cast<double>(), run.answer.e, run.answer.e_radius, run.bound.u.sum(40, 6));
  });
  print("e, recurrent", ratio);
  EXPECT_EQ(ratio.outside, 0);
}

// A state that decays, each exponential off by nearly 2^-21 and all one way: what is read from it by -b k is off as much.
TEST(WrittenBound, OfAPureDecayIsNearlyAttained) {
  HeadInputs head;
  head.options.rule = Rule::gated_delta;
  head.options.scale = 1;
  head.tokens = 64, head.K = head.V = 1;
  head.q = head.k = Matrix::Constant(64, 1, 0.0078125);
  head.v = Matrix::Zero(64, 1);
  head.write = Matrix::Constant(64, 1, 0.0078125);
  head.g = Matrix::Constant(64, 1, static_cast<double>(-0.001f));
  head.initial_state = Matrix::Constant(1, 1, 1.5);
  const HeadAnswer answer = answer_mpfr(head, {.every = 16, .u = true, .e = true}, 200);
  for (const WrittenBound written : {WrittenBound::written, WrittenBound::residual}) {
    const Matrix bound = head_bound("deltaproof-recurrent", BoundChoice::Kind::token, head, answer, 16, formats::f32,
                                    Matrix(), tensor_core("any"), false, written)
                             .u.sum(64, 1);
    Matrix value(64, 1);
    float S = 1.5f;
    const float k = 0.0078125f, b = written == WrittenBound::written ? 0.0078125f : 1.0f;
    for (Index t = 0; t < 64; ++t) {
      S *= static_cast<float>(std::exp(static_cast<double>(-0.001f)) * (1 + 0.85 * 0x1p-21));
      const float e = 0.0f - k * S;
      value(t, 0) = static_cast<double>(b * e);
      S = std::fma(k, 0.0078125f * e, S);
    }
    Ratio whole, quarter;
    const bool u = written == WrittenBound::written;
    whole.add(value, u ? answer.u : answer.e, u ? answer.u_radius : answer.e_radius, bound);
    quarter.add(value, u ? answer.u : answer.e, u ? answer.u_radius : answer.e_radius, bound / 4);
    print("a pure decay", whole);
    EXPECT_EQ(whole.outside, 0);
    EXPECT_GT(quarter.outside, 0);
  }
}

// What is rounded to bf16 for further use is not U.
TEST(WrittenBound, SeesARoundedU) {
  const HolaRun run = run_hola({.regime = "rand_sig_gdn"}, 2);
  const Matrix rounded = run.kernel.state.written.cast<double>().unaryExpr(
      [](double x) { return round_to_nearest_even(formats::bf16, x); });
  Ratio ratio;
  ratio.add(rounded, run.answer.u, run.answer.u_radius, run.bound.u.sum(40, 6));
  EXPECT_GT(ratio.outside, 0);
}

// Nobody pays who does not ask, and what is asked for changes nothing else.
TEST(WrittenBound, IsLeftOutUnlessAskedFor) {
  const HolaRun run = run_hola({}, 3);
  for (const auto kind : {BoundChoice::Kind::token, BoundChoice::Kind::chunk, BoundChoice::Kind::fp64}) {
    const auto bound = [&](WrittenBound written) {
      return head_bound("deltaproof-chunk", kind, run.state, run.answer, 16, formats::bf16, Matrix(),
                        tensor_core("any"), false, written);
    };
    const HeadBound without = bound(WrittenBound::none), with = bound(WrittenBound::written),
                    of_e = bound(WrittenBound::residual);
    EXPECT_TRUE(without.u.list().empty());
    EXPECT_TRUE(without.o.sum(40, 6).isApprox(with.o.sum(40, 6), 0x1p-45));  // sums in another order
    EXPECT_TRUE(without.states[0].sum(16, 6).isApprox(with.states[0].sum(16, 6), 0x1p-45));
    EXPECT_TRUE(with.u.sum(40, 6).allFinite());
    EXPECT_TRUE((with.u.sum(40, 6).array() > 0).all());
    EXPECT_TRUE((of_e.u.sum(40, 6).array() > 0).all());
  }
}

// An inexact initial state reaches U through k^T S.
TEST(WrittenBound, CarriesTheStatesError) {
  const HolaRun run = run_hola({}, 3);
  for (const auto kind : {BoundChoice::Kind::token, BoundChoice::Kind::chunk}) {
    const auto bound = [&](const Matrix& initial) {
      return head_bound("deltaproof-chunk", kind, run.state, run.answer, 16, formats::bf16, initial, tensor_core("any"),
                        false, WrittenBound::written)
          .u.sum(40, 6)
          .eval();
    };
    const Matrix moved = Matrix::Constant(16, 6, 0.25);
    HeadInputs other = run.state;
    other.initial_state += moved;
    const HeadAnswer there = answer_mpfr(other, {.u = true}, 200);
    const Matrix change = (there.u - run.answer.u).cwiseAbs(), larger = bound(moved) - bound(Matrix());
    EXPECT_TRUE((change.array() <= larger.array() * (1 + 1e-12) + 0x1p-40).all());
    EXPECT_GT(change.maxCoeff(), 0.01);
  }
}

TEST(ScoreBound, HoldsForTheBitsOfEveryScore) {
  struct Kind {
    CacheScore score;
    const char* name;
  };
  for (const Kind kind : {Kind{CacheScore::beta_e, "beta_e"},
                          {CacheScore::write_norm, "write_norm"},
                          {CacheScore::e, "e"},
                          {CacheScore::beta_v, "beta_v"},
                          {CacheScore::recency, "recency"}}) {
    Ratio ratio;
    over_runs(kind.score, [&](const HolaRun& run, const char* arithmetic, const Format& input) {
      const Matrix bound = bound_of_scores(run, arithmetic, input);
      ratio.add(run.scores(), run.exact.score, run.exact.score_radius, bound);
    });
    print(kind.name, ratio);
    EXPECT_EQ(ratio.outside, 0) << kind.name;
  }
}

// |e| without b, the score of another kind, a factor of 1 + 2^-6: outside.
TEST(ScoreBound, SeesAnotherScore) {
  const HolaRun run = run_hola({}, 4);
  const Matrix bound = bound_of_scores(run, "deltaproof-recurrent", formats::bf16);
  Ratio without_b, scaled;
  without_b.add(run.kernel.state.residual.rowwise().norm().cast<double>(), run.exact.score, run.exact.score_radius,
                bound);
  scaled.add(run.scores() * (1 + 0x1p-6), run.exact.score, run.exact.score_radius, bound);
  EXPECT_EQ(without_b.outside, 40);
  EXPECT_EQ(scaled.outside, 40);
}

// One element and one channel, so that nothing but the root, the sum and the export are rounded: a quarter is not enough.
TEST(ScoreBound, IsNearlyAttainedByTheExport) {
  HeadInputs head = run_hola({}, 1).kernel.inputs;
  head.tokens = head.V = 1;
  const Matrix u = Matrix::Constant(1, 1, 1 + 0x1.fp-9), none = Matrix::Zero(1, 1);
  const Matrix bound = score_bound(head, u, {}, none, score_formats("deltaproof-chunk", formats::bf16), formats::bf16);
  const double error = std::abs(round_to_nearest_even(formats::bf16, u(0, 0)) - u(0, 0));
  EXPECT_LE(error, bound(0, 0));
  EXPECT_GT(error, bound(0, 0) / 4);
}

// Where squares underflow, the norm of what is left is 0: the bound is of the size of the norm, not a share of it.
TEST(ScoreBound, ChargesSquaresThatUnderflow) {
  HeadInputs head = run_hola({}, 1).kernel.inputs;
  head.tokens = 1, head.V = 6;
  for (const double size : {0x1p-149, 0x1p-100, 0x1p-70, 0x1p-64, 0x1p-60, 0x1p-50, 0x1p63, 0x1p64}) {
    const Matrix u = Matrix::Constant(1, 6, size), none = Matrix::Zero(1, 6);
    const Matrix bound = score_bound(head, u, {}, none, score_formats("deltaproof-chunk", formats::f32), formats::bf16);
    float sum = 0;
    for (Index i = 0; i < 6; ++i) {
      const auto x = static_cast<float>(size);
      const float square = x * x < 0x1p-126f ? 0 : x * x;
      sum += square;
    }
    const double error = std::abs(static_cast<double>(std::sqrt(sum)) - u.norm());
    EXPECT_TRUE(error <= bound(0, 0)) << size << ' ' << error << ' ' << bound(0, 0);
    EXPECT_EQ(std::isinf(bound(0, 0)), size >= 0x1p63) << size;
  }
}

TEST(ScoreBound, OfAttentionNothingIsKnown) {
  HeadInputs head = run_hola({}, 1).kernel.inputs;
  head.options.hola.score = CacheScore::attention;
  EXPECT_TRUE(std::isinf(score_bound(head, {}, {}, {}, {}, formats::bf16)(0, 0)));
}

TEST(ScoreBound, PlacesAreExactUpToTheSignificandOfTheType) {
  HeadInputs head = run_hola({}, 1).kernel.inputs;
  head.options.hola.score = CacheScore::recency;
  head.tokens = 600;
  EXPECT_EQ(score_bound(head, {}, {}, {}, score_formats("deltaproof-chunk", formats::f32), formats::bf16).maxCoeff(), 0);
  const Matrix in_bf16 = score_bound(head, {}, {}, {}, score_formats("deltaproof-chunk", formats::bf16), formats::bf16);
  for (Index t = 0; t < 600; ++t) {
    const double place = static_cast<double>(t);
    EXPECT_LE(std::abs(round_to_nearest_even(formats::bf16, place) - place), in_bf16(t, 0));
  }
  EXPECT_GE(in_bf16(599, 0), 1);
}

}  // namespace
}  // namespace deltaproof
