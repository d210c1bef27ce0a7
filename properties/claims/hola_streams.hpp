#pragma once

#include <vector>

#include "properties/claims/hola_search.hpp"

namespace deltaproof::claims {

/// Fixed scores of the tokens 0, 1, .., and how they come to a store of w entries.
struct Stream {
  std::vector<int> scores;
  std::vector<int> order;   ///< positions in order of arrival
  std::vector<int> blocks;  ///< sizes; they add up to the number of scores
  int w = 1;
};

std::vector<Named> inputs_of(const Stream& stream);
std::string text(const std::vector<int>& values);

using Positions = std::vector<int>;  ///< sorted

/// The w largest; of equal scores the earlier position.
Positions top(const Stream& stream);
/// One token at a time in order of position: the worst leaves, of equal scores the later position.
Positions one_by_one(const Stream& stream);
/// The same in order of arrival.
Positions in_order(const Stream& stream);
/// In order of arrival; who comes takes the place of the smallest score only if his own is larger: no rule for equal
/// scores.
Positions first_come(const Stream& stream);
/// Block after block; each offers its best `offered` entries (w: all that may be kept).
Positions by_blocks(const Stream& stream, int offered);
/// The last w.
Positions recent(const Stream& stream);
/// Scores halve with each later token.
Positions ageing(const Stream& stream);

RationalMatrix as_row(const Positions& positions);

/// Up to 5 tokens with scores 0 to 2, w to 3, in all ways to cut them into blocks, in order of position; then random
/// longer ones.
std::vector<Stream> streams_in_blocks(const Effort& effort);
/// Up to 4 tokens, in all orders of arrival; then random longer ones.
std::vector<Stream> streams_in_orders(const Effort& effort);

}  // namespace deltaproof::claims
