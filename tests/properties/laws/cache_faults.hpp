#pragma once

#include "reference/arithmetic/hola_bits.hpp"

namespace deltaproof::wrong {

// Ways in which an exact cache goes wrong.
HolaFault uses_later_scores();      ///< of the block itself: they evict, though its tokens are not in the cache yet
HolaFault best_of_the_sequence();   ///< the w best of all tokens, those before the block
HolaFault loses_the_best();         ///< the second best to the (w + 1)-th are kept
HolaFault holds_its_own_block();    ///< tokens of the block are in the cache as well
HolaFault holds_a_token_twice();
HolaFault later_wins_ties();
HolaFault gate_without_sigmoid();
HolaFault sink_has_a_value();
HolaFault oldest_first();           ///< recency counted backwards
HolaFault reads_block_before();     ///< a query sees the token of its place in the block before, too
HolaFault room_for_a_multiple_of_8();
HolaFault one_block_late();         ///< the sets of the block before
HolaFault scores_of_odd_blocks_doubled();
HolaFault keeps_the_lowest();
HolaFault rms_without_the_mean();   ///< 1 / |x| in both reads
HolaFault does_not_divide();        ///< by the sum of the weights

}  // namespace deltaproof::wrong
