#include "properties/defects/kill_matrix.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "properties/defects/catalogue.hpp"
#include "properties/defects/defect_kernel.hpp"
#include "properties/in_parallel.hpp"
#include "properties/defects/matrix_problems.hpp"

namespace deltaproof {
namespace {

// Of one regime and one kernel; null where the kernel refuses the problem.
using Problems = std::vector<std::unique_ptr<JudgedProblem>>;

constexpr std::array<std::string_view, 5> kernels = {"chunk", "recurrent", "fla-chunk", "hola", "hola_decode"};

// A published rule that rejects the undamaged kernel says nothing by rejecting a damaged one.
void count(const Judgement& found, const Judgement& undamaged, MatrixCell& cell) {
  if (!found.why_not.empty()) {
    if (cell.why_not.empty()) cell.why_not = found.why_not;
    return;
  }
  ++cell.problems;
  cell.unchanged += found.unchanged ? 1 : 0;
  if (cell.property.empty()) cell.property = found.property;
  for (std::size_t rule = 0; rule < cell.rules.size(); ++rule) {
    RuleCount& total = cell.rules[rule];
    if (found.outcomes[rule] == Outcome::not_applicable) continue;
    const bool useless =
        &found != &undamaged && rule >= our_matrix_rules && undamaged.outcomes[rule] == Outcome::killed;
    if (useless) {
      ++total.useless;
      continue;
    }
    ++total.judged;
    total.killed += found.outcomes[rule] == Outcome::killed ? 1 : 0;
  }
}

MatrixCell cell_of(const Defect* defect, const Problems& problems, const std::string& kernel, std::uint64_t seed) {
  MatrixCell cell;
  cell.rules.resize(matrix_rules().size());
  for (std::size_t place = 0; place < problems.size(); ++place) {
    if (problems[place] == nullptr) continue;
    const JudgedProblem& on = *problems[place];
    if (defect == nullptr) {
      count(on.undamaged(), on.undamaged(), cell);
    } else {
      count(on.judge(DefectKernel(defect, kernel, seed, place)), on.undamaged(), cell);
    }
  }
  return cell;
}

// Laws take longest: each regime asks them on one of its problems, in turns, whichever other regimes are asked for.
bool asks_laws(const Regime& regime, const ProblemSpec& spec, std::size_t problems) {
  const auto number = static_cast<std::size_t>(&regime - regimes().data());
  return number % problems == spec.index;
}

std::vector<Problems> judged_problems(const MatrixOptions& options, const std::string& kernel) {
  std::vector<Problems> all;
  std::vector<std::pair<std::size_t, ProblemSpec>> places;
  for (std::size_t i = 0; i < options.regimes.size(); ++i) {
    const std::vector<ProblemSpec> specs = problem_specs_for(kernel, *options.regimes[i], options.seed);
    all.emplace_back(specs.size());
    for (const ProblemSpec& spec : specs) places.emplace_back(i, spec);
  }
  const DefectKernel undamaged(nullptr, kernel);
  const std::vector<const Property*> laws = matrix_laws();
  in_parallel(places.size(), options.threads, [&](std::size_t i) {
    const auto& [regime, spec] = places[i];
    Problem problem = problem_of(spec);
    if (!undamaged.refusal(problem).empty() || !undamaged.has_scores(problem)) return;
    const bool ask = asks_laws(*options.regimes[regime], spec, all[regime].size());
    all[regime][spec.index] =
        std::make_unique<JudgedProblem>(std::move(problem), undamaged, ask ? laws : decltype(laws){}, spec.seed);
  });
  return all;
}

// What a defect needs of a problem is no matter of the family that it is drawn from.
bool has_place(const Defect& defect, std::string_view kernel) {
  const std::vector<ProblemSpec> specs = problem_specs_for(kernel, regimes().front(), 0);
  return std::any_of(specs.begin(), specs.end(), [&](const ProblemSpec& spec) {
    return DefectKernel(&defect, std::string(kernel)).refusal(problem_of(spec)).empty();
  });
}

std::string kernel_for(const Defect& defect, const std::string& wanted) {
  if (has_place(defect, wanted)) return wanted;
  const auto other =
      std::find_if(kernels.begin(), kernels.end(), [&](std::string_view k) { return has_place(defect, k); });
  return other == kernels.end() ? wanted : std::string(*other);
}

// The defects, each in its kernel, after the undamaged kernels that they are put into.
std::vector<MatrixRow> empty_rows(const MatrixOptions& options) {
  std::vector<MatrixRow> rows = {{nullptr, options.kernel, {}}}, defects;
  for (const Defect* defect : options.defects) {
    defects.push_back({defect, kernel_for(*defect, options.kernel), {}});
    const bool known = std::any_of(rows.begin(), rows.end(),
                                   [&](const MatrixRow& row) { return row.kernel == defects.back().kernel; });
    if (!known) rows.push_back({nullptr, defects.back().kernel, {}});
  }
  rows.insert(rows.end(), defects.begin(), defects.end());
  for (MatrixRow& row : rows) row.cells.resize(options.regimes.size());
  return rows;
}

}  // namespace

std::span<const std::string_view> matrix_kernels() { return kernels; }

KillMatrix kill_matrix(const MatrixOptions& options) {
  if (std::find(kernels.begin(), kernels.end(), options.kernel) == kernels.end()) {
    throw std::invalid_argument(fmt::format("no defects are put into kernel '{}'", options.kernel));
  }
  KillMatrix matrix{options.kernel, options.seed, options.regimes, empty_rows(options)};
  std::map<std::string, std::vector<Problems>> problems;  // by kernel
  for (const MatrixRow& row : matrix.rows) {
    if (row.defect == nullptr) problems[row.kernel] = judged_problems(options, row.kernel);
  }
  const std::size_t count = options.regimes.size();
  const auto judge_cell = [&](std::size_t i) {
    MatrixRow& row = matrix.rows[i / count];
    row.cells[i % count] =
        cell_of(row.defect, problems.at(row.kernel)[i % count], row.kernel, options.seed);
  };
  in_parallel(matrix.rows.size() * count, options.threads, judge_cell, options.progress);
  return matrix;
}

std::vector<const Defect*> all_defects() {
  std::vector<const Defect*> all;
  for (const Defect& defect : defect_catalogue()) all.push_back(&defect);
  return all;
}

std::vector<const Regime*> all_regimes() {
  std::vector<const Regime*> all;
  for (const Regime& regime : regimes()) all.push_back(&regime);
  return all;
}

}  // namespace deltaproof
