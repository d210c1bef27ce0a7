// The sources that only `generic` has, where any intermediate may be in 16 bits: against a chunk written out with the
// letters of docs/loc.md, section 4, in which one of them is disturbed.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <set>

#include "tests/reference/bounds/known_roundings.hpp"

namespace deltaproof {
namespace {

using namespace noise_tests;
using Exactly = Exact<Mpfr>;
using Block = Exactly::Block;

// As in chunk_noise_test.cpp.
constexpr double agreement = 0x1p-30;
constexpr int precision = 192;

/// step times what is added, by the name of the intermediate.
struct Disturbance {
  std::map<std::string, Matrix> of = {};
  Mpfr step = 0;
};

struct Evaluated {
  Block o, state;
};

Evaluated evaluate(const ChunkCase& c, const Disturbance& disturbance, bool keys_scaled) {
  const Exactly r(c.declared);
  const auto at = [&](const char* name, Block x) {
    const auto found = disturbance.of.find(name);
    return found == disturbance.of.end() ? x : Block(x + disturbance.step * r.given(found->second));
  };
    const Block G = r.times(r.scan(r.given(c.g)), r.log2e()), last = G.bottomRows(1);
  const Block from_start = r.exp2(G), to_end = r.exp2(r.subtract(last, G));
  const Block between = r.exp2(r.subtract(G, r.transpose(G)));
  const Block k = r.given(c.in.k), v = r.given(c.in.v), b = r.given(c.in.b), S = r.given(c.in.state);
  const Block read = at("state copy", S), bk = r.times(k, b);
  Block values = v;
  if (c.in.residual) {
    const Block gram = at("k k^T", at("b k", bk) * r.transpose(k));
    const Block T = at("T", r.inverse(r.strictly_lower(at("L", r.strictly_lower(r.times(gram, between))))));
    const Block u = at("u", T * at("b v", r.times(v, b)));
    const Block w = at("w e^G", at("w", T * at("b k e^G", r.times(bk, from_start))));
    values = u - at("w S", w * read);
  }
  const Block q = at("q", r.given(c.in.q)), q_decayed = at("q e^G", r.times(q, from_start));
  const Block P = at("P", r.lower(r.times(at("q k^T", q * r.transpose(k)), between)));
  const Block sum = at("q S", q_decayed * read) + at("P v", P * at("v_new", values));
  const Block update =
      keys_scaled
          ? Block(r.transpose(at("k e^{..}", r.times(k, to_end))) * at("v_new", values))
          : Block(r.transpose(k) * at(c.in.residual ? "v_new, scaled" : "v, scaled", r.times(values, to_end)));
  return {Block(sum * Mpfr(c.in.scale)), r.times(S, r.exp2(last)) + at("K^T v", update)};
}

Outputs derivative_of(const ChunkCase& c, const std::map<std::string, Matrix>& errors, bool keys_scaled = false) {
  const WorkingPrecision scope(precision);
  const Mpfr step = ldexp(Mpfr(1), -60);
  const Evaluated exact = evaluate(c, {}, keys_scaled), disturbed = evaluate(c, {errors, step}, keys_scaled);
  const auto quotient = [&](const Block& x, const Block& y) {
    Matrix result(x.rows(), x.cols());
    for (Index i = 0; i < x.size(); ++i) result.data()[i] = to_double(Mpfr((x.data()[i] - y.data()[i]) / step));
    return result;
  };
  return {quotient(disturbed.o, exact.o), quotient(disturbed.state, exact.state)};
}

std::vector<ChunkCase> generic_cases() {
  std::vector<ChunkCase> cases = {chunk_case("fla-chunk", Rule::gated_delta, "rand_sig_gdn", {40}, 2),
                                  chunk_case("fla-chunk", Rule::delta, "rand_b1_a1", {20}, 3),
                                  chunk_case("fla-simple-gla-chunk", Rule::scalar_decay, "rand_sig_gdn", {33}, 4),
                                  // Few tokens, of which few values are ambiguous.
                                  chunk_case("fla-chunk", Rule::gated_delta, "rand_sig_gdn", {6}, 5),
                                  chunk_case("fla-simple-gla-chunk", Rule::scalar_decay, "rand_sig_gdn", {6}, 6)};
  for (ChunkCase& c : cases) {
    c.formats = chunk_formats("generic", rule_info(c.rule), formats::bf16, 64).value();
    c.noise = chunk_noise(c.in, c.formats, tensor_core("hopper"));
    c.name += ", generic";
  }
  return cases;
}

Matrix between(const ChunkCase& c) {
  const Index C = c.in.k.rows();
  Matrix result = Matrix::Zero(C, C);
  for (Index i = 0; i < C; ++i) {
    for (Index j = 0; j <= i; ++j) result(i, j) = std::exp(c.in.decay.sum(i, 0) - c.in.decay.sum(j, 0));
  }
  return result;
}

Matrix strictly_lower(const Matrix& m) { return m.triangularView<Eigen::StrictlyLower>(); }

// A random source: its rounding point, and a disturbance there as the source has it.
struct Source {
  const char* name;
  Index rows, cols;
  std::function<Matrix(const Matrix&)> as_the_model_has_it = [](const Matrix& d) { return d; };
  bool keys_scaled = false;
};

std::vector<Source> sources(const ChunkCase& c) {
  const Index C = c.in.k.rows(), K = c.in.k.cols(), V = c.in.v.cols();
  const double scale = c.in.scale;
  const Matrix decays = between(c);
  std::vector<Source> list = {
      {"P", C, C, [=](const Matrix& d) { return Matrix(scale * d); }},
      {"q k^T", C, C, [=](const Matrix& d) { return Matrix(scale * d.cwiseProduct(decays)); }},
      {"q S", C, V, [=](const Matrix& d) { return Matrix(scale * d); }},
      {"P v", C, V, [=](const Matrix& d) { return Matrix(scale * d); }},
      {"K^T v", K, V}};
  if (!c.in.residual) return list;
  list.insert(list.end(), {{"L", C, C, strictly_lower},
                           {"k k^T", C, C, [=](const Matrix& d) { return strictly_lower(d.cwiseProduct(decays)); }},
                           {"u", C, V},
                           {"w", C, K},
                           {"w e^G", C, K},
                           {"w S", C, V, [](const Matrix& d) { return Matrix(-d); }},
                           {"v_new", C, V, [](const Matrix& d) { return d; }, true},
                           {"v_new, scaled", C, V}});
  return list;
}

Matrix normal(Index rows, Index cols) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> deviate;
  Matrix m(rows, cols);
  for (Index i = 0; i < m.size(); ++i) m.data()[i] = deviate(random);
  return m;
}

Matrix effect(const NoiseSource* s, const Matrix& d, const Matrix& like) {
  return s == nullptr ? Matrix(Matrix::Zero(like.rows(), like.cols())) : product(product(s->left, d), s->right);
}

TEST(GenericNoise, CarriesEachRoundingToTheOutputs) {
  for (const ChunkCase& c : generic_cases()) {
    for (const Source& source : sources(c)) {
      SCOPED_TRACE(c.name + ": " + source.name);
      const NoiseSource *o = find(c.noise.o, source.name), *state = find(c.noise.state, source.name);
      ASSERT_TRUE(o != nullptr || state != nullptr);
      const Matrix d = normal(source.rows, source.cols), x = source.as_the_model_has_it(d);
      const Outputs moved = derivative_of(c, {{source.name, d}}, source.keys_scaled);
      EXPECT_LE(distance(effect(o, x, moved.o), moved.o), agreement);
      EXPECT_LE(distance(effect(state, x, moved.state), moved.state), agreement);
    }
  }
}

Matrix error_of(const Matrix& x, const Format& format = formats::bf16) {
  return round_all(x, nearest(format)) - x;
}
Matrix in_tf32(const Matrix& x) { return error_of(x, formats::tf32); }

struct Known {
  const char* name;
  std::vector<std::map<std::string, Matrix>> choices;  // what each of its effects rounds
};

std::vector<Known> known(const ChunkCase& c) {
  const ChunkInput& in = c.in;
  const auto rows = [](const Matrix& column, const Matrix& m) { return Matrix(column.col(0).asDiagonal() * m); };
  const Matrix from_start = in.decay.sum.array().exp(), end = in.decay.sum.bottomRows(1);
  const Matrix to_end = (end(0, 0) - in.decay.sum.array()).exp(), q_decayed = rows(from_start, in.q);
  const Matrix early = error_of(in.scale * in.q) / in.scale;
  const Matrix late = error_of(in.scale * rows(from_start, in.q + early)) / in.scale;
  const Matrix P = (in.q * in.k.transpose()).cwiseProduct(between(c));
  const auto point = [](const char* name, const Matrix& x) {
    return Known{name, {{{name, error_of(x)}}, {{name, in_tf32(x)}}}};
  };
  std::vector<Known> list = {point("state copy", in.state),
                             point("k e^{..}", rows(to_end, in.k)),
                             {"P",
                              {{{"P", error_of(P)}},
                               {{"P", in_tf32(P)}},
                               {{"P", error_of(in.scale * P) / in.scale}},
                               {{"P", in_tf32(in.scale * P) / in.scale}}}},
                             {"q scale",
                              {{{"q", early}},
                               {{"q e^G", error_of(q_decayed)}},
                               {{"q e^G", error_of(in.scale * q_decayed) / in.scale}},
                               {{"q", early}, {"q e^G", late}},
                               {{"q", in_tf32(in.scale * in.q) / in.scale}}}}};
  if (!in.residual) {
    list.push_back(point("v, scaled", rows(to_end, in.v)));
    return list;
  }
  const Matrix bk = rows(in.b, in.k), bk_decayed = rows(from_start, bk);
  const Matrix inner = rows(from_start, bk + error_of(bk));
  list.insert(list.end(), {point("b v", rows(in.b, in.v)),
                           point("b k", bk),
                           {"b k e^G",
                            {{{"b k e^G", error_of(bk_decayed)}},
                             {{"b k e^G", in_tf32(bk_decayed)}},
                             {{"b k e^G", inner - bk_decayed}},
                             {{"b k e^G", inner + error_of(inner) - bk_decayed}}}}});
  return list;
}

// Of the values that are rounded as declared, those of the first effect.
Matrix rehearsal(const Noise& noise, const std::string& name) {
  Matrix sum = Matrix::Zero(noise.worst.rows(), noise.worst.cols());
  for (const NoiseSource* s : either_way(noise, name)) sum += effect(s, s->rehearsal, sum);
  return sum;
}

// How far what is ambiguous may be off.
Matrix reach(const Noise& noise, const std::string& name) {
  Matrix sum = Matrix::Zero(noise.worst.rows(), noise.worst.cols());
  for (const NoiseSource* s : either_way(noise, name)) {
    sum += product(product(s->left.cwiseAbs(), s->variance.cwiseSqrt()), s->right.cwiseAbs());
  }
  return sum;
}

// As exact values are rounded, but for what is ambiguous. Counts the elements where nothing is.
void expect_effect(const Noise& noise, const std::string& name, std::size_t choice, const Matrix& moved,
                   Index& compared) {
  const KnownRounding* known = find_known(noise, name);
  const Matrix none = Matrix::Zero(moved.rows(), moved.cols());
  const Matrix found = known == nullptr ? none : known->effects.at(choice);
  const Matrix within = reach(noise, name);
  const double level = agreement * moved.cwiseAbs().maxCoeff();
  EXPECT_TRUE(((found - moved).cwiseAbs().array() <= within.array() + level).all());
  if (choice == 0) {
    EXPECT_LE(distance(found + rehearsal(noise, name), moved), agreement);
  }
  compared += ((within.array() == 0) && (moved.array() != 0)).count();
}

TEST(GenericNoise, KnowsWhatEachWayToRoundTheInputsDoes) {
  std::map<std::string, Index> compared;
  for (const ChunkCase& c : generic_cases()) {
    for (const Known& k : known(c)) {
      const std::string name = k.name;
      for (const Noise* noise : {&c.noise.o, &c.noise.state}) {
        const KnownRounding* found = find_known(*noise, name);
        EXPECT_TRUE(found == nullptr || found->effects.size() == k.choices.size()) << name;
      }
      ASSERT_TRUE(find_known(c.noise.o, name) != nullptr || find_known(c.noise.state, name) != nullptr) << name;
      for (std::size_t i = 0; i < k.choices.size(); ++i) {
        SCOPED_TRACE(c.name + ": " + name + " " + std::to_string(i));
        const Outputs moved = derivative_of(c, k.choices[i], name == "k e^{..}");
        Index& elements = compared[name + " " + std::to_string(i)];
        expect_effect(c.noise.o, name, i, moved.o, elements);
        expect_effect(c.noise.state, name, i, moved.state, elements);
      }
    }
  }
  for (const auto& [choice, elements] : compared) EXPECT_GE(elements, 10) << choice;
}

// Sources that chunk_noise_test.cpp and chunk_noise_merge_test.cpp look at, and `T`, whose disturbance is there, too.
TEST(GenericNoise, HasNoSourceThatIsNotTested) {
  for (const ChunkCase& c : generic_cases()) {
    std::set<std::string> tested = {"T", "merge, mean"};
    for (const Source& s : sources(c)) tested.insert(s.name);
    for (const Known& k : known(c)) tested.insert({k.name, k.name + std::string(", either way")});
    const auto is_elsewhere = [](const std::string& name) {
      return name.starts_with("sum of ") || name.starts_with("sums of ") || name.starts_with("scan, ") ||
             name.starts_with("merge: ");
    };
    for (const Noise* noise : {&c.noise.o, &c.noise.state}) {
      for (const NoiseSource& s : noise->random) {
        EXPECT_TRUE(tested.contains(s.name) || is_elsewhere(s.name)) << s.name;
      }
      for (const KnownRounding& k : noise->known) EXPECT_TRUE(tested.contains(k.name)) << k.name;
    }
  }
}

}  // namespace
}  // namespace deltaproof
