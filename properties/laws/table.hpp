#pragma once

#include "properties/laws/property.hpp"

namespace deltaproof::laws {

// One file each. A new property is one file, one line here and one in table.cpp.
extern const Property repeatable;

// Bit for bit.
extern const Property second_call;
extern const Property split_on_chunks;
extern const Property packed_alone;
extern const Property packed_rows;
extern const Property empty_sequence;
extern const Property batch_permutation;
extern const Property head_permutation;
extern const Property head_alone;
extern const Property grouped_heads;
extern const Property column_permutation;
extern const Property prefix_causality;
extern const Property later_ignored;
extern const Property layouts;
extern const Property state_rows;
extern const Property in_place;
extern const Property unlisted_rows;
extern const Property padding;
extern const Property nan_contained;
extern const Property nan_reaches;
extern const Property zero_state;
extern const Property zero_beta;
extern const Property zero_gate;
extern const Property zero_value;
extern const Property guard_zones;
extern const Property negated_values;
extern const Property negated_queries;
extern const Property value_scaling;
extern const Property query_scaling;
extern const Property key_scaling;

// Of an exact cache, bit for bit.
extern const Property cache_causality;
extern const Property cache_of_scores;
extern const Property cache_bounded;
extern const Property cache_ties;
extern const Property cache_closed_gate;
extern const Property cache_recency;
extern const Property cache_size_zero;
extern const Property cache_holds_all;
extern const Property cache_block_sizes;
extern const Property cache_fixed_scores;
extern const Property cache_kept_stays;
extern const Property cache_sharpening;
extern const Property cache_weights;

// Within a proven bound.
extern const Property split;
extern const Property one_by_one;
extern const Property chunk_sizes;
extern const Property linear_in_values;
extern const Property reset_gate;
extern const Property kla_unit_keys;
extern const Property zero_key;
extern const Property residual_contraction;
extern const Property interference;
extern const Property projection;
extern const Property line_search;
extern const Property proximal;
extern const Property closed_form;
extern const Property pure_decay;
extern const Property slow_decay;
extern const Property exact_integers;
extern const Property chunk_form;
extern const Property comparator;

}  // namespace deltaproof::laws
