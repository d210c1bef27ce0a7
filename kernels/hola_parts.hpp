#pragma once

#include "kernels/hola_call.hpp"

/// The launches around HOLA's cache, for inputs of every type. They throw if one fails; nothing is checked before.
namespace deltaproof {

void launch_cache_scores(const HolaCall& hola);
void launch_cache_select(const HolaCall& hola);
void launch_cache_read(const HolaCall& hola);
/// What one token needs behind the state: score, read, and at the end of a block the merge.
void launch_decode(const HolaCall& hola);
void launch_fill(const HolaCall& hola);

}  // namespace deltaproof
