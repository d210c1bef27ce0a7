#pragma once

#include "truth.hpp"

namespace deltaproof::testing {

/// Order in which a kernel adds the K products of a dot.
enum class Sum { sequential, reversed, pairwise, four_lanes };

/// How a kernel forms w = b (v - k.s~) and the new state from the same terms.
enum class Write {
  after_dot,      ///< b (v - dot), then s~ + k w
  from_v,         ///< the chain of the residual starts from v
  b_distributed,  ///< b v - b dot
  b_in_chain,     ///< the chain starts from b v and subtracts (b k_i) s_i
  expanded,       ///< (s~ + (b k) v) - (b k) dot
  matrix          ///< (I - b k k^T) s~ by a dense product, its chain starting from (b k_i) v
};

/// Where a kernel applies the decay.
enum class DecayAt {
  state,  ///< s~ first
  dot,    ///< a scalar decay against alpha (S^T k) in the residual
  key     ///< the residual reads S with alpha k, and the write is alpha S + k w
};

/// Where a kernel multiplies: as the rule's text does, or with operations moved and fused.
struct Kernel {
  Sum sum = Sum::sequential;
  bool fused = false;  ///< std::fma in dots and in the write
  DecayAt decay = DecayAt::state;
  bool b_on_key = false;  ///< writes (b k) e^T instead of k (b e)^T; only Write::after_dot, from_v
  Write write = Write::after_dot;
  bool scale_on_query = false;
};

/// A token recurrence in float or double, written on its own: it shares no code with the oracle.
/// The head's inputs must be exact in F, without normalisation; b of kla is formed in double and
/// rounded to F.
template <class F>
KernelRun run_kernel(const HeadInputs& head, const Kernel& kernel);

}  // namespace deltaproof::testing
