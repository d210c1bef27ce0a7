#pragma once

#include "properties/accuracy/accuracy.hpp"
#include "reference/problem/safetensors.hpp"

namespace deltaproof {

/// The right answer of a problem as tensors in f64, shaped like a kernel's outputs in kv layout: o,
/// final_state, chunk_states (after each states_every tokens), each with `_radius` (|value - exact| <= radius);
/// for the update family also u = b e, u_radius, and scores = |u_t|_2. Where the problem's arithmetic has a
/// bound: o_bound and final_state_bound for a whole run, and their terms as `o_bound.NAME`. Padding sequences
/// and rows outside cu_seqlens hold zeros. Metadata says which precision was used.
Safetensors full_answer(const Problem& problem, const AccuracyOptions& options);

}  // namespace deltaproof
