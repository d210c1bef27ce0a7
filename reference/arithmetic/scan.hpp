#pragma once

#include "reference/arithmetic/bits.hpp"
#include "reference/arithmetic/declared.hpp"

namespace deltaproof {

/// Inclusive prefix sums down each column in fp32, added in the declared order.
MatrixF prefix_sums(const MatrixF& x, Scan scan);

/// The most fp32 additions that any prefix of n values goes through (pieces_of_4: those of pieces_of_2).
int scan_depth(Scan scan, Index n);

}  // namespace deltaproof
