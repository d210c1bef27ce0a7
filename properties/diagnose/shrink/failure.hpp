#pragma once

#include <string>

#include "properties/diagnose/measured.hpp"
#include "properties/diagnose/shrink/run_case.hpp"

namespace deltaproof {

/// In which way a run fails: what must stay while a case gets smaller.
struct Failure {
  Status status = Status::passed;
  std::string property;      ///< "accuracy", or another of check_run
  std::string bound;         ///< "LOC", "ADJ", "fp64", ..
  std::string what;          ///< the reason without its numbers and places
  std::string tensor;        ///< of the first bad value: "o", "state", "scores", "selected"; "" if there is none
  FailureStage stage = FailureStage::none;
};

/// All of it but the stage, which takes more work.
Failure failure_of(const Verdict& verdict);

/// The place that the verdict names: its first value out of bound, outside PIN, or with other bits. Tensor "" if none.
Location first_place(const Verdict& verdict);

/// Whether two runs fail in the same way, stages apart. LOC and ADJ count as one where one of them is that of `one_unit`:
/// of a run no longer than the tokens between its states, of which both bounds are the same numbers.
bool alike(const Failure& x, const Failure& y, bool one_unit);

/// "failed accuracy by LOC at stage step, first in o"
std::string to_string(const Failure& failure);

}  // namespace deltaproof
