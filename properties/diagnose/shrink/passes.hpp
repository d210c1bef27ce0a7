#pragma once

#include <cstdint>
#include <functional>

#include "properties/diagnose/shrink/search.hpp"
#include "properties/laws/parts.hpp"

namespace deltaproof {

// Each tries smaller cases in a fixed order, the boldest first, and returns whether it took one.

/// At once what the verdict names: its sequence, its head, and its chunk from the state before it.
bool focus(Search& search);
/// Sequences, and rows of a pool that no sequence has; cu_seqlens and state_indices where they say nothing.
bool fewer_sequences(Search& search);
/// Key heads with their value heads, then value heads of each.
bool fewer_heads(Search& search);
/// Chunks from the end and, with recorded states, from the beginning; then tokens.
bool fewer_tokens(Search& search);
/// Value channels; of a kernel that is run key channels, too.
bool fewer_channels(Search& search);
/// Of a kernel that is run: smaller chunks and caches, options left out, states and gates left out.
bool plainer_options(Search& search);
/// Of a kernel that is run: values to 0, 1 and powers of two, whole tensors first.
bool plainer_values(Search& search);

/// Tries parts of 0 .. count - 1 until no smaller one is taken: `favourite` alone, then all without a half, a quarter ..
/// `take` adopts what it returns true for, after which numbers are those of what is left.
bool keep_fewer(std::int64_t count, std::int64_t favourite, const std::function<bool(const laws::Indices&)>& take);

/// Tries to leave out n - 1, n / 2, n / 4 .. 1 of `count()`, each as long as it goes.
bool leave_out(const std::function<std::int64_t()>& count, const std::function<bool(std::int64_t)>& without);

}  // namespace deltaproof
