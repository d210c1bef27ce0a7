#pragma once

#include "properties/defects/defect.hpp"

namespace deltaproof::damage {

// Where a run's states between its chunks are not among the outputs, the final state alone is damaged.

/// Every value of these tensors times `factor`, rounded to the tensor's type.
DamageOutputs scale(std::vector<std::string> tensors, double factor);
/// The tokens of chunk 1 of `o`, of every head.
DamageOutputs scale_chunk(double factor);

/// Which element of `o` moves: any; the largest of any row (one head of one token); the largest of all.
enum class Element { any, largest_of_a_row, largest };
/// One element of `o` moved by so many units in the last place of its type, up or down.
DamageOutputs move(int units, Element element);

DamageOutputs zero_element();
DamageOutputs zero_row();     ///< one head of one token
DamageOutputs zero_column();  ///< one value channel of one head
DamageOutputs swap_tokens();  ///< two neighbours, of one head
DamageOutputs swap_columns(); ///< two neighbours, of one head
DamageOutputs swap_heads();   ///< the first two
DamageOutputs shift_token();  ///< `o` one token late; the first token is repeated
DamageOutputs transpose_states(bool last_alone);
/// One element of the state after some chunk. That after the last one is the final state, too.
DamageOutputs scale_state_element(double factor);
/// Nearly Gaussian noise on `o` of this root mean square, relative to that of `o`.
DamageOutputs noise(double relative);

}  // namespace deltaproof::damage
