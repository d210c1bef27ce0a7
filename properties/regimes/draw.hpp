#pragma once

#include "properties/regimes/families.hpp"
#include "properties/regimes/generator.hpp"
#include "properties/regimes/place.hpp"

namespace deltaproof::draw {

/// Whose inputs are drawn.
struct HeadDraw {
  const Regime& regime;
  Rule rule;
  const RegimeShape& shape;
  Place place = {};
};

// The parts of a head, each from a generator of its own and rounded to its stored format.

/// tokens x K, in the type of inputs.
Matrix keys(const HeadDraw& draw, Generator& generator);
/// tokens x K, in the type of inputs: unit rows, unless the key geometry says otherwise.
Matrix queries(const HeadDraw& draw, Generator& generator);
/// tokens x V, in the type of inputs; may depend on the (rounded) keys.
Matrix values(const HeadDraw& draw, const Matrix& keys, Generator& generator);
/// tokens x width, f32: log decays.
Matrix gates(const HeadDraw& draw, Index width, Generator& generator);
/// tokens x width, f32: beta or eta; may depend on the (rounded) keys.
Matrix writes(const HeadDraw& draw, const Matrix& keys, Index width, Generator& generator);
/// tokens x slots, f32 in (0, 1): 1 / (1 + |g| + u) for the regime's gates and u in [1/16, 1/2).
Matrix slot_decays(const HeadDraw& draw, Generator& generator);
/// rows x columns, f32: an initial state as the family's values ask for.
Matrix state(const HeadDraw& draw, Index rows, Index columns, Generator& generator);

/// hola: sink, cache gate and gammas of a value head, the same in every batch row. Gammas are near 1, one channel in
/// four a power of two from 1/4 to 4; the gate is closed (-200) now and then, but never of head 0.
void cache_parameters(const HeadDraw& draw, HeadInputs& head);

/// Rows of KeyGeometry::facts and tiny_rows, not rounded: of keys and of queries.
Matrix facts(const HeadDraw& draw, Generator& generator);
Matrix tiny_rows(const RegimeShape& shape, Generator& generator);

/// Unit rows in random directions, tokens x K, in the type of inputs.
Matrix random_units(const RegimeShape& shape, Generator& generator);
/// rows x columns, f32: normal whatever the family.
Matrix state(Index rows, Index columns, Generator& generator);

/// Keys and writes of a head alone, under the family's usual rule.
Matrix keys(const Regime& regime, const RegimeShape& shape, Generator& generator);
/// Of a family whose writes do not depend on its keys (constant, uniform); throws std::logic_error else.
Matrix writes(const Regime& regime, const RegimeShape& shape, Index width, Generator& generator);

}  // namespace deltaproof::draw
