#include "properties/defects/bug_class.hpp"

#include <stdexcept>

namespace deltaproof {

std::string_view bug_class_name(BugClass bug_class) {
  switch (bug_class) {
    case BugClass::harness: return "the test harness itself";
    case BugClass::sequences: return "tail chunk, varlen, empty sequence";
    case BugClass::slots: return "state slots and padding sentinels";
    case BugClass::gates: return "gate and decay";
    case BugClass::precision: return "type too narrow, cancellation";
    case BugClass::layout: return "layout, strides, head map";
    case BugClass::races: return "races";
    case BugClass::checkpoints: return "checkpoint between parts of a run";
    case BugClass::eviction: return "top-k and eviction";
    case BugClass::causality: return "causality";
    case BugClass::norms: return "l2norm eps, zero and tiny keys";
    case BugClass::initial_state: return "initial state ignored or stale";
    case BugClass::miscompile: return "compiler miscompile";
    case BugClass::solve: return "triangular solve, WY algebra";
    case BugClass::uninitialised: return "out of bounds, uninitialised, padding reaching the state";
  }
  throw std::logic_error("unknown class of bugs");
}

std::span<const BugClass> bug_classes() {
  using enum BugClass;
  static constexpr BugClass all[] = {harness, sequences,     slots,       gates,    precision,
                                     layout,  races,         checkpoints, eviction, causality,
                                     norms,   initial_state, miscompile,  solve,    uninitialised};
  return all;
}

}  // namespace deltaproof
