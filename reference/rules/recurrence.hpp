#pragma once

#include <vector>

#include "reference/rules/lane.hpp"
#include "reference/rules/steps.hpp"

namespace deltaproof {

/// Sees each token of a block of value columns. `state`: K x columns after the write (row stride
/// given), `e` and `w` = b e: columns values. A block runs through all its tokens before the next
/// block starts. `columns` is a constant after inlining: at most kBlockColumns<R>.
struct NoObserver {
  template <class R>
  void operator()(Index /*token*/, Index /*first_column*/, Index /*columns*/, const R* /*state*/,
                  Index /*row_stride*/, const R* /*e*/, const R* /*w*/) const {}
};

/// Columns of a full block: their state stays in the nearest cache (16 KiB of doubles at K = 128).
template <class R>
inline constexpr Index kBlockColumns = 4 * Lane<R>::width;

namespace recurrence_detail {

// L is a lane (or R itself for single columns) and N lanes make the block; S is K x N lanes,
// contiguous.

template <Decay D, bool Residual, class R, class L, int N>
inline void decay_and_read_key(const Steps<R>& steps, Index t, L* S, L (&p)[N]) {
  const R* k = steps.k.data() + t * steps.K;
  const R* alpha = steps.alpha.data();  // null without decay
  if constexpr (D != Decay::none) alpha += D == Decay::per_channel ? t * steps.K : t;
  for (Index i = 0; i < steps.K; ++i) {
    L* row = S + i * N;
    if constexpr (D != Decay::none) {
      Factor<R> a = alpha[D == Decay::per_channel ? i : 0];
      for (int j = 0; j < N; ++j) row[j] *= a;
    }
    if constexpr (Residual) {
      Factor<R> k_i = k[i];
      for (int j = 0; j < N; ++j) p[j] += row[j] * k_i;
    }
  }
}

template <class R, class L, int N>
inline void write_and_read(const Steps<R>& steps, Index t, L* S, const L (&w)[N], L (&read)[N]) {
  const R* k = steps.k.data() + t * steps.K;
  const R* q = steps.q.data() + t * steps.K;
  for (Index i = 0; i < steps.K; ++i) {
    L* row = S + i * N;
    Factor<R> k_i = k[i];
    Factor<R> q_i = q[i];
    for (int j = 0; j < N; ++j) {
      row[j] += w[j] * k_i;
      read[j] += row[j] * q_i;
    }
  }
}

// All tokens of one block: decay, residual, write, read. Rows are summed in order.
template <Decay D, bool Residual, class R, class L, int N, class Observer>
void run_block(const Steps<R>& steps, Index first_column, L* S, R* o, Observer& observer) {
  constexpr Index width = kLaneWidth<R, L>;
  constexpr Index columns = N * width;
  for (Index t = 0; t < steps.tokens; ++t) {
    const R* v = steps.v.data() + t * steps.V + first_column;
    R* out = o + t * steps.V + first_column;
    L p[N]{}, e[N]{}, w[N]{}, read[N]{};
    if constexpr (D != Decay::none || Residual)
      decay_and_read_key<D, Residual, R, L, N>(steps, t, S, p);
    for (int j = 0; j < N; ++j) {
      load(v + j * width, e[j]);
      if constexpr (Residual) e[j] -= p[j];
      w[j] = e[j] * steps.b[static_cast<std::size_t>(t)];
    }
    write_and_read<R, L, N>(steps, t, S, w, read);
    for (int j = 0; j < N; ++j) {
      read[j] *= steps.scale;
      store(read[j], out + j * width);
    }
    observer(t, first_column, columns, reinterpret_cast<const R*>(S), columns,
             reinterpret_cast<const R*>(e), reinterpret_cast<const R*>(w));
  }
}

template <class R, class L, int N, class Observer>
void dispatch_block(const Steps<R>& steps, Index first_column, L* block, R* o, Observer& observer) {
  const bool r = steps.residual;
  switch (steps.decay) {
    case Decay::none:
      return r ? run_block<Decay::none, true, R, L, N>(steps, first_column, block, o, observer)
               : run_block<Decay::none, false, R, L, N>(steps, first_column, block, o, observer);
    case Decay::scalar:
      return r ? run_block<Decay::scalar, true, R, L, N>(steps, first_column, block, o, observer)
               : run_block<Decay::scalar, false, R, L, N>(steps, first_column, block, o, observer);
    case Decay::per_channel:
      return r ? run_block<Decay::per_channel, true, R, L, N>(steps, first_column, block, o,
                                                              observer)
               : run_block<Decay::per_channel, false, R, L, N>(steps, first_column, block, o,
                                                               observer);
  }
}

// Gathers the block's columns, so that they lie together in the cache, runs it, and scatters them.
// Not inlined: GCC would otherwise warn about blocks wider than a caller's array, which never run
// on it.
template <class L, int N, class R, class Observer>
[[gnu::noinline]] void run_columns(const Steps<R>& steps, Index first_column, R* state, R* o,
                                   Observer& observer) {
  constexpr Index width = kLaneWidth<R, L>;
  std::vector<L> block(static_cast<std::size_t>(steps.K * N));
  for (Index i = 0; i < steps.K; ++i)
    for (int j = 0; j < N; ++j)
      load(state + i * steps.V + first_column + j * width, block[i * N + j]);
  dispatch_block<R, L, N>(steps, first_column, block.data(), o, observer);
  for (Index i = 0; i < steps.K; ++i)
    for (int j = 0; j < N; ++j)
      store(block[i * N + j], state + i * steps.V + first_column + j * width);
}

}  // namespace recurrence_detail

/// The recurrence on value columns [first_column, first_column + columns) alone. `state` (K x V
/// row-major, in and out) and `o` (tokens x V) are the whole arrays; other columns are neither read
/// nor written, so disjoint ranges may run in parallel (MPFR and MPFI: each thread with its own
/// WorkingPrecision). A column's result does not depend on how the columns are divided.
template <class R, class Observer>
void recurrence_columns(const Steps<R>& steps, Index first_column, Index columns, R* state, R* o,
                        Observer&& observer) {
  using namespace recurrence_detail;
  using L = typename Lane<R>::type;
  Index column = first_column;
  const Index end = first_column + columns;
  for (; end - column >= kBlockColumns<R>; column += kBlockColumns<R>)
    run_columns<L, 4>(steps, column, state, o, observer);
  for (; end - column >= Lane<R>::width; column += Lane<R>::width)
    run_columns<L, 1>(steps, column, state, o, observer);
  if constexpr (Lane<R>::width > 1)
    for (; column < end; ++column) run_columns<R, 1>(steps, column, state, o, observer);
}

/// The token recurrence of the update family (semantics, 'The update family'), in the order
/// decay, residual, write, read. `state` is K x V row-major, in and out; `o` is tokens x V.
template <class R, class Observer>
void recurrence(const Steps<R>& steps, R* state, R* o, Observer&& observer) {
  recurrence_columns(steps, 0, steps.V, state, o, observer);
}

/// Adds, for an observer, sum over rows of state^2 to `sums` (`columns` values), at the
/// recurrence's speed.
inline void add_column_squares(const double* state, Index rows, Index columns, Index row_stride,
                               double* sums) {
  using L = Lane<double>::type;
  constexpr Index width = Lane<double>::width;
  Index column = 0;
  for (; columns - column >= 4 * width; column += 4 * width) {
    L sum[4]{};
    for (Index i = 0; i < rows; ++i) {
      for (int j = 0; j < 4; ++j) {
        L x;
        load(state + i * row_stride + column + j * width, x);
        sum[j] += x * x;
      }
    }
    for (Index j = 0; j < 4; ++j)
      for (Index lane = 0; lane < width; ++lane) sums[column + j * width + lane] += sum[j][lane];
  }
  for (; column < columns; ++column) {
    double sum = 0;
    for (Index i = 0; i < rows; ++i)
      sum += state[i * row_stride + column] * state[i * row_stride + column];
    sums[column] += sum;
  }
}

}  // namespace deltaproof
