#pragma once

#include <vector>

#include "properties/golden/routes.hpp"
#include "reference/rules/chunk_wy.hpp"

namespace deltaproof::golden {

/// What rule `hola` adds to the state of `head.state_part()`: scores, sets and reads by the second route, into
/// `result`, whose `o` is the state's and which `chunks` gave.
void add_cache(const HeadInputs& head, const ChunkForm<Interval>& chunks, HeadIntervals& result);

}  // namespace deltaproof::golden
