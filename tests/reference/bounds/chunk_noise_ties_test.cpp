// Known roundings of single numbers at and near ties, by hand: the middle of both neighbours is known, half their
// distance is not.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/reference/bounds/known_roundings.hpp"

namespace deltaproof {
namespace {

using namespace noise_tests;

// A number and what is known of rounding it. bf16 has steps of 2^-7 from 1 on, TF32 of 2^-10.
struct Number {
  double x;
  double in_bf16, in_tf32;  // errors known
  double half_width;
  double rehearsal;  // with `in_bf16`: the error of x
};

constexpr double e8 = 0x1p-8, e11 = 0x1p-11, e14 = 0x1p-14, e23 = 0x1p-23, e24 = 0x1p-24, e26 = 0x1p-26;
constexpr Number numbers[] = {
    {1.5, 0, 0, 0, 0},
    {1 + e8, 0, 0, e8, -e8},             // a tie: 1 is even
    {1 + 3 * e8, 0, 0, e8, e8},          // 1 + 2^-6 is even
    {-2 - 6 * e8, 0, 0, 2 * e8, -2 * e8},
    {1 + e8 + e26, -e26, -e26, e8, e8},  // nearer to a tie than fp32 is accurate: rounded up, or down
    {1 + e8 - e26, e26, e26, e8, -e8},
    {1 + e8 + e14, e8 - e14, -e14, 0, 0},
    {1 + e11, -e11, 0, e11, 0},          // a tie in TF32
    {1 - e11 / 2, e11 / 2, 0, e11 / 2, 0},
    {1 + e11 + e26, -e11 - e26, -e26, e11, 0},
    {1 + e11 - e14, -e11 + e14, -e11 + e14, 0, 0}};

// One token, channel and column of ones: q k = 1, no decay.
struct One {
  ChunkInput in;
  ChunkFormats formats;

  One(std::string_view text, Rule rule) : formats(chunk_formats(text, rule_info(rule), formats::bf16, 64).value()) {
    in.q = in.k = in.v = in.b = Matrix::Ones(1, 1);
    in.decay = log_decay(Matrix::Zero(1, 1));
    in.residual = rule_info(rule).residual;
    in.state = Matrix::Zero(1, 1);
  }
};

double effect(const NoiseSource& s, const Matrix& d) { return of_source(&s, d, 1, 1)(0, 0); }

// `factor`: what an error of the number does to the output; `times`: of the variance.
void expect_known(const One& one, bool in_state, const std::string& name, const Number& number, double factor,
                  double times = 1) {
  SCOPED_TRACE(testing::Message() << name << std::hexfloat << " " << number.x);
  const ChunkNoise chunk = chunk_noise(one.in, one.formats, tensor_core("hopper"));
  const Noise& noise = in_state ? chunk.state : chunk.o;
  const KnownRounding* known = find_known(noise, name);
  ASSERT_TRUE(known != nullptr);
  ASSERT_GE(known->effects.size(), 2u);
  EXPECT_EQ(known->effects[0](0, 0), factor * number.in_bf16);
  EXPECT_EQ(known->effects[1](0, 0), factor * number.in_tf32);
  const std::vector<const NoiseSource*> ambiguous = either_way(noise, name);
  EXPECT_EQ(ambiguous.empty(), number.half_width == 0);
  double variance = 0, rehearsal = 0;
  for (const NoiseSource* s : ambiguous) {
    variance += s->variance.sum() * std::pow(effect(*s, Matrix::Ones(1, 1)), 2);
    rehearsal += effect(*s, s->rehearsal);
  }
  EXPECT_DOUBLE_EQ(variance, times * std::pow(factor * number.half_width, 2));
  EXPECT_EQ(rehearsal, factor * number.rehearsal);
}

TEST(Ties, OfWrittenValues) {
  for (const char* text : {"fla-chunk", "nvlabs-chunk"}) {
    One one(text, Rule::delta);
    const auto expect = [&](const Number& number) {
      one.in.v(0, 0) = number.x;
      for (const bool in_state : {false, true}) expect_known(one, in_state, "b v", number, 1);
    };
    for (const Number& number : numbers) expect(number);
    // One product in fp32, with an error of at most 2^-24 of 1 + 2^-8.
    expect({1 + e8 + e24, -e24, -e24, e8, e8});
    expect({1 + e8 + e23, e8 - e23, -e23, 0, 0});
  }
}

TEST(Ties, OfDecayedKeys) {
  One one("fla-chunk", Rule::delta);
  one.in.v.setZero();
  one.in.state(0, 0) = 2;  // read with each key, and taken off
  for (const Number& number : numbers) {
    one.in.b(0, 0) = number.x;
    for (const bool in_state : {false, true}) expect_known(one, in_state, "b k e^G", number, -2);
  }
}

// Three places for one error: three times the variance.
TEST(Ties, OfKeysTimesB) {
  One one("nvlabs-chunk", Rule::delta);
  one.in.v.setZero();
  one.in.state(0, 0) = 2;
  for (const Number& number : numbers) {
    one.in.b(0, 0) = number.x;
    for (const bool in_state : {false, true}) expect_known(one, in_state, "b k", number, -2, 3);
  }
}

TEST(Ties, OfScaledKeys) {
  One one("nvlabs-chunk", Rule::delta);
  one.in.v(0, 0) = 4;
  for (const Number& number : numbers) {
    one.in.k(0, 0) = number.x;
    expect_known(one, true, "k e^{..}", number, 4);
  }
}

TEST(Ties, OfScaledValues) {
  One one("fla-simple-gla-chunk", Rule::linear);
  one.in.k(0, 0) = -2;
  for (const Number& number : numbers) {
    one.in.v(0, 0) = number.x;
    expect_known(one, true, "v, scaled", number, -2);
  }
}

// However inaccurate the decay, that of a token from itself is e^0 = 1.
TEST(Ties, OfAttention) {
  One one("fla-simple-gla-chunk", Rule::scalar_decay);
  one.in.v(0, 0) = 4;
  for (const double g : {0.0, -512.0}) {
    one.in.decay = log_decay(Matrix::Constant(1, 1, g));
    for (const double scale : {1.0, -0.125}) {
      one.in.scale = scale;
      for (const Number& number : numbers) {
        one.in.q(0, 0) = number.x;
        expect_known(one, false, "P", number, 4 * scale);
      }
    }
  }
}

// The state is an exact input, and so is q for its product with a power of two: ties go to the even number.
TEST(Ties, OfExactInputsAreKnown) {
  constexpr Number exact_numbers[] = {{1.5, 0, 0, 0, 0},
                                      {1 + e8, -e8, 0, 0, 0},
                                      {1 + 3 * e8, e8, 0, 0, 0},
                                      {1 + e8 + e26, e8 - e26, -e26, 0, 0},
                                      {-1 - e11, e11, e11, 0, 0},
                                      {1 + 3 * e11, -3 * e11, e11, 0, 0},
                                      {1 + e11 + e26, -e11 - e26, e11 - e26, 0, 0}};
  for (const Number& number : exact_numbers) {
    One reads("fla-simple-gla-chunk", Rule::linear);
    reads.in.state(0, 0) = number.x;
    reads.in.q(0, 0) = 4;
    expect_known(reads, false, "state copy", number, 4);
    One asks("nvlabs-chunk", Rule::delta);
    asks.in.k.setZero();  // of no effect through P
    asks.in.scale = 0.5;
    asks.in.q(0, 0) = number.x;
    asks.in.state(0, 0) = 4;
    expect_known(asks, false, "q scale", number, 2);
  }
}

// Errors of b k move L = b k k^T: two ties of 1 + 2^-8 against a key (3, 4), with half the weight after a decay of
// 1/2, and with all of it in the inverse without decay.
TEST(Ties, OfKeysTimesBInTheGramProduct) {
  for (const bool merged : {false, true}) {
    ChunkInput in;
    in.q = in.v = Matrix::Ones(2, 2);
    in.k = Matrix::Ones(2, 2);
    in.k.row(0) << 3, 4;
    in.b = Matrix::Ones(2, 1);
    in.b(1, 0) = 1 + e8;
    Matrix g = Matrix::Zero(2, 1);
    g(1, 0) = std::log(0.5);
    in.decay = log_decay(g);
    in.state = Matrix::Ones(2, 2);
    const char* text = merged ? "generic" : "nvlabs-chunk";
    const ChunkFormats f = chunk_formats(text, rule_info(Rule::gated_delta), formats::bf16, 64).value();
    const ChunkNoise noise = chunk_noise(in, f, tensor_core("hopper"));
    const double times = merged ? 1 : 3;
    const auto expect = [&](const NoiseSource* s, double half_width, double rehearsal) {
      ASSERT_TRUE(s != nullptr);
      Matrix variance = Matrix::Zero(2, 2), rehearsed = variance;
      variance(1, 0) = times * half_width * half_width;
      rehearsed(1, 0) = rehearsal;
      EXPECT_LE(distance(s->variance, variance), 0x1p-50) << s->name;
      EXPECT_LE(distance(s->rehearsal, rehearsed), 0x1p-50) << s->name;
    };
    for (const Noise* output : {&noise.o, &noise.state}) {
      expect(find(*output, "b k, either way"), 5 * e8 / 2, -7 * e8 / 2);
      const NoiseSource* without_decay = find(*output, "b k in the inverse of w, either way");
      if (!merged) expect(without_decay, 5 * e8, -7 * e8); else EXPECT_EQ(without_decay, nullptr);
    }
  }
}

}  // namespace
}  // namespace deltaproof
