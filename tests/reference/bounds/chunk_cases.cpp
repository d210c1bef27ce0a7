#include "tests/reference/bounds/chunk_cases.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "properties/regimes/families.hpp"
#include "reference/arithmetic/run_text.hpp"

namespace deltaproof::noise_tests {
namespace {

constexpr int precision = 192;
constexpr int small_step = -60;

using Block = Disturbed::Block;

struct Run {
  TextOutput<Disturbed> outputs;
  Matrix disturbance, value;
  std::vector<Block> truncations;
};

Run run(const ChunkCase& c, Place place, By by, const Mpfr& step, const std::vector<Block>* truncations = nullptr) {
  Disturbed r(c.declared, place, by, step, (c.in.k.rows() + 15) / 16);
  if (truncations != nullptr) r.truncate_by(*truncations);
  TextInput<Disturbed> in;
  in.q = r.given(c.in.q);
  in.k = r.given(c.in.k);
  in.v = r.given(c.in.v);
  in.g = r.given(c.g);
  in.beta = r.given(c.in.b);
  in.state = r.given(c.in.state);
  in.scale = r.constant(c.in.scale);
  in.residual = c.in.residual;
  TextOutput<Disturbed> outputs = run_text(r, in);
  return {std::move(outputs), r.disturbance(), r.value(), r.truncations()};
}

Matrix quotient(const Block& x, const Block& y, const Mpfr& step) {
  Matrix result(x.rows(), x.cols());
  for (Index i = 0; i < x.size(); ++i) result.data()[i] = to_double(Mpfr((x.data()[i] - y.data()[i]) / step));
  return result;
}

Derivative divided(const ChunkCase& c, Place place, By by, int exponent) {
  const WorkingPrecision scope(precision);
  const Mpfr step = ldexp(Mpfr(1), exponent);
  const Run exact = run(c, {}, by, step), disturbed = run(c, place, by, step);
  return {{quotient(disturbed.outputs.o, exact.outputs.o, step),
           quotient(disturbed.outputs.state, exact.outputs.state, step)},
          disturbed.disturbance, disturbed.value};
}

}  // namespace

ChunkCase chunk_case(std::string_view text, Rule rule, std::string_view regime, const ChunkShape& shape,
                     std::uint64_t seed, bool b_in_16_bits) {
  const Index tokens = shape.tokens;
  HeadInputs head = regime_head(*find_regime(regime), rule,
                                {.tokens = tokens, .K = shape.K, .V = shape.V, .initial_state = true}, seed);
  head.options.scale = static_cast<float>(head.options.scale);
  ChunkCase c;
  c.name = std::string(text) + ", " + std::string(rule_info(rule).name) + ", " + std::string(regime) + ", " +
           std::to_string(tokens) + " tokens";
  c.rule = rule;
  c.declared = built_in(text, rule).value();
  c.declared.merge = Merge::tf32_truncated;
  c.formats = chunk_formats(text, rule_info(rule), formats::bf16, 64).value();
  if (b_in_16_bits) c.formats.key_beta_undecayed = c.formats.rw;
  c.in = chunk_input(head, head.initial_state, {});
  c.g = head.g.size() == 0 ? Matrix(Matrix::Zero(tokens, 1)) : head.g;
  c.head = std::move(head);
  c.noise = chunk_noise(c.in, c.formats, tensor_core("hopper"));
  return c;
}

std::vector<ChunkCase> chunk_cases() {
  return {chunk_case("fla-chunk", Rule::delta, "rand_b1_a1", {37}, 1),
          chunk_case("fla-chunk", Rule::gated_delta, "rand_sig_gdn", {50}, 2, true),
          chunk_case("fla-chunk", Rule::kla, "rand_sig_gdn", {64}, 3),
          chunk_case("nvlabs-chunk", Rule::delta, "rand_b1_a1", {20}, 4),
          chunk_case("nvlabs-chunk", Rule::gated_delta, "rand_sig_gdn", {37}, 5),
          chunk_case("nvlabs-chunk", Rule::kla, "rand_sig_gdn", {64}, 6),
          chunk_case("fla-simple-gla-chunk", Rule::linear, "rand_b1_a1", {33}, 7),
          chunk_case("fla-simple-gla-chunk", Rule::scalar_decay, "rand_sig_gdn", {64}, 8)};
}

Derivative derivative(const ChunkCase& chunk, Place place, By by) { return divided(chunk, place, by, small_step); }

Outputs exact_outputs(const ChunkCase& chunk) {
  const WorkingPrecision scope(precision);
  const Run exact = run(chunk, {}, By::rounding, Mpfr(0));
  const auto rounded = [](const Block& x) { return quotient(x, Block::Zero(x.rows(), x.cols()), Mpfr(1)); };
  return {rounded(exact.outputs.o), rounded(exact.outputs.state)};
}

Outputs difference(const ChunkCase& chunk, Place place, By by) { return divided(chunk, place, by, 0).outputs; }

MergeEffect merge_effect(const ChunkCase& chunk) {
  const WorkingPrecision scope(precision);
  const Place place = Place::at(Place::Kind::all_merges);
  const Mpfr one = 1, step = ldexp(one, small_step);
  const Run exact = run(chunk, {}, By::rounding, one), whole = run(chunk, place, By::rounding, one);
  const Run little = run(chunk, place, By::rounding, step, &whole.truncations);
  return {quotient(whole.outputs.o, exact.outputs.o, one), quotient(little.outputs.o, exact.outputs.o, step)};
}

Matrix product(const Matrix& a, const Matrix& b) {
  if (a.size() == 0) return b;
  if (b.size() == 0) return a;
  return a * b;
}

const NoiseSource* find(const Noise& noise, std::string_view name) {
  const auto found = std::ranges::find(noise.random, name, &NoiseSource::name);
  return found == noise.random.end() ? nullptr : &*found;
}

const KnownRounding* find_known(const Noise& noise, std::string_view name) {
  const auto found = std::ranges::find(noise.known, name, &KnownRounding::name);
  return found == noise.known.end() ? nullptr : &*found;
}

Matrix of_source(const NoiseSource* source, const Matrix& d, Index rows, Index cols) {
  return source == nullptr ? Matrix(Matrix::Zero(rows, cols)) : product(product(source->left, d), source->right);
}

double distance(const Matrix& found, const Matrix& exact) {
  if (found.rows() != exact.rows() || found.cols() != exact.cols()) return std::numeric_limits<double>::infinity();
  const double off = (found - exact).cwiseAbs().maxCoeff(), size = exact.cwiseAbs().maxCoeff();
  return off == 0 ? 0 : off / size;
}

}  // namespace deltaproof::noise_tests
