// Each source of the model of a chunk kernel against the derivative of the text of that kernel: a text that is exact
// but for what one rounding point, or one sum, adds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "reference/arithmetic/texts.hpp"
#include "tests/reference/bounds/known_roundings.hpp"

namespace deltaproof {
namespace {

using namespace noise_tests;
using Kind = Place::Kind;

// The model's double arithmetic: at most 2^6 operations for each element of T, on terms at most 2^6 times as large
// (the condition of the solve, below 2^6 here), each within 2^-53: an element is known to 2^-41 of its size, its
// rounding error (at most 2^-8 of it, taken as 2^-9 of the largest) to 2^-32, and a few more products.
constexpr double agreement = 0x1p-30;
constexpr double largest_condition = 64;

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
    "sums of the inverse", "sums of the inverse, without decay", "scan, read", "scan, written",
    "merge: L", "merge: X", "merge: diagonal", "merge: product", "merge: product next to the diagonal",
    "merge, mean"};

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

Matrix value_at(const ChunkCase& c, const Place& place) { return derivative(c, place, By::rounding).value; }
Matrix error_at(const ChunkCase& c, const Place& place) { return derivative(c, place, By::rounding).disturbance; }

// The inverse that serves w: nvlabs-chunk has one of its own where there is decay.
Matrix inverse_of_w(const ChunkCase& c) {
  for (const Expected& e : roundings_of(c)) {
    if (e.source == "T, without decay") return value_at(c, e.place);
  }
  return value_at(c, Place::at(Point::T));
}

// u and w as they are when what T multiplies has been rounded.
Matrix rehearsed_u(const ChunkCase& c) {
  return value_at(c, Place::at(Point::u)) + value_at(c, Place::at(Point::T)) * error_at(c, Place::at(Point::v_beta));
}
Matrix rehearsed_w(const ChunkCase& c) {
  const Point keys = c.declared.text == "nvlabs-chunk" ? Point::k_beta : Point::k_beta_decayed;
  return value_at(c, Place::at(Point::w)) + inverse_of_w(c) * error_at(c, Place::at(keys));
}

// The errors that rounding makes after the points before it: of u and w after b v and b k, of the values after u.
Matrix rehearsal_of(const ChunkCase& c, const Expected& e, const Derivative& d) {
  const Rounding bf16 = nearest(formats::bf16);
  const auto of = [&](const Matrix& x) { return Matrix(round_all(x, bf16) - x); };
  const Matrix from_start = c.in.decay.sum.array().exp();
  if (e.source == "u") return of(rehearsed_u(c));
  if (e.source == "w") return of(rehearsed_w(c));
  if (e.source == "w e^G") return of(from_start.col(0).asDiagonal() * round_all(rehearsed_w(c), bf16));
  if (!e.source.starts_with("v_new")) return d.disturbance;
  const Matrix of_u = round_all(rehearsed_u(c), bf16) - value_at(c, Place::at(Point::u));
  const Index last = c.in.k.rows() - 1;
  const Matrix to_end = (c.in.decay.sum(last, 0) - c.in.decay.sum.array()).exp();
  const bool is_scaled = e.source == "v_new, scaled";
  return of(d.value + (is_scaled ? Matrix(to_end.col(0).asDiagonal() * of_u) : of_u));
}

// How far rounding q moves P, which is then scaled.
Matrix moved_attention(const ChunkCase& c) {
  const Matrix d = derivative(c, Place::at(Point::q_scaled), By::rounding).disturbance;
  return (d * c.in.k.transpose()).cwiseProduct(decay_between(c.in.decay, {}).exact).cwiseAbs();
}

// Uniform over one spacing. Two inverses with decay have errors in common: twice that.
Matrix variance_of(const ChunkCase& c, const Expected& e, const Derivative& d) {
  const auto of = [](const Matrix& x, const Matrix& apart = {}) {
    return rounding_noise("", {}, {}, x, nearest(formats::bf16), apart).variance;
  };
  if (e.source == "P") return of(d.value, moved_attention(c));
  if (!e.source.starts_with("T")) return of(d.value);
  const bool has_two = c.declared.text == "nvlabs-chunk" && rule_info(c.rule).decay != Decay::none;
  return (has_two ? 2 : 1) * of(d.value.triangularView<Eigen::StrictlyLower>());
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
        EXPECT_LE(distance(s->rehearsal, rehearsal_of(c, e, d)), agreement);
        EXPECT_LE(distance(s->variance, variance_of(c, e, d)), agreement);
        // Within +-h; a value that is rehearsed after another rounding may lie in another binade.
        const Matrix square = d.disturbance.cwiseAbs2();
        EXPECT_TRUE((square.array() <= 3 * (1 + agreement) * s->variance.array()).all());
      }
      EXPECT_GT(d.disturbance.cwiseAbs().maxCoeff(), 0);
      EXPECT_LE(distance(of_source(o, d.disturbance, c.in.v.rows(), c.in.v.cols()), d.outputs.o), agreement);
      EXPECT_LE(distance(of_source(state, d.disturbance, c.in.k.cols(), c.in.v.cols()), d.outputs.state), agreement);
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

// What rounding q leaves of second order: P moves by more than its size where q and k are nearly orthogonal, and then
// three roundings of what it multiplies, each of at most twice the unit roundoff, count.
TEST(ChunkNoiseModel, AllowsForRoundingsOfWhatRoundingQMoves) {
  for (ChunkCase& c : chunk_cases()) {
    const Matrix worst = c.noise.o.worst;
    ChunkFormats f = c.formats;
    f.q_scaled = not_rounded;
    const Matrix rest = chunk_noise(c.in, f, tensor_core("hopper")).o.worst;
    if (c.declared.text != "nvlabs-chunk") {
      EXPECT_EQ(worst, rest);
      continue;
    }
    const Matrix U = derivative(c, Place::at(Point::v_new), By::rounding).value;
    const Matrix second_order = 3 * 0x1p-7 * (moved_attention(c) * U.cwiseAbs());
    EXPECT_LE(distance(worst - rest, second_order), agreement) << c.name;
  }
}

// A source, or a rounding point of a text, that no test above looks at is new.
TEST(ChunkNoiseModel, HasNoSourceThatIsNotTested) {
  for (const ChunkCase& c : chunk_cases()) {
    std::set<std::string> tested = elsewhere;
    std::set<Point> points = {Point::q, Point::k, Point::o};
    if (c.declared.text == "fla-chunk") points.insert(Point::k_beta);  // KnowsBothRoundingsOfTheKeys
    for (const auto& table : {roundings_of(c), known_of(c), sums_of(c)}) {
      for (const Expected& e : table) {
        tested.insert(e.source);
        if (e.place.kind == Kind::point) points.insert(e.place.point);
      }
    }
    for (const Noise* noise : {&c.noise.o, &c.noise.state}) {
      for (const NoiseSource& s : noise->random) {
        EXPECT_TRUE(tested.contains(s.name) || is_either_way_of_known(c, s.name)) << c.name << ": " << s.name;
      }
      for (const KnownRounding& k : noise->known) EXPECT_TRUE(tested.contains(k.name)) << c.name << ": " << k.name;
    }
    for (const Point point : find_text(c.declared.text)->points) {
      EXPECT_TRUE(points.contains(point)) << c.name << ": point " << static_cast<int>(point);
    }
  }
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
