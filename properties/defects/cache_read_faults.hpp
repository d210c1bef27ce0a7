#pragma once

#include "reference/arithmetic/hola_bits.hpp"

namespace deltaproof::faults {

using EditHead = void (*)(const Problem&, const Sequence&, std::int64_t head, HeadInputs&);

/// Edits of what a head's scores and reads are made of.
HolaFault of_inputs(EditHead edit);
void gammas_lost(const Problem&, const Sequence&, std::int64_t, HeadInputs&);
void gamma_k_lost(const Problem&, const Sequence&, std::int64_t, HeadInputs&);
void gammas_of_head_0(const Problem&, const Sequence&, std::int64_t, HeadInputs&);
void no_root_of_K(const Problem&, const Sequence&, std::int64_t, HeadInputs&);
void root_of_K_twice(const Problem&, const Sequence&, std::int64_t, HeadInputs&);
void tau_lost(const Problem&, const Sequence&, std::int64_t, HeadInputs&);
void sink_missing(const Problem&, const Sequence&, std::int64_t, HeadInputs&);
void sink_0(const Problem&, const Sequence&, std::int64_t, HeadInputs&);
void sink_of_head_0(const Problem&, const Sequence&, std::int64_t, HeadInputs&);
void gate_of_head_0(const Problem&, const Sequence&, std::int64_t, HeadInputs&);
void values_of_key_head(const Problem&, const Sequence&, std::int64_t, HeadInputs&);
void values_of_token_before(const Problem&, const Sequence&, std::int64_t, HeadInputs&);
HolaFault flat_read();

// Entries that a query reads.
HolaFault reads_next_cache();
HolaFault reads_cache_before();
HolaFault reads_online_cache();
HolaFault reads_up_to(Index behind);  ///< of its block: nC .. t + behind
HolaFault reads_whole_block();
HolaFault reads_cache_alone();
HolaFault reads_block_alone();
HolaFault loses_last_entry();
HolaFault reads_empty_places();

/// What a row with this sum of squares is multiplied by.
HolaFault rows_with(float (*factor)(const HeadInputs&, float squares, bool key));
float eps_outside(const HeadInputs&, float squares, bool key);
float no_eps(const HeadInputs&, float squares, bool key);
float sum_for_mean(const HeadInputs&, float squares, bool key);
float no_root(const HeadInputs&, float squares, bool key);
float raw_keys(const HeadInputs&, float squares, bool key);
float raw_queries(const HeadInputs&, float squares, bool key);

HolaFault sink_has_value();
HolaFault softmax_without_shift();
HolaFault softmax_without_rescaling();
HolaFault softmax_without_division();

/// s from the gate.
HolaFault gate_as(float (*of)(float gate));
float itself(float gate);
float exponential(float gate);
float negated(float gate);
float open(float gate);
float shut(float gate);
HolaFault mixed_outputs();

}  // namespace deltaproof::faults
