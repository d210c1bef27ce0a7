#include <cmath>
#include <stdexcept>

#include "properties/regimes/draw.hpp"
#include "properties/regimes/float_draw.hpp"
#include "properties/regimes/matrices.hpp"
#include "properties/regimes/recorded.hpp"

namespace deltaproof::draw {
namespace {

// Whether `beta` is the coefficient itself; kla and both forms of longhorn make theirs of it and the key.
bool writes_beta_itself(Rule rule) {
  return rule == Rule::delta || rule == Rule::gated_delta || rule == Rule::vector_decay_delta;
}

// Inside [1.9, 2.05] by more than 2^-8 of it, so that a coefficient in 16 bits is there still; one in three is 2,
// rounded.
double near_two(Generator& generator) {
  const int side = generator.integer(-1, 1);
  const double u = generator.uniform();
  if (side == 0) return 2;
  return side < 0 ? 2 - 0.09 * u : 2 + 0.04 * u;
}

// The numbers of fp32 around 1: those above lie twice as far apart.
double near_one(Generator& generator) {
  const int steps = generator.integer(-2, 2);
  return 1 + std::ldexp(steps, steps < 0 ? -24 : -23);
}

double exact_write(const HeadDraw& draw, Index token, double square, Generator& generator) {
  const bool itself = writes_beta_itself(draw.rule) && square > 0;
  switch (draw.regime.writes) {
    case WriteProfile::constant: return draw.regime.write;
    case WriteProfile::uniform: break;
    case WriteProfile::by_norm: return generator.uniform(0.02, 0.98) / (itself ? square : 1);
    case WriteProfile::boundary: return near_two(generator) / (itself ? square : 1);
    case WriteProfile::zero_or_one: return generator.integer(0, 1);
    case WriteProfile::extreme: return std::abs(draw_float(formats::f32, 0, generator));
    case WriteProfile::near_one: return near_one(generator);
    case WriteProfile::recorded: return recorded::eta(draw.place, token) / (itself ? square + 1e-6 : 1);
  }
  return generator.uniform(0.02, 0.98);
}

}  // namespace

Matrix writes(const HeadDraw& draw, const Matrix& keys, Index width, Generator& generator) {
  Matrix matrix(draw.shape.tokens, width);
  for (Index t = 0; t < matrix.rows(); ++t) {
    const double square = keys.rows() > t ? square_of_row(keys, t) : 0;
    for (Index j = 0; j < width; ++j) matrix(t, j) = exact_write(draw, t, square, generator);
  }
  return rounded(formats::f32, matrix);
}

Matrix writes(const Regime& regime, const RegimeShape& shape, Index width, Generator& generator) {
  if (regime.writes != WriteProfile::constant && regime.writes != WriteProfile::uniform)
    throw std::logic_error("writes of a family that makes them of its keys, drawn without keys");
  return writes({regime, regime.rule, shape}, Matrix(), width, generator);
}

}  // namespace deltaproof::draw
