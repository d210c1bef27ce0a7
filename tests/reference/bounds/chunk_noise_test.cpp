// Each source of the model of a chunk kernel against the derivative of the text of that kernel: a text that is exact
// but for what one rounding point, or one sum, adds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "reference/arithmetic/texts.hpp"
#include "tests/reference/bounds/chunk_cases.hpp"

namespace deltaproof {
namespace {

using namespace noise_tests;
using Kind = Place::Kind;

// The model's double arithmetic: at most 2^6 operations for each element of T, on terms at most 2^6 times as large
// (the condition of the solve, below 2^6 here), each within 2^-53: an element is known to 2^-41 of its size, its
// rounding error (at most 2^-8 of it, taken as 2^-9 of the largest) to 2^-32, and a few more products.
constexpr double agreement = 0x1p-30;
constexpr double largest_condition = 64;

// What a source of the model says about a place, as an output moves with it.
struct Expected {
  std::string source;
  Place place;
};

// Roundings to 16 bits that depend on the state: `source` has them as left d right.
std::vector<Expected> roundings_of(const ChunkCase& c) {
  if (c.declared.text == "fla-chunk") {
    return {{"T", Place::at(Point::T)}, {"u", Place::at(Point::u)}, {"w", Place::at(Point::w)},
            {"v_new", Place::at(Point::v_new)}, {"v_new, scaled", Place::at(Point::v_scaled)}};
  }
  if (c.declared.text == "nvlabs-chunk") {
    std::vector<Expected> list = {{"u", Place::at(Point::u)}, {"w", Place::at(Point::w)},
                                  {"w e^G", Place::at(Point::w_decayed)}, {"v_new", Place::at(Point::v_new)},
                                  {"P", Place::at(Point::P)}};
    if (rule_info(c.rule).decay == Decay::none) {  // one T, which is made twice
      list.push_back({"T", Place::at(Point::T, -1)});
    } else {
      list.insert(list.end(), {{"T", Place::at(Point::T, 0)}, {"T, without decay", Place::at(Point::T, 1)}});
    }
    return list;
  }
  return {};
}

// Roundings of what is known: `source` has the effect itself, its first one.
std::vector<Expected> known_of(const ChunkCase& c) {
  const std::vector<Expected> always = {{"state copy", Place::at(Point::state_copy)}};
  std::vector<Expected> more;
  if (c.declared.text == "fla-chunk") {
    more = {{"b v", Place::at(Point::v_beta)}, {"b k e^G", Place::at(Point::k_beta_decayed)}};
  } else if (c.declared.text == "nvlabs-chunk") {
    more = {{"b v", Place::at(Point::v_beta)}, {"b k", Place::at(Point::k_beta)},
            {"k e^{..}", Place::at(Point::k_scaled)}, {"q scale", Place::at(Point::q_scaled)}};
  }
  more.insert(more.end(), always.begin(), always.end());
  return more;
}

// Sums in fp32. `sum of k k^T` is given for the product before its decay and b.
std::vector<Expected> sums_of(const ChunkCase& c) {
  std::vector<Expected> sums = {{"sum of q S", Place::at(Product::q_state)}, {"sum of P v", Place::at(Product::p_v)},
                                {"sum of q k^T", Place::at(Product::scores)},
                                {"sum of the state", Place::at(Product::state)}};
  if (!c.in.residual) return sums;
  sums.insert(sums.end(), {{"sum of k k^T", Place::at(Product::gram)}, {"sum of u", Place::at(Product::u)},
                           {"sum of w", Place::at(Product::w)}, {"sum of w S", Place::at(Product::w_state)}});
  return sums;
}

// Sources that tests of their own look at.
const std::set<std::string> elsewhere = {
    "P", "P, either way", "sums of the inverse", "sums of the inverse, without decay", "scan, read", "scan, written",
    "merge: L", "merge: X", "merge: diagonal", "merge: product",
    "merge: product next to the diagonal", "merge, mean", "v, scaled",
    "v, scaled, either way"};

Matrix of_source(const NoiseSource* s, const Matrix& d, Index rows, Index cols) {
  return s == nullptr ? Matrix(Matrix::Zero(rows, cols)) : product(product(s->left, d), s->right);
}

// The error of a place as the model's source takes it.
Matrix as_the_model_has_it(const ChunkCase& c, const Expected& e, const Matrix& disturbance) {
  Matrix between(c.in.k.rows(), c.in.k.rows());  // e^{G_i - G_j}
  for (Index i = 0; i < between.rows(); ++i) {
    for (Index j = 0; j < between.cols(); ++j) {
      between(i, j) = std::exp(c.in.decay.sum(i, 0) - c.in.decay.sum(j, 0));
    }
  }
  const Matrix from_start = c.in.decay.sum.array().exp();
  const double scale = c.formats.scale == ChunkFormats::Scale::query ? 1 : c.in.scale;
  if (e.source == "sum of k k^T") {
    const Matrix L = disturbance.cwiseProduct(between).triangularView<Eigen::StrictlyLower>();
    return c.declared.text == "nvlabs-chunk" ? L : Matrix(c.in.b.col(0).asDiagonal() * L);
  }
  if (e.source == "sum of q k^T") {
    return scale * Matrix(disturbance.cwiseProduct(between).triangularView<Eigen::Lower>());
  }
  if (e.source == "sum of q S") return scale * (from_start.col(0).asDiagonal() * disturbance);
  if (e.source == "sum of P v") return scale * disturbance;
  if (e.source == "sum of w S") return -disturbance;
  if (e.source == "sum of w" && c.declared.text == "nvlabs-chunk") {
    return from_start.col(0).asDiagonal() * disturbance;
  }
  return disturbance;
}

TEST(ChunkNoiseModel, IsOfWellConditionedChunks) {
  for (const ChunkCase& c : chunk_cases()) EXPECT_LE(c.noise.condition, largest_condition) << c.name;
}

TEST(ChunkNoiseModel, CarriesEachRoundingToTheOutputs) {
  for (const ChunkCase& c : chunk_cases()) {
    for (const Expected& e : roundings_of(c)) {
      SCOPED_TRACE(c.name + ": " + e.source);
      const Derivative d = derivative(c, e.place, By::rounding);
      const NoiseSource *o = find(c.noise.o, e.source), *state = find(c.noise.state, e.source);
      ASSERT_TRUE(o != nullptr || state != nullptr);
      for (const NoiseSource* s : {o, state}) {
        if (s == nullptr) continue;
        EXPECT_LE(distance(s->rehearsal, d.disturbance), agreement);
        const Matrix square = s->rehearsal.cwiseAbs2();
        EXPECT_TRUE((square.array() <= 3 * (1 + agreement) * s->variance.array()).all());  // within +-h
      }
      EXPECT_GT(d.disturbance.cwiseAbs().maxCoeff(), 0);
      EXPECT_LE(distance(of_source(o, d.disturbance, c.in.v.rows(), c.in.v.cols()), d.outputs.o), agreement);
      EXPECT_LE(distance(of_source(state, d.disturbance, c.in.k.cols(), c.in.v.cols()), d.outputs.state), agreement);
    }
  }
}

TEST(ChunkNoiseModel, KnowsWhatRoundingTheInputsDoes) {
  for (const ChunkCase& c : chunk_cases()) {
    for (const Expected& e : known_of(c)) {
      SCOPED_TRACE(c.name + ": " + e.source);
      const Derivative d = derivative(c, e.place, By::rounding);
      const KnownRounding *o = find_known(c.noise.o, e.source), *state = find_known(c.noise.state, e.source);
      ASSERT_TRUE(o != nullptr || state != nullptr);
      const Matrix no_o = Matrix::Zero(c.in.v.rows(), c.in.v.cols());
      const Matrix no_state = Matrix::Zero(c.in.k.cols(), c.in.v.cols());
      EXPECT_LE(distance(o == nullptr ? no_o : o->effects.front(), d.outputs.o), agreement);
      EXPECT_LE(distance(state == nullptr ? no_state : state->effects.front(), d.outputs.state), agreement);
    }
  }
}

TEST(ChunkNoiseModel, CarriesEachSumToTheOutputs) {
  for (const ChunkCase& c : chunk_cases()) {
    for (const Expected& e : sums_of(c)) {
      SCOPED_TRACE(c.name + ": " + e.source);
      const Derivative d = derivative(c, e.place, By::random_numbers);
      const Matrix x = as_the_model_has_it(c, e, d.disturbance);
      const NoiseSource *o = find(c.noise.o, e.source), *state = find(c.noise.state, e.source);
      ASSERT_TRUE(o != nullptr || state != nullptr);
      for (const NoiseSource* s : {o, state}) {  // nothing is without variance that the sum can move
        if (s == nullptr) continue;
        EXPECT_TRUE(((x.array() == 0) || (s->variance.array() > 0)).all());
      }
      EXPECT_LE(distance(of_source(o, x, c.in.v.rows(), c.in.v.cols()), d.outputs.o), agreement);
      EXPECT_LE(distance(of_source(state, x, c.in.k.cols(), c.in.v.cols()), d.outputs.state), agreement);
    }
  }
}

// A source, or a rounding point of a text, that no test above looks at is new.
TEST(ChunkNoiseModel, HasNoSourceThatIsNotTested) {
  for (const ChunkCase& c : chunk_cases()) {
    std::set<std::string> tested = elsewhere;
    std::set<Point> points = {Point::q, Point::k, Point::o, Point::P};
    if (!c.in.residual) points.insert(Point::v_scaled);
    if (c.declared.text == "fla-chunk") points.insert(Point::k_beta);  // KnowsBothRoundingsOfTheKeys
    for (const auto& table : {roundings_of(c), known_of(c), sums_of(c)}) {
      for (const Expected& e : table) {
        tested.insert(e.source);
        if (e.place.kind == Kind::point) points.insert(e.place.point);
      }
    }
    for (const Noise* noise : {&c.noise.o, &c.noise.state}) {
      for (const NoiseSource& s : noise->random) EXPECT_TRUE(tested.contains(s.name)) << c.name << ": " << s.name;
      for (const KnownRounding& k : noise->known) EXPECT_TRUE(tested.contains(k.name)) << c.name << ": " << k.name;
    }
    for (const Point point : find_text(c.declared.text)->points) {
      EXPECT_TRUE(points.contains(point)) << c.name << ": point " << static_cast<int>(point);
    }
  }
}

// b k e^G, rounded once, or b k before its decay, or both. Each is a factor of affine outputs, so that what the whole
// rounding does is its derivative.
TEST(ChunkNoiseModel, KnowsBothRoundingsOfTheKeys) {
  const ChunkCase c = chunk_case("fla-chunk", Rule::gated_delta, "rand_sig_gdn", {50}, 2, true);
  const KnownRounding *o = find_known(c.noise.o, "b k e^G"), *state = find_known(c.noise.state, "b k e^G");
  ASSERT_TRUE(o != nullptr && state != nullptr);
  ASSERT_EQ(o->effects.size(), 3u);
  ASSERT_EQ(state->effects.size(), 3u);
  Place both = Place::at(Point::k_beta);
  both.also = Point::k_beta_decayed;
  const Place places[] = {Place::at(Point::k_beta_decayed), Place::at(Point::k_beta), both};
  for (std::size_t i = 0; i < 3; ++i) {
    const Outputs d = difference(c, places[i], By::rounding);
    EXPECT_LE(distance(o->effects[i], d.o), agreement) << i;
    EXPECT_LE(distance(state->effects[i], d.state), agreement) << i;
  }
  const ChunkCase once = chunk_case("fla-chunk", Rule::gated_delta, "rand_sig_gdn", {50}, 2, false);
  EXPECT_EQ(find_known(once.noise.o, "b k e^G")->effects.size(), 1u);
}

// rest = d right, where d is within +-half, and zero where half is. Solves for the elements of d that are not zero.
void expect_within(const Matrix& rest, const Matrix& half, const Matrix& right, double rounding_level,
                   Index& ambiguous) {
  for (Index i = 0; i < rest.rows(); ++i) {
    std::vector<Index> columns;
    for (Index j = 0; j < half.cols(); ++j) {
      if (half(i, j) > 0) columns.push_back(j);
    }
    SCOPED_TRACE(i);
    ambiguous += static_cast<Index>(columns.size());
    if (columns.empty()) {
      EXPECT_LE(rest.row(i).cwiseAbs().maxCoeff(), rounding_level);
      continue;
    }
    ASSERT_LT(static_cast<Index>(columns.size()), rest.cols());  // fewer unknowns than equations
    const Matrix values = right(columns, Eigen::all).transpose();
    const Vector d = values.colPivHouseholderQr().solve(rest.row(i).transpose());
    EXPECT_LE((values * d - rest.row(i).transpose()).cwiseAbs().maxCoeff(), rounding_level);
    for (std::size_t n = 0; n < columns.size(); ++n) {
      EXPECT_LE(std::abs(d(static_cast<Index>(n))), half(i, columns[n]) + rounding_level);
    }
  }
}

// P, and what an additive rule writes, are functions of the inputs: rounded as the exact values are, unless errors in
// fp32 may carry them to the next number. There the effect is that of the middle of all they may be, and the source
// `.., either way` has half their range.
TEST(ChunkNoiseModel, KnowsTheRoundingOfPButWhereItIsAmbiguous) {
  Index ambiguous = 0;
  for (const ChunkCase& c : chunk_cases()) {
    SCOPED_TRACE(c.name);
    if (c.declared.text == "nvlabs-chunk") continue;  // which has rounded q before
    const Derivative d = derivative(c, Place::at(Point::P), By::rounding);
    const NoiseSource* either = find(c.noise.o, "P, either way");
    ASSERT_TRUE(either != nullptr);
    const Matrix rest = d.outputs.o - find_known(c.noise.o, "P")->effects.front();
    expect_within(rest, either->variance.cwiseSqrt(), either->right, agreement * d.outputs.o.cwiseAbs().maxCoeff(),
                  ambiguous);
    EXPECT_TRUE(d.outputs.state.isZero(0));
  }
  EXPECT_GT(ambiguous, 0);
}

TEST(ChunkNoiseModel, KnowsTheRoundingOfScaledInputsButWhereItIsAmbiguous) {
  Index ambiguous = 0;
  for (const ChunkCase& c : chunk_cases()) {
    if (c.in.residual) continue;
    SCOPED_TRACE(c.name);
    const Derivative d = derivative(c, Place::at(Point::v_scaled), By::rounding);
    const NoiseSource* either = find(c.noise.state, "v, scaled, either way");
    ASSERT_TRUE(either != nullptr);
    const Matrix rest = d.outputs.state - find_known(c.noise.state, "v, scaled")->effects.front();
    const double size = std::max(1.0, d.outputs.state.cwiseAbs().maxCoeff());  // without decay nothing is rounded
    expect_within(rest.transpose(), either->variance.cwiseSqrt().transpose(), either->left.transpose(),
                  agreement * size, ambiguous);
    EXPECT_TRUE(d.outputs.o.isZero(0));
  }
  EXPECT_GT(ambiguous, 0);
}

TEST(ChunkNoiseModel, CarriesTheErrorsOfTheInverse) {
  for (const ChunkCase& c : chunk_cases()) {
    if (!c.in.residual) continue;
    const bool two = c.declared.text == "nvlabs-chunk";
    std::vector<std::pair<std::string, Place>> inverses;
    if (two) {
      inverses = {{"sums of the inverse", Place::at(Kind::inverse, 0)},
                  {"sums of the inverse, without decay", Place::at(Kind::inverse, 1)}};
    } else {
      inverses = {{"sums of the inverse", Place::at(Point::T)}};
    }
    for (const auto& [name, place] : inverses) {
      SCOPED_TRACE(c.name + ": " + name);
      const Derivative d = derivative(c, place, By::random_numbers);
      const NoiseSource *o = find(c.noise.o, name), *state = find(c.noise.state, name);
      ASSERT_TRUE(o != nullptr && state != nullptr);
      EXPECT_LE(distance(of_source(o, d.disturbance, 0, 0), d.outputs.o), agreement);
      EXPECT_LE(distance(of_source(state, d.disturbance, 0, 0), d.outputs.state), agreement);
    }
  }
}

// G_i + d_i: one source for what a token reads, one for what it has written; what all of a state's elements share is
// in `worst`, which the state must therefore exceed.
TEST(ChunkNoiseModel, CarriesTheErrorsOfTheScan) {
  for (const ChunkCase& c : chunk_cases()) {
    const Derivative d = derivative(c, Place::at(Kind::scan), By::random_numbers);
    const Matrix D = d.disturbance.col(0).asDiagonal();
    const NoiseSource *read = find(c.noise.o, "scan, read"), *written = find(c.noise.o, "scan, written");
    const NoiseSource* state = find(c.noise.state, "scan, written");
    ASSERT_TRUE(read != nullptr && written != nullptr && state != nullptr);
    EXPECT_LE(distance(of_source(read, D, 0, 0) - of_source(written, D, 0, 0), d.outputs.o), agreement);
    const double last = D(D.rows() - 1, D.rows() - 1);
    const Matrix next = exact_outputs(c).state;
    EXPECT_LE(distance(last * next - of_source(state, D, 0, 0), d.outputs.state), agreement);
    const double width = std::sqrt(state->variance(D.rows() - 1, D.rows() - 1));
    EXPECT_TRUE((c.noise.state.worst.array() >= width * next.cwiseAbs().array()).all());
    // Two sources stand for one error: twice its square.
    const Matrix error = gamma_n(c.formats.gates.scan_depth + 1, u32) * c.in.decay.size;
    const Matrix square = 2 * error.cwiseAbs2();
    for (const NoiseSource* s : {read, written, state}) {
      EXPECT_LE(distance(s->variance.diagonal(), square), agreement);
    }
    if (rule_info(c.rule).decay == Decay::none) EXPECT_EQ(width, 0); else EXPECT_GT(width, 0);
  }
}

// L of two tokens, l below the diagonal: |T| |I + L| has the rows (1, 0) and (2 |l|, 1).
TEST(ChunkNoise, HasTheConditionOfTheSolve) {
  for (const double b : {0.0, 0.25, -3.0}) {
    ChunkInput in;
    in.q = in.k = Matrix::Ones(2, 1);
    in.v = Matrix::Ones(2, 1);
    in.b = Matrix::Constant(2, 1, b);
    in.decay = log_decay(Matrix::Zero(2, 1));
    in.state = Matrix::Zero(1, 1);
    const ChunkFormats f = chunk_formats("fla-chunk", rule_info(Rule::delta), formats::bf16, 64).value();
    EXPECT_EQ(chunk_noise(in, f, tensor_core("hopper")).condition, 1 + 2 * std::abs(b));
    in.residual = false;  // no solve
    const ChunkFormats g = chunk_formats("generic", rule_info(Rule::linear), formats::bf16, 64).value();
    EXPECT_EQ(chunk_noise(in, g, tensor_core("hopper")).condition, 1);
  }
}

TEST(ChunkNoise, IsNotModelledWhereOperandsAreTruncated) {
  const auto why_none = [](const char* arithmetic, Rule rule, const Format& input) {
    return no_noise(chunk_formats(arithmetic, rule_info(rule), input, 64).value(), rule_info(rule));
  };
  for (const Format& input : {formats::bf16, formats::f16}) {
    EXPECT_EQ(why_none("fla-chunk", Rule::gated_delta, input), "");
    EXPECT_EQ(why_none("nvlabs-chunk", Rule::kla, input), "");
    EXPECT_EQ(why_none("fla-simple-gla-chunk", Rule::scalar_decay, input), "");
    EXPECT_EQ(why_none("generic", Rule::delta, input), "");
    EXPECT_NE(why_none("fla-kda-chunk", Rule::vector_decay_delta, input).find("decayed rows"), std::string::npos);
    EXPECT_NE(why_none("generic", Rule::vector_decay, input).find("decayed rows"), std::string::npos);
  }
  EXPECT_NE(why_none("fla-chunk", Rule::gated_delta, formats::f32).find("TF32"), std::string::npos);
}

}  // namespace
}  // namespace deltaproof
