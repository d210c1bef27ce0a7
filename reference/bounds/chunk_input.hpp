#pragma once

#include "reference/bounds/gates.hpp"
#include "reference/problem/head.hpp"

namespace deltaproof {

/// The exact inputs of one chunk of the update family, as the equations use them.
struct ChunkInput {
  Matrix q, k;              ///< C x K, normalised where the problem says so
  Matrix v;                 ///< C x V
  Matrix b;                 ///< C x 1
  LogDecay decay;           ///< C x 1 or C x K
  bool per_channel = false;
  bool residual = true;     ///< r
  double scale = 1;
  double normalise_error = 0;  ///< relative fp32 error of l2norm in the kernel
  bool q_normalised = false, k_normalised = false;
  bool normalised_in_fp32 = false;  ///< such rows are not rounded any further
  Matrix q_error, k_error;     ///< 0 x 0, or how far rows that the kernel stores may be from q, k
  double b_error = 0;       ///< relative error of b where the kernel forms it, for exact keys
  bool b_from_norm = false; ///< b divides by |k|^2, formed by the kernel from its own keys
  double g_error = 0;       ///< relative error of g where the kernel forms it
  double transition_norm = 1;  ///< prod_t max_c alpha_tc max(1, |1 - b_t |k_t|^2|): bounds |S_out / S|_2
  Matrix state;             ///< K x V: reference state S at the chunk's start
  Matrix state_error;       ///< K x V: |S^ - S|; 0 x 0 if the kernel's state is known exactly

  /// Relative error of b, if the kernel's keys have relative error `key_error`.
  double b_error_with(double key_error) const;

  Matrix state_size() const {
    return state_error.size() == 0 ? Matrix(state.cwiseAbs()) : Matrix(state.cwiseAbs() + state_error);
  }
};

/// Relative fp32 error of a row of K elements divided by sqrt(sum x^2 + eps) in the kernel.
double normalise_error(Index K);

/// Of a slice of a head (update family) from `state`.
ChunkInput chunk_input(const HeadInputs& slice, const Matrix& state, const Matrix& state_error);

}  // namespace deltaproof
