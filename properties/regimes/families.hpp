#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "reference/problem/head.hpp"
#include "reference/rules/rule.hpp"

namespace deltaproof {

/// What makes a family of inputs hard (docs: error bounds, measured tightness): its key geometry,
/// its gates, its write coefficients and its values, each drawn independently of the others.
enum class KeyGeometry {
  random_unit,    ///< unit keys in random directions
  near_parallel,  ///< unit keys around one direction, 5 % apart
  parallel,       ///< one unit key, with noise of 0.001
  subspace,       ///< unit keys in a random subspace of dimension K/8
  tiny,           ///< |k|^2 around eps of KLA: |k| from 2^-13 to 2^-6
  mixed_norm,     ///< |k| from 2^-10 to 2^5
};
enum class GateProfile {
  none,    ///< g = 0
  gdn,     ///< g in (-0.3, 0], mostly near 0, as trained gates are
  heads,   ///< a rate for each head from 0.001 to 1.6 a token, as models are initialised; g within 0.25 to 1.75 of it
  strong,  ///< g in (-3, -1]
  resets,  ///< nearly 0, but one token in 16 wipes the state: g = -30, -100 or -1000
};
enum class ValueProfile {
  normal,
  linear_in_key,  ///< v = W k: once W is learnt the residual cancels
  heavy_tail,     ///< a quotient of normals
};

/// A named family of inputs.
struct Regime {
  std::string_view name;
  std::string_view summary;
  Rule rule;  ///< the rule it is usually run with; any other will do
  KeyGeometry keys;
  GateProfile gates;
  double write;  ///< write coefficient (beta or eta) of every token; 0: uniform in (0.02, 0.98)
  ValueProfile values;
};

std::span<const Regime> regimes();
/// nullptr if the name is unknown.
const Regime* find_regime(std::string_view name);

/// Sizes of what is generated.
struct RegimeShape {
  std::int64_t tokens = 64, K = 32, V = 32;
  std::int64_t B = 1, H = 1, HV = 1;
  std::int64_t slots = 8;      ///< gsa only
  bool initial_state = false;  ///< random, else absent (zero)
  Dtype input = Dtype::bf16;   ///< of q, k and v
  std::int64_t chunk = 64;     ///< C: where a family places something at the edge of a chunk
};

/// One value head: q, k, v rounded to their type, g, write, slot decay and initial state to f32; scale
/// K^-1/2. The same (regime, rule, shape, seed) gives the same bits on every machine.
HeadInputs regime_head(const Regime& regime, Rule rule, const RegimeShape& shape,
                       std::uint64_t seed);

/// A whole problem with B batch rows, H key heads and HV value heads; head 0 of row 0 is
/// `regime_head`.
Problem regime_problem(const Regime& regime, Rule rule, const RegimeShape& shape,
                       std::uint64_t seed);

}  // namespace deltaproof
