// Known roundings of the model of a chunk kernel: functions of the inputs, against the derivative of the text of that
// kernel, in bf16 and in TF32.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/reference/bounds/known_roundings.hpp"

namespace deltaproof {
namespace {

using namespace noise_tests;

// As in chunk_noise_test.cpp.
constexpr double agreement = 0x1p-30;

// What a known rounding says of one output.
struct Said {
  std::vector<Matrix> effects;
  Matrix rehearsal;  // of what is ambiguous
  Matrix reach;      // how far that may be off
};

Said said_of(const Noise& noise, const std::string& name, const ChunkCase& c, std::size_t choices) {
  const Matrix none = Matrix::Zero(noise.worst.rows(), noise.worst.cols());
  Said said{std::vector<Matrix>(choices, none), none, none};
  if (const KnownRounding* known = find_known(noise, name)) said.effects = known->effects;
  for (const NoiseSource* s : either_way(noise, name)) {
    said.rehearsal += of_source(s, s->rehearsal, none.rows(), none.cols());
    const Matrix half = s->variance.cwiseSqrt();
    said.reach += product(product(s->left.cwiseAbs(), half), s->right.cwiseAbs());
  }
  // A half width of the Gram product is the root of a sum of K squares, what the errors do a sum.
  if (name == "b k") said.reach *= std::sqrt(static_cast<double>(c.in.k.cols()));
  return said;
}

std::size_t choices_of(const ChunkCase& c, const std::string& name) {
  const KnownRounding *o = find_known(c.noise.o, name), *state = find_known(c.noise.state, name);
  return o != nullptr ? o->effects.size() : state != nullptr ? state->effects.size() : 0;
}

// The same texts for inputs with ties: every fifth token has keys and values that are powers of two and b halfway
// between two numbers in bf16; the decay before the last token is nearly so, too.
std::vector<ChunkCase> chunk_cases_with_ties() {
  std::vector<ChunkCase> cases = chunk_cases();
  const auto power_of_two = [](double x) { return std::copysign(std::exp2(std::round(std::log2(std::abs(x)))), x); };
  for (ChunkCase& c : cases) {
    c.name += ", ties";
    const Index last = c.in.k.rows() - 1;
    for (Index i = last - 1; i >= 0; i -= 5) {
      c.in.b(i, 0) = i % 2 == 0 ? 1 + 0x1p-8 : 1 + 3 * 0x1p-8;
      c.in.k.row(i) = c.in.k.row(i).unaryExpr(power_of_two).eval();
      c.in.v.row(i) = c.in.v.row(i).unaryExpr(power_of_two).eval();
    }
    // Nearer to a tie than a decay is accurate, but on one side of it in double.
    if (rule_info(c.rule).decay != Decay::none) c.g(last, 0) = std::log((1 + 0x1p-8 + 0x1p-30) / 2);
    c.in.decay = log_decay(c.g);
    c.noise = chunk_noise(c.in, c.formats, tensor_core("hopper"));
  }
  return cases;
}

// With what the ambiguous values are rehearsed to add, the first effect is that of the exact values' rounding.
TEST(KnownNoise, RoundsToItsFormatAsExactValuesDo) {
  std::set<std::string> moved, rehearsed;
  std::vector<ChunkCase> cases = chunk_cases(), more = chunk_cases_with_ties();
  cases.insert(cases.end(), more.begin(), more.end());
  for (const ChunkCase& c : cases) {
    EXPECT_LE(c.noise.condition, 64);  // as agreement assumes
    for (const Expected& e : known_of(c)) {
      SCOPED_TRACE(c.name + ": " + e.source);
      const std::size_t choices = choices_of(c, e.source);
      ASSERT_GE(choices, 2u);
      const Derivative d = derivative(c, e.place, By::rounding);
      const Said o = said_of(c.noise.o, e.source, c, choices), state = said_of(c.noise.state, e.source, c, choices);
      EXPECT_LE(distance(o.effects.front() + o.rehearsal, d.outputs.o), agreement);
      EXPECT_LE(distance(state.effects.front() + state.rehearsal, d.outputs.state), agreement);
      if (!d.outputs.o.isZero(0) || !d.outputs.state.isZero(0)) moved.insert(e.source);
      if (!o.rehearsal.isZero(0) || !state.rehearsal.isZero(0)) rehearsed.insert(e.source);
    }
  }
  EXPECT_EQ(moved, (std::set<std::string>{"P", "b k", "b k e^G", "b v", "k e^{..}", "q scale", "state copy",
                                          "v, scaled"}));
  EXPECT_EQ(rehearsed, (std::set<std::string>{"P", "b k", "b k e^G", "b v", "k e^{..}", "v, scaled"}));
}

void expect_within(const Matrix& found, const Matrix& exact, const Matrix& reach, Index& compared) {
  const double size = exact.cwiseAbs().maxCoeff();
  for (Index i = 0; i < exact.size(); ++i) {
    const double within = reach.data()[i];
    EXPECT_LE(std::abs(found.data()[i] - exact.data()[i]), within + agreement * size) << i;
    if (within == 0 && exact.data()[i] != 0) ++compared;
  }
}

// The second effect, except as far as something ambiguous reaches: not at all for many elements of each rounding.
TEST(KnownNoise, RoundsToNearestInTF32) {
  std::map<std::string, Index> compared;
  for (const ChunkCase& c : chunk_cases()) {
    for (const Expected& e : known_of(c)) {
      SCOPED_TRACE(c.name + ": " + e.source);
      const std::size_t choices = choices_of(c, e.source);
      ASSERT_GE(choices, 2u);
      const Derivative d = derivative(c, e.place, By::rounding_to_tf32);
      const Said o = said_of(c.noise.o, e.source, c, choices), state = said_of(c.noise.state, e.source, c, choices);
      expect_within(o.effects[1], d.outputs.o, o.reach, compared[e.source]);
      expect_within(state.effects[1], d.outputs.state, state.reach, compared[e.source]);
    }
  }
  for (const auto& [name, elements] : compared) EXPECT_GE(elements, 10) << name;
}

// b k e^G, rounded once, or b k before its decay, or both. Each is a factor of affine outputs, so that what the whole
// rounding does is its derivative.
TEST(KnownNoise, HasBothRoundingsOfTheKeys) {
  const ChunkCase c = chunk_case("fla-chunk", Rule::gated_delta, "rand_sig_gdn", {50}, 2, true);
  const KnownRounding *o = find_known(c.noise.o, "b k e^G"), *state = find_known(c.noise.state, "b k e^G");
  ASSERT_TRUE(o != nullptr && state != nullptr);
  ASSERT_TRUE(either_way(c.noise.o, "b k e^G").empty());
  ASSERT_EQ(o->effects.size(), 4u);
  ASSERT_EQ(state->effects.size(), 4u);
  Place both = Place::at(Point::k_beta);
  both.also = Point::k_beta_decayed;
  const std::pair<Place, By> ways[] = {{Place::at(Point::k_beta_decayed), By::rounding},
                                       {Place::at(Point::k_beta_decayed), By::rounding_to_tf32},
                                       {Place::at(Point::k_beta), By::rounding},
                                       {both, By::rounding}};
  for (std::size_t i = 0; i < 4; ++i) {
    const Outputs d = difference(c, ways[i].first, ways[i].second);
    EXPECT_LE(distance(o->effects[i], d.o), agreement) << i;
    EXPECT_LE(distance(state->effects[i], d.state), agreement) << i;
  }
  const ChunkCase once = chunk_case("fla-chunk", Rule::gated_delta, "rand_sig_gdn", {50}, 2, false);
  EXPECT_EQ(find_known(once.noise.o, "b k e^G")->effects.size(), 2u);
}

// A format as fine as TF32 has no second choice, and truncation to bf16 has.
TEST(KnownNoise, IsInTF32WhereThatIsFiner) {
  ChunkCase c = chunk_case("fla-chunk", Rule::gated_delta, "rand_sig_gdn", {20}, 2);
  const auto choices = [&](const Rounding& point) {
    c.formats.rv = c.formats.state_copy = point;
    c.noise = chunk_noise(c.in, c.formats, tensor_core("hopper"));
    const std::size_t of_b_v = choices_of(c, "b v");
    EXPECT_EQ(choices_of(c, "state copy"), of_b_v);
    return of_b_v;
  };
  EXPECT_EQ(choices(nearest(formats::bf16)), 2u);
  EXPECT_EQ(choices(nearest(formats::f16)), 1u);  // 11 bits, as TF32
  EXPECT_EQ(choices(nearest(formats::tf32)), 1u);
  EXPECT_EQ(choices(not_rounded), 0u);
}

}  // namespace
}  // namespace deltaproof
