#pragma once

#include <array>
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
  equal,          ///< one key for all tokens, |k| = 1 exactly: 4^m channels of +-2^-m, 4^m <= K
  opposite,       ///< one such key and its negative, at random
  axes,           ///< +-e_i, i counting up from where the seed says and round again
  signed_units,   ///< +-e_i of random i; queries, too
  some_zero,      ///< random_unit, but one key in four is zero
  huge,           ///< |k| from 2^8 to 2^20, in fp16 2^4 to 2^7
  with_subnormals,  ///< random_unit, but one element in four is a zero or subnormal; queries, too
  extreme,          ///< elements of every kind of FloatKind with |k| < 1; queries, too
  recorded,         ///< of a trained model; queries, too
  facts,            ///< one of 12 unit keys that come again and again; queries, too
  tiny_rows,        ///< |k| from 2^-13 to 2^-6, one in eight zero; queries, too: eps of an RMSNorm decides
};
enum class GateProfile {
  none,    ///< g = 0
  gdn,     ///< g in (-0.3, 0], mostly near 0, as trained gates are
  heads,   ///< a rate for each head from 0.001 to 1.6 a token, as models are initialised; g within 0.25 to 1.75 of it
  strong,  ///< g in (-3, -1]
  resets,  ///< nearly 0, but one token in 16 wipes the state: g = -30, -100 or -1000
  weak,       ///< g in (-0.001, 0]
  one_reset,  ///< g in (-0.01, 0], but -1e4 at one token: 0, C-1 or C; three heads in a row have all three
  bands,      ///< one constant gate a head, of `gate_bands`; 14 heads in a row have all of them
  tiny,       ///< signed zeros and subnormals of fp32
  extreme,    ///< minus any kind of FloatKind, down to -2^15
  recorded,   ///< of a trained model
};
enum class WriteProfile {
  constant,     ///< `write`
  uniform,      ///< in (0.02, 0.98)
  by_norm,      ///< uniform u; u / |k|^2 for rules that take b itself as beta: b |k|^2 < 1 whatever the key
  boundary,     ///< b |k|^2 in [1.9, 2.05], below and above 2, from the norm of the stored key; eta itself for kla
  zero_or_one,  ///< 0 or 1
  extreme,      ///< any kind of FloatKind in [0, 1)
  recorded,     ///< eta of a trained model; for rules that take b itself, eta / (|k|^2 + 1e-6)
  near_one,     ///< 1, or up to two numbers of fp32 above or below it
};
enum class ValueProfile {
  normal,
  linear_in_key,  ///< v = W k: once W is learnt the residual cancels
  heavy_tail,     ///< a quotient of normals
  silent,         ///< normal, but the first 8 tokens are 0 and then one in four
  columns,        ///< normal times a power of two of the column, 2^-10 to 2^9; states, too
  integers,       ///< in {-4 .. 4}; states in {-8 .. 8}
  subnormals,     ///< zeros and subnormals: every third column, and half of the others; states, too
  extreme,        ///< any kind of FloatKind below 2^60, in fp16 2^10; states, too
  recorded,       ///< of a trained model; states normal
  unit_errors,    ///< keys along axes: v = S^T k + u, 4^m <= V columns of u +-2^-m, so that |e| = 1 exactly; states 0
  facts,          ///< normal; equal keys have equal values
  outlier,        ///< normal, but 2^8 times that at one of the first tokens
};

/// A named family of inputs.
struct Regime {
  std::string_view name;
  std::string_view summary;
  std::string_view domain;  ///< where its exact answer stays inside fp32, and what else holds there
  Rule rule = Rule::gated_delta;  ///< the rule it is usually run with; any other will do
  KeyGeometry keys = KeyGeometry::random_unit;
  GateProfile gates = GateProfile::none;
  WriteProfile writes = WriteProfile::constant;  ///< of beta or eta
  double write = 1;                              ///< of WriteProfile::constant
  ValueProfile values = ValueProfile::normal;
  bool mixed_heads = false;  ///< keys, and values with states, times powers of two that differ from head to head
  bool unit_scale = false;   ///< scale 1 and not K^-1/2: the answer is a number of few bits
};

std::span<const Regime> regimes();
/// nullptr if the name is unknown.
const Regime* find_regime(std::string_view name);
using GateBands = std::array<double, 14>;
/// The values of GateProfile::bands. The last three are -ln(FLT_MAX)/C in fp32 and its neighbours, an ulp smaller and
/// an ulp larger: exp of minus a chunk's sum of gates is there the largest number of fp32 or the first to overflow.
GateBands gate_bands(std::int64_t chunk);

/// Whether the exact answer stays inside fp32 for up to 200 tokens of any K, under this rule, variant and c (rows
/// not normalised): b |k|^2 <= 2.05, so that no step expands the state by more than 1.05 and |v| b |k|. Where
/// it does not, overflow of a correct kernel is no surprise.
bool stays_in_fp32(const Regime& regime, const Options& options);

/// Sizes of what is generated.
struct RegimeShape {
  std::int64_t tokens = 64, K = 32, V = 32;
  std::int64_t B = 1, H = 1, HV = 1;
  std::int64_t slots = 8;      ///< gsa only
  bool initial_state = false;  ///< random, else absent (zero)
  Dtype input = Dtype::bf16;   ///< of q, k and v
  std::int64_t chunk = 64;     ///< C: where a family places something at the edge of a chunk
  Rule state_rule = Rule::gated_delta;             ///< hola only
  std::int64_t cache_size = 8, cache_block = 16;   ///< hola only
};

/// One value head: q, k, v rounded to their type, g, write, slot decay and initial state to f32; scale
/// K^-1/2, or what the family says. Of hola, rows that the kernel normalises and parameters of the cache, the same for
/// every family. The same (regime, rule, shape, seed) gives the same bits on every machine.
HeadInputs regime_head(const Regime& regime, Rule rule, const RegimeShape& shape,
                       std::uint64_t seed);

/// A whole problem with B batch rows, H key heads and HV value heads; head 0 of row 0 is
/// `regime_head`. Fewer heads (of the same HV / H) are the first heads; fewer tokens are the first tokens, but for
/// the keys of `kla_tinykey` and `kla_mixnorm` and the values of `heavytail_v`, which depend on T.
Problem regime_problem(const Regime& regime, Rule rule, const RegimeShape& shape,
                       std::uint64_t seed);

}  // namespace deltaproof
