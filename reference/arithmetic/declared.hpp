#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/problem/format.hpp"
#include "reference/rules/rule.hpp"

namespace deltaproof {

/// Rounding points: values that a kernel keeps in a type of its own choice before it uses them.
enum class Point {
  q, k,        ///< rows that the kernel normalises
  k_beta,      ///< b k
  k_beta_decayed,  ///< (b k) e^G
  v_beta,      ///< b v
  T,           ///< the inverse
  u, w,        ///< T (b v), T (b k ..)
  w_decayed,   ///< w e^G
  state_copy,  ///< the state as operand of w S and q S
  v_new,       ///< u - w S as operand of P v_new
  v_scaled,    ///< v_new e^{G_last - G}
  k_scaled,    ///< k e^{G_last - G}
  q_scaled,    ///< q scale, or q e^G
  x_decayed,   ///< q_i e^{G_i - G_n}, k_i e^{G_i - G_n}, k_j e^{G_n - G_j} between blocks (decay per channel)
  P,           ///< masked, decayed q k^T
  o,           ///< the output
};
inline constexpr std::size_t point_count = 17;

/// Dot products, by what they make.
enum class Product {
  gram,     ///< k k^T
  scores,   ///< q k^T
  u, w,     ///< T (b v), T (b k ..)
  w_state,  ///< w S
  q_state,  ///< q S
  p_v,      ///< P v_new
  state,    ///< k^T v_scaled
};
inline constexpr std::size_t product_count = 8;

/// What a rounding point rounds to. `input`: the type of q, k and v; `stored`: the type of the output tensor;
/// `beta`: f32 if b is in fp32, else as `input` (a product with b in the wider of the two types).
enum class PointFormat { input, stored, beta, bf16, f16, tf32, f32 };
enum class PointMode { nearest_even, truncated };
struct PointRounding {
  PointFormat format = PointFormat::input;
  PointMode mode = PointMode::nearest_even;
  friend bool operator==(const PointRounding&, const PointRounding&) = default;
};

/// Order of the prefix sum of the log decays of a chunk.
enum class Scan {
  pieces_of_32,  ///< Kogge-Stone in each 32 tokens, then the sum of the piece before
  pieces_of_16,  ///< the same with 16
  pieces_of_4,   ///< with 4: decay per channel, 32 channels a block of threads
  pieces_of_2,   ///< with 2: 64 channels a block
  pairs,         ///< two neighbours a lane, Kogge-Stone over lanes: one warp, tokens next to each other in memory
  kogge_stone,   ///< over the whole chunk
  sklansky,      ///< over the whole chunk
  sequential,
};

/// 2^x: the fast instruction with or without flush to zero, or correctly rounded.
enum class Exp2 { approx, approx_ftz, correctly_rounded };

/// How (I + L)^{-1} is formed: 16 x 16 blocks by substitution, then merged; or one substitution.
enum class Inverse { merged_blocks, substitution };

/// Order of the sum in a row of a substitution of n rows (docs/arithmetic.md, 3).
enum class RowSum {
  halves_lower_fused,  ///< rows r and r + n/2 first, fma on the lower; then halves of halves
  halves_upper_fused,  ///< fma on the upper
  halves_unfused,      ///< every product rounded
  eights_lower_fused,  ///< each 8 rows as halves_lower_fused; then halves of the eights
  fours_lower_fused,   ///< the same with 4
  twos_lower_fused,    ///< with 2
  ascending,           ///< a chain of fma
  exact,               ///< one rounding
};

/// Products that merge the blocks: operands made TF32 in one of three ways, or fp32 in a chain of fma.
enum class Merge { tf32_truncated, tf32_nearest_even, tf32_nearest_away, ieee };

/// Order of the sum over blocks in a merge, in one accumulator; `separate`: added afterwards in fp32.
enum class MergeSum { ascending, descending, rotated, separate };

/// S e^G + k^T v_scaled: the decayed state as accumulator of the product, added to it, or by fma.
enum class StateSum { accumulator, added, fused };

/// P v_new with the decayed q S as its accumulator, or added to it.
enum class ChunkSum { accumulator, added };

/// Order of a sum over channels in a block of 16 tokens (decay per channel): how many neighbours lie in one thread,
/// which fuses its first product onto its second, or the other way round. The lanes' sums are added by halves, then
/// those of the warps (docs/arithmetic.md, 'KDA and GLA'). `ascending`: one chain of fma in one thread.
enum class ChannelSum { eight, four, four_second_fused, two, one, ascending };

/// Order in which a product between blocks of 16 tokens takes its channels (decay per channel): `even_odd`: of each
/// 16 the even ones first, if q and k are loaded in 16 bits.
enum class ChannelOrder { ascending, even_odd };

/// Threads among which a recurrent kernel divides the rows of the state; `by_initial_state`: 16 if the kernel
/// loads an initial state, 4 if not. `any`: not declared, so nothing is emulated.
enum class Lanes { by_initial_state, four, eight, sixteen, any };

/// How a lane of a recurrent kernel sums its rows: a chain of fma from the rounded second product, the first fused
/// onto it, or from zero.
enum class LaneSum { second_product, from_zero };

/// Products of fp32 inputs: on the tensor core, or chains of fp32 fma in ascending order.
enum class F32Products { tf32, ieee };

/// How a kernel forms |x|^2 of a row that it normalises, or whose key's write coefficient it forms. `warp`: lane l of
/// 32 has a chain of fma over elements l, l + 32, .., from zero; then halves of the lanes. The root and the divisions
/// are IEEE (docs/arithmetic.md, 'Built-in kernels'). `unknown`: not declared.
enum class NormSum { unknown, warp };

/// Whether autotuning may choose other layouts at run time than declared (TextInfo::autotuned).
enum class Layout { autotuned, fixed };

/// (q S) scale + (P v) scale: which product is fused, if any.
enum class OutputSum { first_fused, second_fused, unfused };

/// The v_new that is scaled for the update of the state.
enum class ScaledFrom { unrounded, rounded };

/// A declared order of operations and roundings: which text, and the choices in it. A choice that a text
/// does not make keeps its default and is not in the JSON.
struct Declared {
  std::string text;  ///< "fla-chunk" ...: reference/arithmetic/texts.hpp
  std::array<PointRounding, point_count> at = {};
  std::string mma = "hopper";  ///< tensor-core model (tensor_core.hpp); `any`: bounds for all, emulated as `hopper`
  Scan scan = Scan::pieces_of_32;
  Exp2 exp2 = Exp2::approx;
  double exp_error = 0x1p-21;  ///< relative error of 2^x (PTX ISA: 2 ulp from correctly rounded)
  Inverse inverse = Inverse::merged_blocks;
  RowSum row_sum = RowSum::halves_lower_fused;
  Merge merge = Merge::tf32_truncated;
  MergeSum merge_sum = MergeSum::ascending;
  ScaledFrom v_scaled_from = ScaledFrom::unrounded;
  StateSum state_sum = StateSum::accumulator;
  OutputSum output_sum = OutputSum::first_fused;
  ChunkSum chunk_sum = ChunkSum::accumulator;
  ChannelSum channel_sum = ChannelSum::eight;
  ChannelOrder channel_order = ChannelOrder::ascending;
  Lanes lanes = Lanes::by_initial_state;
  LaneSum lane_sum = LaneSum::second_product;
  NormSum norm_sum = NormSum::unknown;
  Layout layout = Layout::autotuned;
  std::array<int, product_count> parts;  ///< pieces of K, each a chain of its own, added in fp32
  F32Products f32_products = F32Products::tf32;
  bool u_ieee = true;  ///< with fp32 inputs, u = T (b v) is a chain of fp32 fma instead of TF32

  Declared() {
    parts.fill(1);
    at[static_cast<std::size_t>(Point::o)].format = PointFormat::stored;
  }
  PointRounding& operator[](Point point) { return at[static_cast<std::size_t>(point)]; }
  const PointRounding& operator[](Point point) const { return at[static_cast<std::size_t>(point)]; }
  int& operator[](Product product) { return parts[static_cast<std::size_t>(product)]; }
  int operator[](Product product) const { return parts[static_cast<std::size_t>(product)]; }
  friend bool operator==(const Declared&, const Declared&) = default;
};

/// The built-in declaration `name` for a rule: a text's name, or one of those of the kernels of this repository,
/// `deltaproof-chunk` and `deltaproof-recurrent` (built_in.hpp). Nothing if the name is no declared order of
/// roundings (`generic`, `fp64`) or has no text for the rule.
std::optional<Declared> built_in(std::string_view name, Rule rule);

/// JSON of a declaration; complete, so that it reads back equal, and reading its own text gives its bytes.
std::string to_json(const Declared& declared);

/// From JSON. Fields that are absent are those of the built-in declaration of the same text for `rule`.
/// Throws InputError that names `source` and the unknown text, field, point, product, format or value.
Declared declared_from_json(const std::string& source, const std::string& json, Rule rule);

/// How `other` differs from `base`, field by field: "merge ieee instead of tf32_truncated". Empty if they are
/// equal.
std::string difference(const Declared& base, const Declared& other);

}  // namespace deltaproof
