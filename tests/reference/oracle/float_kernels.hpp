#pragma once

#include "truth.hpp"

namespace deltaproof::testing {

/// Order in which a kernel adds the K products of a dot.
enum class Sum { sequential, reversed, pairwise, four_lanes };

/// Where a kernel multiplies: as the rule's text does, or with operations moved and fused.
struct Kernel {
  Sum sum = Sum::sequential;
  bool fused = false;         ///< std::fma in dots and in the write
  bool decay_in_dot = false;  ///< residual against alpha (S^T k) instead of (alpha S)^T k
  bool b_on_key = false;      ///< writes (b k) e^T instead of k (b e)^T
};

/// A token recurrence in float or double, written on its own: it shares no code with the oracle.
/// The head's inputs must be exact in F, without normalisation; b of kla is formed in double and
/// rounded to F.
template <class F>
KernelRun run_kernel(const HeadInputs& head, const Kernel& kernel);

}  // namespace deltaproof::testing
