#pragma once

#include <span>
#include <string_view>

namespace deltaproof {

/// Classes of bugs that public reports on linear-attention kernels tell of (docs/defects.md, 1).
enum class BugClass {
  harness,        ///< the tests themselves pass on anything; here: a control
  sequences,      ///< tail chunk, packed sequences, empty sequence
  slots,          ///< state slots and padding sentinels
  gates,          ///< gate and decay: overflow, underflow, wrong base or space
  precision,      ///< type too narrow, cancellation
  layout,         ///< layout, strides, head map
  races,          ///< values of another moment or another thread
  checkpoints,    ///< states between parts of a run
  eviction,       ///< what a bounded cache keeps, and until when
  causality,      ///< a token sees a later one, or not what it should
  norms,          ///< l2norm and eps, zero and tiny keys
  initial_state,  ///< ignored or stale
  miscompile,     ///< one value, one factor, one index wrong
  solve,          ///< triangular solve, WY algebra
  uninitialised,  ///< out of bounds, uninitialised, padding reaching the state
};
/// "tail, varlen, empty sequence".
std::string_view bug_class_name(BugClass bug_class);
std::span<const BugClass> bug_classes();

}  // namespace deltaproof
