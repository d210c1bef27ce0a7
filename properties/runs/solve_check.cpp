#include "properties/runs/solve_check.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#include "properties/accuracy/outputs_hash.hpp"
#include "properties/runs/ended.hpp"

namespace deltaproof {
namespace {

Verdict blank(const SolveProblem& problem, const Device& device, const char* property) {
  Verdict verdict;
  verdict.case_name = problem.name;
  verdict.kernel = "triangular_solve";
  verdict.property = property;
  verdict.ran = device.provenance();
  if (device.library().solve != nullptr) verdict.ran.launch = device.library().solve->launch;
  return verdict;
}

Location place(const SolveProblem& problem, std::int64_t flat) {
  Location where;
  where.tensor = "X";
  where.sequence = flat / (problem.C * problem.columns);
  where.row = flat / problem.columns % problem.C;
  where.column = flat % problem.columns;
  return where;
}

std::string hash_of(const SolveProblem& problem, const std::vector<float>& X) {
  Tensor tensor{Dtype::f32, {problem.batch, problem.C, problem.columns}, {}};
  const auto bytes = std::as_bytes(std::span(X));
  tensor.bytes.assign(bytes.begin(), bytes.end());
  Outputs outputs;
  outputs.tensors["X"] = std::move(tensor);
  return outputs_hash(outputs);
}

// One value against its bound. A NaN or an infinity is off by an infinite ratio.
void judge(const SolveProblem& problem, std::int64_t flat, double value, double expected, double bound,
           Verdict& verdict) {
  ++verdict.compared;
  const double error = std::isfinite(value) ? std::abs(value - expected) : HUGE_VAL;
  const double ratio = error == 0 ? 0 : error / bound;
  if (!(error <= bound) || !std::isfinite(value)) {
    if (verdict.violations++ == 0) {
      verdict.has_first_bad = true;
      verdict.first_bad = place(problem, flat);
    }
  }
  if (!(ratio > verdict.worst_ratio) && verdict.compared > 1) return;
  verdict.worst_ratio = ratio;
  verdict.worst = place(problem, flat);
  verdict.value = value, verdict.expected = expected, verdict.error = error, verdict.bound_value = bound;
}

Verdict accuracy(const SolveProblem& problem, const std::vector<float>& X, Verdict verdict) {
  verdict.bound = problem.blocked_inverse ? "blocked inverse" : "substitution";
  verdict.outputs_hash = hash_of(problem, X);
  bool proved = true, accepts_zeros = false;
  const std::int64_t size = problem.C * problem.columns;
  for (std::int64_t b = 0; b < problem.batch; ++b) {
    Matrix computed(problem.C, problem.columns);
    for (Index i = 0; i < size; ++i) computed.data()[i] = double{X[static_cast<std::size_t>(b * size + i)]};
    const SolveAnswer answer =
        solve_answer(problem, b, computed.allFinite() ? computed : Matrix::Zero(problem.C, problem.columns));
    proved = proved && answer.bound.allFinite();
    accepts_zeros = accepts_zeros || (answer.X.cwiseAbs().array() <= answer.bound.array()).all();
    for (Index i = 0; i < size; ++i) {
      judge(problem, b * size + i, computed.data()[i], answer.X.data()[i], answer.bound.data()[i], verdict);
    }
  }
  if (verdict.violations > 0) {
    return ended(std::move(verdict), Status::failed,
                 fmt::format("{} of {} values are further from the right answer than the bound allows",
                             verdict.violations, verdict.compared));
  }
  if (!proved) return ended(std::move(verdict), Status::uninformative, "(I + L) is too ill-conditioned for a bound");
  if (accepts_zeros) {
    return ended(std::move(verdict), Status::uninformative, "the bound would also accept wrong answers: zeros");
  }
  return ended(std::move(verdict), Status::passed, {});
}

Verdict same_bits(const SolveProblem& problem, const std::vector<float>& X, const std::vector<NamedDevice>& reruns,
                  Verdict verdict) {
  verdict.bound = "bits";
  verdict.outputs_hash = hash_of(problem, X);
  std::string names;
  for (const NamedDevice& rerun : reruns) {
    names += (names.empty() ? "" : ", ") + rerun.what;
    const std::vector<float> other = solve(*rerun.device, problem);
    for (std::size_t i = 0; i < X.size(); ++i) {
      ++verdict.compared;
      const bool both_nan = std::isnan(X[i]) && std::isnan(other[i]);  // as compare_bits
      if (both_nan || std::memcmp(&X[i], &other[i], sizeof(float)) == 0) continue;
      if (verdict.violations++ > 0) continue;
      verdict.has_first_bad = true;
      verdict.first_bad = place(problem, static_cast<std::int64_t>(i));
      verdict.reason = fmt::format("under {} values have other bits, the first at {}", rerun.what,
                                   to_string(verdict.first_bad));
    }
  }
  verdict.notes.push_back(fmt::format("{} of {} values differ from {}", verdict.violations, verdict.compared, names));
  verdict.status = verdict.violations == 0 ? Status::passed : Status::failed;
  return verdict;
}

template <class Work>
Verdict guarded(Verdict verdict, Work work) {
  try {
    return work(verdict);
  } catch (const std::exception& error) {
    return ended(std::move(verdict), Status::error, error.what());
  }
}

}  // namespace

std::vector<Verdict> check_solve(const SolveProblem& problem, const Device& device, const SolveChecks& checks) {
  std::vector<Verdict> verdicts;
  std::vector<float> X;
  verdicts.push_back(guarded(blank(problem, device, "accuracy"), [&](Verdict verdict) {
    X = solve(device, problem);
    return accuracy(problem, X, std::move(verdict));
  }));
  if (X.empty()) return verdicts;
  const auto bits = [&](const char* property, const Device& on, const std::vector<NamedDevice>& reruns) {
    if (reruns.empty()) return;
    verdicts.push_back(guarded(blank(problem, on, property), [&](Verdict verdict) {
      return same_bits(problem, X, reruns, std::move(verdict));
    }));
  };
  bits("schedules", device, checks.schedules);
  if (checks.checked) bits("checked", *checks.checked, {{"the plain build", checks.checked}});
  if (checks.against) bits("against_host", device, {*checks.against});
  return verdicts;
}

}  // namespace deltaproof
