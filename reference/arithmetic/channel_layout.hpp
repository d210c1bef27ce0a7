#pragma once

#include <span>

#include "reference/arithmetic/bits.hpp"
#include "reference/arithmetic/declared.hpp"

namespace deltaproof {

/// The sum of terms of which the upper half is added to the lower one until one is left. Their number is a power of
/// two; they are overwritten.
float sum_by_halves(std::span<float> terms);

/// sum_c a_c b_c over n channels, n a power of two, in fp32 as the threads of a warp hold them: a lane rounds its
/// second product, fuses the first onto it (`second_fused`: the other way round) and the others in ascending order;
/// with one channel a lane the first halving fuses the lower product. Then halves of the up to 32 lanes of a warp,
/// then halves of the warps. `ascending`: one chain of fma from zero.
float sum_over_channels(ChannelSum order, std::span<const float> a, std::span<const float> b);

/// Of each 16 columns the even ones, then the odd ones; the last 16 are filled up with zeros.
MatrixF evens_first(const MatrixF& a);

}  // namespace deltaproof
