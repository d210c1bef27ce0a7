#pragma once

#include "reference/bounds/chunk_formats.hpp"
#include "reference/bounds/chunk_input.hpp"
#include "reference/bounds/approximate.hpp"

namespace deltaproof {

/// The two decayed Gram matrices of a chunk, lower triangles, C x C.
struct Grams {
  Approximate keys;     ///< (k_i . k_j) with decay between j and i, j < i
  Approximate queries;  ///< (q_i . k_j) likewise, j <= i
};

/// Scalar decay: a dot of the operands, times e^{G_i - G_j}. `left` replaces the left keys in `keys`
/// (k b, where a kernel rounds that product first).
Grams scalar_decay_grams(const Approximate& q, const Approximate& k, const Approximate& left,
                         const Approximate& between, const Rounding& product, const DotError& accumulation);

/// Per-channel decay: sum_c x_ic k_jc e^{G_ic - G_jc}, formed as a dot of x e^{G_i - G_n} and
/// k e^{G_n - G_j} for any anchor n of the chunk, each rounded as an operand, the
/// scale folded in or not (docs/loc.md, Lemma 3).
Grams per_channel_grams(const Approximate& q, const Approximate& k, const Approximate& left,
                        const LogDecay& decay, const ChunkFormats& formats, double scale,
                        const DotError& accumulation);

}  // namespace deltaproof
