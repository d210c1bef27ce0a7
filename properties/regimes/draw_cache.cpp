#include <array>
#include <cmath>

#include "properties/regimes/draw.hpp"
#include "properties/regimes/matrices.hpp"

namespace deltaproof::draw {
namespace {

constexpr std::uint64_t kStream = 0x6361636865;  // no stream of a part of a head

Matrix gammas(Index K, Generator& generator) {
  Matrix matrix(1, K);
  for (Index i = 0; i < K; ++i) {
    const double usual = 1 + 0.125 * generator.normal();
    const bool is_large = generator.integer(0, 3) == 0;
    const double power = std::ldexp(1.0, generator.integer(-2, 2));
    matrix(0, i) = is_large ? power : usual;
  }
  return rounded(formats::f32, matrix);
}

// Of few bits: every type holds them.
double gate(const Place& place, Generator& generator) {
  constexpr std::array open{0.0, 2.0, -4.0};
  const bool is_closed = generator.integer(0, 3) == 0 && place.head > 0;
  return is_closed ? -200 : open[static_cast<std::size_t>(turn_of_head(place, open.size()))];
}

}  // namespace

// The 12 keys that a head's facts are about: of keys and queries alike, so not from the generator of either.
Matrix facts(const HeadDraw& draw, Generator& generator) {
  constexpr std::uint64_t stream = 0x6661637473;
  constexpr int count = 12;
  Generator of_head(draw.place.seed, {stream, static_cast<std::uint64_t>(draw.place.batch),
                                      static_cast<std::uint64_t>(draw.place.key_head)});
  Matrix all = normals(count, draw.shape.K, of_head);
  scale_rows_to_unit(all);
  Matrix matrix(draw.shape.tokens, draw.shape.K);
  for (Index t = 0; t < matrix.rows(); ++t) matrix.row(t) = all.row(generator.integer(0, count - 1));
  return matrix;
}

Matrix tiny_rows(const RegimeShape& shape, Generator& generator) {
  Matrix matrix(shape.tokens, shape.K);
  for (Index t = 0; t < matrix.rows(); ++t) {
    for (Index i = 0; i < matrix.cols(); ++i) matrix(t, i) = generator.normal();
    scale_row_to_unit(matrix, t);
    const double significand = 1 + generator.uniform();
    const double norm = std::ldexp(significand, generator.integer(-13, -7));
    const bool is_zero = generator.integer(0, 7) == 0;
    matrix.row(t) *= is_zero ? 0 : norm;
  }
  return matrix;
}

void cache_parameters(const HeadDraw& draw, HeadInputs& head) {
  Place place = draw.place;
  place.batch = 0;
  Generator generator(place.seed, {kStream, static_cast<std::uint64_t>(place.head)});
  head.sink = 0.25 * generator.integer(-8, 8);
  head.cache_gate = gate(place, generator);
  head.gamma_q = gammas(draw.shape.K, generator);
  head.gamma_k = gammas(draw.shape.K, generator);
}

}  // namespace deltaproof::draw
