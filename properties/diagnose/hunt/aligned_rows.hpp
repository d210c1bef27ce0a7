#pragma once

#include "properties/diagnose/hunt/entry_move.hpp"

namespace deltaproof {

// Rows of q and v made from what the state holds by the reference, in double, rounded to their type. Of value heads that
// share a key head the first one decides. A head whose rule has no state of the update family stays as it is.

/// Kind::ask.
Problem asking_for_keys(const EntryMove& move, const Problem& problem);
/// Kind::cancel: v_t - e_t in place of v_t, token after token.
Problem with_cancelled_residuals(const EntryMove& move, const Problem& problem);
/// Kind::turn: q_t without its part along the first left singular vector of S_t.
Problem with_turned_queries(const EntryMove& move, const Problem& problem);

}  // namespace deltaproof
