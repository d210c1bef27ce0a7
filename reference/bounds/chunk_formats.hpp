#pragma once

#include <optional>
#include <string_view>

#include "reference/bounds/gates.hpp"
#include "reference/bounds/rounding.hpp"
#include "reference/problem/head.hpp"
#include "reference/tensor_core.hpp"

namespace deltaproof {

/// The coarsest formats in which a family of chunk kernels keeps its intermediates. LOC is proved from
/// these alone, for any finer choice and any order of operations that docs/loc.md names.
struct ChunkFormats {
  Rounding operand;     ///< q and k as operands of a dot
  Rounding value;       ///< v as operand of a dot, where no delta rule rewrites it
  Rounding normalised;  ///< q, k after l2norm in the kernel
  Rounding product;     ///< result of each dot that is not accumulated further
  Rounding key_beta;    ///< k b before the Gram product
  Rounding key_beta_undecayed;  ///< k b before it is decayed, where b is stored in 16 bits
  Rounding L, T;
  Rounding rv, rw;      ///< b v and b k e^G
  Rounding u, w;
  Rounding w_decayed;   ///< w e^G, where w is formed without decay
  Rounding state_copy;
  Rounding v_new;       ///< as operand of P v_new
  Rounding v_scaled;    ///< v_new e^{G_C - G_i}
  Rounding k_scaled;    ///< k e^{G_C - G_i}
  Rounding q_scaled;    ///< q e^{G_i} or q scale
  Rounding gram_operand;  ///< per-channel decay: decayed q and k in their Gram products
  Operand gram_dot = Operand::bf16;  ///< type that these products multiply
  Rounding P;
  /// Where the scale is multiplied in: with the output, with q before anything is rounded, or not declared.
  enum class Scale { output, query, either } scale = Scale::output;
  /// Merged from 16 x 16 blocks, by dots of any kind or known to be fp32 chains; or two plain substitutions.
  enum class Inverse { merged, merged_in_fp32, two_substitutions } inverse = Inverse::merged;
  Rounding merge = truncated(formats::tf32);  ///< operands of the products that merge the blocks of an inverse
  Operand dot_operand = Operand::bf16;  ///< type that the dots multiply
  bool fp32_products = false;           ///< with fp32 inputs: dots are chains of fp32 fma, no operand is cut
  /// u and v_new are known to share a type, so that a value already in it is not rounded again
  /// (docs/loc.md, Theorem 6).
  bool shared_value_type = false;
  GateRounding gates;
  bool exact_sums = false;  ///< dots and inverses without errors of their own: for what is left beside them
};

/// Formats of the arithmetic `name` for inputs stored in `input`; nothing if it is no chunk arithmetic,
/// or does not cover the rule, or (fp64 inputs) has no such kernel.
std::optional<ChunkFormats> chunk_formats(std::string_view name, const RuleInfo& rule,
                                          const Format& input, Index chunk_size);

}  // namespace deltaproof
