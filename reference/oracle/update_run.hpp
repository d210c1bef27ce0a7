#pragma once

#include <cmath>
#include <vector>

#include "reference/oracle/answer.hpp"
#include "reference/oracle/captured.hpp"
#include "reference/oracle/kept_states.hpp"
#include "reference/oracle/outward.hpp"
#include "reference/rules/recurrence.hpp"

namespace deltaproof {

/// Upper bounds of the 2-norms of the columns of a block of the state.
inline void block_norms(const double* state, Index rows, Index columns, Index row_stride,
                        double* norms) {
  std::fill_n(norms, columns, 0.0);
  add_column_squares(state, rows, columns, row_stride, norms);
  for (Index c = 0; c < columns; ++c)
    norms[c] = norm_bound_from_sum(norms[c], state + c, rows, row_stride);
}
inline void block_norms(const Mpfr* state, Index rows, Index columns, Index row_stride,
                        double* norms) {
  std::vector<double> column(static_cast<std::size_t>(rows));
  for (Index c = 0; c < columns; ++c) {
    for (Index i = 0; i < rows; ++i)
      column[static_cast<std::size_t>(i)] = size_bound(state[i * row_stride + c]);
    norms[c] = norm_bound(column.data(), rows);
  }
}

/// Watches a run of the update family over a piece of the head, from token `begin`: norms for its
/// certificate, and what the caller asked to keep, which goes straight into the answer.
template <class R>
class RunObserver {
 public:
  RunObserver(Index begin, const HeadInputs& piece, const KeptStates& kept, HeadAnswer& answer)
      : begin_(begin), K_(piece.K), V_(piece.V), kept_(kept), answer_(answer) {
    norms.state.resize(piece.tokens, V_);
    norms.w.resize(piece.tokens, V_);
  }

  void operator()(Index token, Index first_column, Index columns, const R* state, Index row_stride,
                  const R* e, const R* w) {
    const Index at = token * V_ + first_column;
    block_norms(state, K_, columns, row_stride, norms.state.data() + at);
    for (Index c = 0; c < columns; ++c) norms.w.data()[at + c] = size_bound(w[c]);
    if (answer_.u.size() > 0)
      for (Index c = 0; c < columns; ++c) answer_.u.data()[begin_ * V_ + at + c] = to_double(w[c]);
    if (answer_.e.size() > 0)
      for (Index c = 0; c < columns; ++c) answer_.e.data()[begin_ * V_ + at + c] = to_double(e[c]);
    const Index slot = kept_.slot(begin_ + token);
    if (slot >= 0)
      keep(answer_.states[static_cast<std::size_t>(slot)], first_column, columns, state,
           row_stride);
  }

  NormTrace norms;  ///< of the piece, rounded up

 private:
  void keep(Matrix& out, Index first_column, Index columns, const R* state, Index row_stride) {
    for (Index i = 0; i < K_; ++i)
      for (Index c = 0; c < columns; ++c)
        out(i, first_column + c) = to_double(state[i * row_stride + c]);
  }

  Index begin_, K_, V_;
  const KeptStates& kept_;
  HeadAnswer& answer_;
};

}  // namespace deltaproof
