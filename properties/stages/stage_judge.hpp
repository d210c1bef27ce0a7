#pragma once

#include <string>

#include "properties/runs/solve_verdict.hpp"
#include "properties/stages/stage_problem.hpp"

namespace deltaproof {

/// Compares values of a stage with right ones, each within its bound, and says what follows. A head of a sequence is
/// looked at for itself: a bound that would accept zeros for all of it where the right answer is not zero could not
/// have failed there.
class StageJudge {
 public:
  StageJudge(const StageProblem& problem, Verdict verdict) : problem_(problem), verdict_(std::move(verdict)) {}

  /// Where the bound is infinite nothing is compared.
  void compare(const Tensor& output, const std::string& tensor, std::int64_t flat, double expected, double bound,
               ZeroProbe* zeros = nullptr);
  /// The head is done.
  void end(const ZeroProbe& zeros) { accepts_zeros_ = accepts_zeros_ || zeros.accepted(); }
  /// `failed`, else `uninformative` for what was not proved, was empty or would accept zeros, else `passed`.
  Verdict outcome() &&;

 private:
  const StageProblem& problem_;
  Verdict verdict_;
  std::int64_t unproved_ = 0;
  bool accepts_zeros_ = false;
};

/// Values of one sequence and head of an output, from [.., T, HV, V]: what element (t, column) is called.
inline std::int64_t value_place(const StageShape& d, const StageSequence& sequence, std::int64_t head, std::int64_t t,
                                std::int64_t column) {
  return ((sequence.first + t) * d.HV + head) * d.V + column;
}

}  // namespace deltaproof
