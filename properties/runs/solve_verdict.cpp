#include "properties/runs/solve_verdict.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "properties/accuracy/outputs_hash.hpp"
#include "properties/runs/ended.hpp"

namespace deltaproof {

Verdict solve_verdict(const SolveProblem& problem, const Device& device, std::string_view property) {
  Verdict verdict;
  verdict.case_name = problem.name;
  verdict.kernel = "triangular_solve";
  verdict.property = property;
  verdict.ran = device.provenance();
  if (device.library().solve != nullptr) verdict.ran.launch = device.library().solve->launch;
  return verdict;
}

Location solve_place(const SolveProblem& problem, std::int64_t flat) {
  Location where{.tensor = "X"};
  where.sequence = flat / (problem.C * problem.columns);
  where.row = flat / problem.columns % problem.C;
  where.column = flat % problem.columns;
  return where;
}

std::string solve_hash(const SolveProblem& problem, const std::vector<float>& X) {
  Tensor tensor{Dtype::f32, {problem.batch, problem.C, problem.columns}, {}};
  const auto bytes = std::as_bytes(std::span(X));
  tensor.bytes.assign(bytes.begin(), bytes.end());
  Outputs outputs;
  outputs.tensors["X"] = std::move(tensor);
  return outputs_hash(outputs);
}

Matrix solved_matrix(const SolveProblem& problem, std::int64_t index, const std::vector<float>& X) {
  Matrix computed(problem.C, problem.columns);
  for (Index i = 0; i < computed.size(); ++i) {
    computed.data()[i] = double{X[static_cast<std::size_t>(index * computed.size() + i)]};
  }
  return computed;
}

Matrix finite_part(const Matrix& X) {
  return X.unaryExpr([](double x) { return std::isfinite(x) ? x : 0.0; });
}

void judge_solved(const SolveProblem& problem, std::int64_t flat, double value, double expected, double bound,
                  Verdict& verdict) {
  ++verdict.compared;
  const double error = std::isfinite(value) ? std::abs(value - expected) : HUGE_VAL;
  const double ratio = error == 0 ? 0 : error / bound;
  if (!(error <= bound) || !std::isfinite(value)) {
    if (verdict.violations++ == 0) {
      verdict.has_first_bad = true;
      verdict.first_bad = solve_place(problem, flat);
    }
  }
  if (!(ratio > verdict.worst_ratio) && verdict.compared > 1) return;
  verdict.worst_ratio = ratio;
  verdict.worst = solve_place(problem, flat);
  verdict.value = value, verdict.expected = expected, verdict.error = error, verdict.bound_value = bound;
}

bool leaves_fp32(const SolveProblem& problem, std::int64_t flat, double largest, SolveSpan& span) {
  if (largest <= double{std::numeric_limits<float>::max()}) return false;
  if (span.out_of_range.empty()) {
    span.out_of_range = fmt::format("the right answer, or a sum on the way to it, leaves the range of fp32 at {}",
                                    to_string(solve_place(problem, flat)));
  }
  return true;
}

Verdict solve_outcome(Verdict verdict, const SolveSpan& span) {
  if (verdict.violations > 0) {
    return ended(std::move(verdict), Status::failed,
                 fmt::format("{} of {} values are further from the right answer than the bound allows",
                             verdict.violations, verdict.compared));
  }
  if (!span.out_of_range.empty()) return ended(std::move(verdict), Status::uninformative, span.out_of_range);
  if (!span.proved)
    return ended(std::move(verdict), Status::uninformative, "(I + L) is too ill-conditioned for a bound");
  if (span.accepts_wrong) {
    return ended(std::move(verdict), Status::uninformative,
                 fmt::format("the bound would also accept wrong answers: {}", span.wrong));
  }
  return ended(std::move(verdict), Status::passed, {});
}

}  // namespace deltaproof
