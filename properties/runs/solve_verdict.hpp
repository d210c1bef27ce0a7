#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "properties/runs/solve_check.hpp"

namespace deltaproof {

/// A verdict of a property of a solve, with all but its outcome.
Verdict solve_verdict(const SolveProblem& problem, const Device& device, std::string_view property);

/// Place of element `flat` of X.
Location solve_place(const SolveProblem& problem, std::int64_t flat);

/// SHA-256 of X's bits.
std::string solve_hash(const SolveProblem& problem, const std::vector<float>& X);

/// X of member `index` of the batch, C x columns, as it is.
Matrix solved_matrix(const SolveProblem& problem, std::int64_t index, const std::vector<float>& X);

/// The same with 0 for what is not finite: bounds are of what a solve computed.
Matrix finite_part(const Matrix& X);

/// One value against its bound, into the verdict. A NaN or an infinity is off by an infinite ratio.
void judge_solved(const SolveProblem& problem, std::int64_t flat, double value, double expected, double bound,
                  Verdict& verdict);

/// What of a comparison with bounds decides besides its violations.
struct SolveSpan {
  bool proved = true;           ///< every bound is finite
  bool accepts_wrong = false;   ///< a bound would accept a wrong answer of a whole matrix
  std::string wrong = "zeros";  ///< which
  std::string out_of_range;     ///< where the right answer first leaves fp32; empty: nowhere
};
/// Whether the bounds of a matrix would accept zeros where the right answer is not zero.
class ZeroProbe {
 public:
  void add(double right, double bound) {
    differs_ |= right != 0;
    rejected_ |= std::abs(right) > bound;
  }
  bool accepted() const { return differs_ && !rejected_; }

 private:
  bool differs_ = false, rejected_ = false;
};
/// Whether a right solve may have an infinity at element `flat` (`largest` of its SolveAnswer): not to be judged
/// then.
bool leaves_fp32(const SolveProblem& problem, std::int64_t flat, double largest, SolveSpan& span);
/// The outcome: `failed`, else `uninformative` for what `span` says, else `passed`.
Verdict solve_outcome(Verdict verdict, const SolveSpan& span);

}  // namespace deltaproof
