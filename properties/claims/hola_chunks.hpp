#pragma once

#include <string>
#include <vector>

#include "properties/claims/hola_streams.hpp"

namespace deltaproof::claims {

/// When the persistent set takes in a token. The source leaves it open: the first two are causal.
enum class Update {
  at_boundaries,    ///< at the end of its chunk
  at_once,          ///< with the token
  whole_chunk,      ///< with the first token of its chunk, by the scores of all of the chunk
  whole_chunk_cut,  ///< so, and later positions are masked afterwards
};

/// Scores, w, the chunk size in blocks[0], and how the persistent set comes about.
struct Chunked : Stream {
  Update update = Update::at_boundaries;
};

std::vector<Named> inputs_of(const Chunked& stream);

/// What the query at `t` sees, without the sink.
Positions visible(const Chunked& stream, int t);

/// Queries that see a later token, or whose set depends on a later score.
std::int64_t not_causal(const Chunked& stream);

/// The most that a query sees, with the sink.
std::int64_t largest_visible(const Chunked& stream);

/// Up to 5 tokens with scores 0 to 2, w to 2, chunks of 1 to 3, smallest first, each with every update.
std::vector<Chunked> chunked_streams(const Effort& effort);

}  // namespace deltaproof::claims
