#pragma once

#include "properties/regimes/place.hpp"
#include "reference/problem/matrix.hpp"

namespace deltaproof::draw::recorded {

// A slice of golden/recorded/kla_trained_layer0_T512.safetensors, activations of a small character model trained with
// the KLA write rule: the first 96 tokens and 32 channels of its two heads. The seed draws the recorded token that is
// the first and the head that the first head is; tokens, heads and channels beyond the slice begin it again.

/// tokens x K.
Matrix keys(const Place& place, Index tokens, Index K);
/// tokens x K.
Matrix queries(const Place& place, Index tokens, Index K);
/// tokens x V.
Matrix values(const Place& place, Index tokens, Index V);
/// Log decay of a token.
double gate(const Place& place, Index token);
/// KLA's eta of a token.
double eta(const Place& place, Index token);

}  // namespace deltaproof::draw::recorded
