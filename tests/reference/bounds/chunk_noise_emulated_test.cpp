// Kernels emulated to the bit against their model: single errors and weighted sums of them.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "reference/arithmetic/emulate.hpp"
#include "reference/oracle/answer.hpp"
#include "tests/reference/bounds/chunk_cases.hpp"

namespace deltaproof {
namespace {

using namespace noise_tests;

struct Kernel {
  const char* text;
  Rule rule;
  const char* regime;
};

constexpr Kernel kernels[] = {{"fla-chunk", Rule::gated_delta, "rand_sig_gdn"},
                              {"fla-chunk", Rule::gated_delta, "strong_decay"},
                              {"fla-chunk", Rule::delta, "rand_b1_a1"},
                              {"fla-chunk", Rule::gated_delta, "cancel_v=Wk"},
                              {"nvlabs-chunk", Rule::gated_delta, "rand_sig_gdn"},
                              {"nvlabs-chunk", Rule::delta, "b_0.02_a1"},
                              {"fla-simple-gla-chunk", Rule::scalar_decay, "rand_sig_gdn"},
                              {"fla-simple-gla-chunk", Rule::linear, "rand_b1_a1"}};

struct Sample {
  Noise noise;
  Matrix exact, error;
  bool truncates = true;  // operands of the merge
};

struct Samples {
  Sample o, state;
};

// One emulated chunk.
Samples sample(const Kernel& kernel, std::uint64_t seed) {
  ChunkCase c = chunk_case(kernel.text, kernel.rule, kernel.regime, {64, 16, 8}, seed);
  const Declared declared = built_in(kernel.text, kernel.rule).value();
  const Resolved resolved = resolve(declared, formats::bf16, formats::bf16, false, false, true);
  const Emulation run = emulate(resolved, c.head, 64, true);
  const HeadAnswer exact = answer_double(c.head, {.every = 64, .trace = false, .u = false});
  c.noise.o.random.push_back(rounding_noise("stored type", {}, {}, exact.o, nearest(formats::bf16)));
  const bool truncates = declared.merge == Merge::tf32_truncated;
  return {{c.noise.o, exact.o, run.o.cast<double>() - exact.o, truncates},
          {c.noise.state, exact.states[0], run.states[0].cast<double>() - exact.states[0], truncates}};
}

// The error beyond what the kernel's known roundings make: it makes the first of each.
Matrix random_part(const Sample& s) {
  Matrix rest = s.error;
  for (const KnownRounding& known : s.noise.known) {
    if (known.name != "merge, mean" || s.truncates) rest -= known.effects.front();
  }
  return rest;
}

// Mean over the elements of one chunk of the squares of errors in standard deviations.
double energy(const Sample& s) { return random_part(s).cwiseAbs2().cwiseQuotient(s.noise.variance()).mean(); }

struct Mean {
  double mean = 0, standard_error = 0;
};

Mean mean_of(const std::vector<double>& x) {
  const Eigen::Map<const Eigen::ArrayXd> values(x.data(), static_cast<Index>(x.size()));
  const double n = static_cast<double>(x.size()), mean = values.mean();
  return {mean, std::sqrt((values - mean).square().sum() / (n * (n - 1)))};
}

// The expectation is at most 1; the chunks' means are independent, and their spread tells how far their mean may be
// off. Not far below 1, or the model would see nothing: 0.1.
TEST(EmulatedChunks, AreSpreadAsTheModelSays) {
  constexpr std::uint64_t chunks = 20;
  for (const Kernel& kernel : kernels) {
    SCOPED_TRACE(std::string(kernel.text) + ", " + kernel.regime);
    std::vector<double> o, state;
    for (std::uint64_t seed = 1; seed <= chunks; ++seed) {
      const Samples s = sample(kernel, seed);
      o.push_back(energy(s.o));
      state.push_back(energy(s.state));
    }
    const Mean of_o = mean_of(o), of_state = mean_of(state);
    EXPECT_LE(of_o.mean, 1 + 3 * of_o.standard_error);
    EXPECT_LE(of_o.mean, 1.05);
    EXPECT_GE(of_o.mean, 0.1);
    EXPECT_LE(of_state.mean, 1 + 3 * of_state.standard_error);
    // The state of an additive rule has no random rounding to 16 bits: only sums in fp32, within their worst case.
    if (rule_info(kernel.rule).residual) {
      EXPECT_GE(of_state.mean, 0.1);
    }
    // Half the variance would not do, but where the model is wide.
    if (of_o.mean > 0.8) {
      EXPECT_GT(2 * of_o.mean, 1 + 6 * of_o.standard_error);
    }
  }
}

// The standardised slope of an error on the right answer, w = x / variance, as the tier weighs it.
double slope(const Sample& s, const Matrix& error, bool nearest) {
  const Matrix w = s.exact.cwiseQuotient(s.noise.variance());
  const ProjectedNoise p = project(s.noise, w);
  const double along = w.cwiseProduct(error).sum();
  return (along - (nearest ? p.nearest_known(along) : 0)) / std::sqrt(p.variance);
}

// n squares of independent values with sub-Gaussian variance 1: their mean exceeds 1 + 2 sqrt(x / n) + 2 x / n with
// probability e^-x at most (Laurent and Massart 2000, lemma 1, which holds for sub-Gaussian values); here 10^-6.
TEST(EmulatedChunks, HaveSlopesAsTheModelSays) {
  constexpr int n = 200;
  const double x = std::log(1e6), limit = 1 + 2 * std::sqrt(x / n) + 2 * x / n;
  for (const Kernel& kernel : {kernels[0], kernels[4], kernels[6]}) {
    SCOPED_TRACE(std::string(kernel.text) + ", " + kernel.regime);
    double nearest = 0, known = 0, of_state = 0, scaled = 0;
    for (int seed = 1; seed <= n; ++seed) {
      const Samples s = sample(kernel, static_cast<std::uint64_t>(1000 + seed));
      nearest += std::pow(slope(s.o, s.o.error, true), 2) / n;
      known += std::pow(slope(s.o, random_part(s.o), false), 2) / n;
      of_state += std::pow(slope(s.state, s.state.error, true), 2) / n;
      scaled += std::pow(slope(s.o, random_part(s.o) + 0.0003 * s.o.exact, false), 2) / n;
    }
    EXPECT_LE(nearest, limit);
    EXPECT_LE(known, limit);
    EXPECT_LE(of_state, limit);
    EXPECT_GE(known, 0.1);
    EXPECT_GT(scaled, limit);  // o off by a factor 1.0003
  }
}

}  // namespace
}  // namespace deltaproof
