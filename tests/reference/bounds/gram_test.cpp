#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "reference/bounds/gram.hpp"
#include "tests/reference/bounds/simulated/gate_scan.hpp"

// Decayed Gram matrices as kernels form them: a dot times e^{G_i - G_j}, and for per-channel decay
// a dot of operands scaled through an anchor, whichever row that is.

namespace deltaproof {
namespace {

using namespace simulated;

constexpr Index C = 24, K = 20;

struct Inputs {
  Matrix q, k, g;
};

Inputs draw(double strength, Index gates, const Format& format, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> deviate;
  std::uniform_real_distribution<double> uniform(-strength, 0);
  Inputs in{Matrix(C, K), Matrix(C, K), Matrix(C, gates)};
  for (Matrix* m : {&in.q, &in.k}) {
    for (Index i = 0; i < m->size(); ++i)
      m->data()[i] = round_to_nearest_even(format, 0.2 * deviate(random));
  }
  for (Index i = 0; i < in.g.size(); ++i) in.g.data()[i] = static_cast<float>(uniform(random));
  return in;
}

Matrix exact(const Matrix& x, const Matrix& k, const Matrix& g) {
  const Matrix G = log_decay(g).sum;
  Matrix result = Matrix::Zero(C, C);
  for (Index i = 0; i < C; ++i) {
    for (Index j = 0; j <= i; ++j) {
      for (Index c = 0; c < K; ++c) {
        result(i, j) +=
            x(i, c) * k(j, c) * std::exp(G(i, g.cols() == 1 ? 0 : c) - G(j, g.cols() == 1 ? 0 : c));
      }
    }
  }
  return result;
}

double worst(const Matrix& value, const Approximate& bound, bool diagonal) {
  double ratio = 0;
  for (Index i = 0; i < C; ++i) {
    for (Index j = 0; j < i + (diagonal ? 1 : 0); ++j) {
      const double error = std::abs(value(i, j) - bound.exact(i, j));
      ratio =
          std::max(ratio, error <= bound.error(i, j) && error == 0 ? 0 : error / bound.error(i, j));
    }
  }
  return ratio;
}

// x e^{G_i - G_n}, or k e^{G_n - G_j}: fp32, rounded as an operand.
Matrix operand(const Matrix& x, const Floats& G, Index anchor, int sign, const Format& format,
               double push) {
  Matrix result(C, K);
  const Exponential exponential{push, false};
  for (Index i = 0; i < C; ++i) {
    for (Index c = 0; c < K; ++c) {
      const float e = exponential(sign > 0 ? G(i, c) - G(anchor, c) : G(anchor, c) - G(i, c));
      result(i, c) = round_to_nearest_even(format, static_cast<float>(x(i, c)) * e);
    }
  }
  return result;
}

// `generic` rounds decayed rows to the input's type; the kernels leave them in fp32, and tf32
// truncates.
struct Anchored {
  const char* arithmetic;
  Format stored;
  Operand operand;
};

TEST(Grams, OfPerChannelDecayHoldForEveryAnchor) {
  for (const double strength : {0.0, 0.05, 1.0, 3.0}) {
    for (const auto& [arithmetic, stored, unit] :
         {Anchored{"fla-kda-chunk", formats::f32, Operand::tf32},
          Anchored{"generic", formats::bf16, Operand::bf16}}) {
      const Inputs in = draw(strength, K, formats::bf16, 3);
      const ChunkFormats formats =
          chunk_formats(arithmetic, rule_info(Rule::vector_decay_delta), formats::bf16, 64).value();
      const double accumulation = accumulation_error(tensor_core("any"), unit, K);
      const Approximate q = exactly(in.q), k = exactly(in.k);
      const Grams bound = per_channel_grams(q, k, k, log_decay(in.g), formats, 1, accumulation);
      EXPECT_LE((bound.queries.exact - exact(in.q, in.k, in.g)).cwiseAbs().maxCoeff(), 0x1p-45);
      const Floats G = prefix_sums(to_floats(in.g), Scan::kogge_stone_32) * log2_e;
      for (Index anchor = 0; anchor < C; ++anchor) {
        for (const double push : {-1.0, 0.0, 1.0}) {
          const Matrix ks = operand(in.k, G, anchor, -1, stored, push);
          for (const bool keys : {true, false}) {
            const Matrix xs = operand(keys ? in.k : in.q, G, anchor, 1, stored, push);
            const Floats value = multiply(to_floats(xs), to_floats(ks), {}, Dots::hopper, unit);
            EXPECT_LE(worst(to_matrix(value), keys ? bound.keys : bound.queries, !keys), 1)
                << arithmetic << " anchor " << anchor << " g " << strength;
          }
        }
      }
    }
  }
}

// f16: fp32 operands of a tf32 product, truncated; an anchor between the two tokens.
TEST(Grams, OfPerChannelDecayHoldForF16InputsMultipliedInTf32) {
  const Inputs in = draw(0.1, K, formats::f16, 9);
  const ChunkFormats formats =
      chunk_formats("fla-gla-chunk", rule_info(Rule::vector_decay), formats::f16, 64).value();
  const Approximate q = exactly(in.q.cwiseAbs()), k = exactly(in.k.cwiseAbs());
  const Grams bound = per_channel_grams(q, k, k, log_decay(in.g), formats, 1,
                                        accumulation_error(tensor_core("any"), Operand::tf32, K));
  const Floats G = prefix_sums(to_floats(in.g), Scan::kogge_stone_32) * log2_e;
  const Floats xs = to_floats(operand(q.exact, G, 12, 1, formats::f32, 0));
  const Floats ks = to_floats(operand(k.exact, G, 12, -1, formats::f32, 0));
  const Matrix value = to_matrix(multiply(xs, ks, {}, Dots::hopper, Operand::tf32));
  EXPECT_LE(worst(value, bound.queries, true), 1);
}

TEST(Grams, OfScalarDecayHold) {
  for (const double strength : {0.0, 0.1, 3.0, 20.0}) {
    const Inputs in = draw(strength, 1, formats::bf16, 4);
    const GateRounding gates{.scan_depth = 10};
    const double accumulation = accumulation_error(tensor_core("any"), Operand::bf16, K);
    const Approximate q = exactly(in.q), k = exactly(in.k);
    const Grams bound = scalar_decay_grams(q, k, k, decay_between(log_decay(in.g), gates),
                                           not_rounded, accumulation);
    const Floats G = prefix_sums(to_floats(in.g), Scan::kogge_stone_32) * log2_e;
    Floats value = multiply(to_floats(in.q), to_floats(in.k), {}, Dots::ampere, Operand::bf16);
    for (Index i = 0; i < C; ++i) {
      for (Index j = 0; j <= i; ++j) value(i, j) *= Exponential{1, false}(G(i, 0) - G(j, 0));
    }
    EXPECT_LE(worst(to_matrix(value), bound.queries, true), 1) << strength;
    EXPECT_EQ(bound.keys.exact(3, 3), 0);
    EXPECT_EQ(bound.queries.exact(3, 4), 0);
  }
}

// Adversary: every operand as far outwards as its truncation might have left it.
TEST(Grams, OfPerChannelDecayAreNearlyAttained) {
  const Inputs in = draw(0.05, K, formats::bf16, 5);
  const ChunkFormats formats =
      chunk_formats("fla-gla-chunk", rule_info(Rule::vector_decay), formats::bf16, 64).value();
  const Approximate q = exactly(in.q.cwiseAbs()), k = exactly(in.k.cwiseAbs());
  const Grams bound = per_channel_grams(q, k, k, log_decay(in.g), formats, 1, 0);
  const Matrix outwards = exact(q.exact * (1 + 0x1p-10), k.exact * (1 + 0x1p-10), in.g);
  EXPECT_LE(worst(outwards, bound.queries, true), 1);
  EXPECT_GT(worst(outwards, bound.queries, true), 0.99);
}

}  // namespace
}  // namespace deltaproof
