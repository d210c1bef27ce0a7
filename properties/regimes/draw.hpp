#pragma once

#include "properties/regimes/families.hpp"
#include "properties/regimes/generator.hpp"

namespace deltaproof::draw {

// The parts of a head, each from a generator of its own and rounded to its stored format.

/// tokens x K, in the type of inputs.
Matrix keys(const Regime& regime, const RegimeShape& shape, Generator& generator);
/// tokens x K, in the type of inputs: unit rows.
Matrix queries(const RegimeShape& shape, Generator& generator);
/// tokens x V, in the type of inputs; may depend on the (rounded) keys.
Matrix values(const Regime& regime, const RegimeShape& shape, const Matrix& keys,
              Generator& generator);
/// tokens x width, f32: log decays.
Matrix gates(const Regime& regime, const RegimeShape& shape, Index width, Generator& generator);
/// tokens x width, f32: beta or eta.
Matrix writes(const Regime& regime, const RegimeShape& shape, Index width, Generator& generator);
/// tokens x slots, f32 in (0, 1): 1 / (1 + |g| + u) for the regime's gates and u in [1/16, 1/2).
Matrix slot_decays(const Regime& regime, const RegimeShape& shape, Generator& generator);
/// rows x columns, f32.
Matrix state(Index rows, Index columns, Generator& generator);

}  // namespace deltaproof::draw
