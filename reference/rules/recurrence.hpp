#pragma once

#include "reference/rules/steps.hpp"

namespace deltaproof {

/// Sees each token of a block of value columns. `state`: K x columns after the write (row stride given),
/// `e` and `w` = b e: columns values.
struct NoObserver {
  template <class R>
  void operator()(Index /*token*/, Index /*first_column*/, Index /*columns*/, const R* /*state*/,
                  Index /*row_stride*/, const R* /*e*/, const R* /*w*/) const {}
};

/// The token recurrence of the update family (semantics, 'The update family'), in the order
/// decay, residual, write, read. `state` is K x V row-major, in and out; `o` is tokens x V.
template <class R, class Observer>
void recurrence(const Steps<R>& steps, R* state, R* o, Observer&& observer);

}  // namespace deltaproof
