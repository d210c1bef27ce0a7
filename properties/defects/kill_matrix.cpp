#include "properties/defects/kill_matrix.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "properties/defects/catalogue.hpp"
#include "properties/defects/defect_kernel.hpp"
#include "properties/defects/in_parallel.hpp"
#include "properties/defects/matrix_problems.hpp"

namespace deltaproof {
namespace {

using Problems = std::vector<std::unique_ptr<JudgedProblem>>;  // of one regime

std::string arithmetic_of(const std::string& kernel) {
  if (kernel != "chunk" && kernel != "recurrent") {
    throw std::invalid_argument(fmt::format("no defects are put into kernel '{}'", kernel));
  }
  return "deltaproof-" + kernel;
}

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
    const bool useless = &found != &undamaged && rule >= our_matrix_rules && undamaged.outcomes[rule] == Outcome::killed;
    if (useless) {
      ++total.useless;
      continue;
    }
    ++total.judged;
    total.killed += found.outcomes[rule] == Outcome::killed ? 1 : 0;
  }
}

MatrixCell cell_of(const Defect* defect, const Problems& problems, const std::string& arithmetic, std::uint64_t seed) {
  MatrixCell cell;
  cell.rules.resize(matrix_rules().size());
  for (std::size_t place = 0; place < problems.size(); ++place) {
    const JudgedProblem& on = *problems[place];
    if (defect == nullptr) {
      count(on.undamaged(), on.undamaged(), cell);
    } else {
      count(on.judge(DefectKernel(defect, arithmetic, seed, place)), on.undamaged(), cell);
    }
  }
  return cell;
}

int count_cells(const MatrixRow& row, std::size_t rule, bool killed) {
  return static_cast<int>(std::count_if(row.cells.begin(), row.cells.end(), [&](const MatrixCell& cell) {
    return killed ? cell.rules[rule].killed > 0 : cell.rules[rule].applies();
  }));
}

// Laws take longest: each regime asks them on one of its problems, in turns, whichever other regimes are asked for.
bool asks_laws(const Regime& regime, const ProblemSpec& spec, std::size_t problems) {
  const auto number = static_cast<std::size_t>(&regime - regimes().data());
  return number % problems == spec.index;
}

std::vector<Problems> judged_problems(const MatrixOptions& options, const std::string& arithmetic) {
  std::vector<Problems> all;
  std::vector<std::pair<std::size_t, ProblemSpec>> places;
  for (std::size_t i = 0; i < options.regimes.size(); ++i) {
    const std::vector<ProblemSpec> specs = matrix_problem_specs(*options.regimes[i], options.seed, arithmetic);
    all.emplace_back(specs.size());
    for (const ProblemSpec& spec : specs) places.emplace_back(i, spec);
  }
  const DefectKernel undamaged(nullptr, arithmetic);
  const std::vector<const Property*> laws = matrix_laws();
  in_parallel(places.size(), options.threads, [&](std::size_t i) {
    const auto& [regime, spec] = places[i];
    const bool ask = asks_laws(*options.regimes[regime], spec, all[regime].size());
    all[regime][spec.index] = std::make_unique<JudgedProblem>(problem_of(spec), undamaged,
                                                              ask ? laws : decltype(laws){}, spec.seed);
  });
  return all;
}

}  // namespace

bool MatrixCell::killed_by_ours() const {
  return std::any_of(rules.begin(), rules.begin() + our_matrix_rules, [](const RuleCount& rule) { return rule.killed > 0; });
}

std::string MatrixRow::id() const { return defect == nullptr ? "(no defect)" : std::string(defect->id); }
int MatrixRow::applicable(std::size_t rule) const { return count_cells(*this, rule, false); }
int MatrixRow::killed(std::size_t rule) const { return count_cells(*this, rule, true); }

bool MatrixRow::killed_by_ours() const {
  return std::any_of(cells.begin(), cells.end(), [](const MatrixCell& cell) { return cell.killed_by_ours(); });
}

bool MatrixRow::should_survive() const {
  return defect == nullptr || defect->stage == Stage::none || !defect->equivalent.empty();
}

std::vector<const MatrixRow*> KillMatrix::survivors() const {
  std::vector<const MatrixRow*> found;
  for (const MatrixRow& row : rows) {
    if (!row.should_survive() && !row.killed_by_ours()) found.push_back(&row);
  }
  return found;
}

std::vector<const MatrixRow*> KillMatrix::false_alarms() const {
  std::vector<const MatrixRow*> found;
  for (const MatrixRow& row : rows) {
    if (row.should_survive() && row.killed_by_ours()) found.push_back(&row);
  }
  return found;
}

std::string why_survived(const MatrixRow& row) {
  int problems = 0, unchanged = 0;
  std::string why_not;
  for (const MatrixCell& cell : row.cells) {
    problems += cell.problems;
    unchanged += cell.unchanged;
    if (why_not.empty()) why_not = cell.why_not;
  }
  if (row.defect != nullptr && !row.defect->equivalent.empty()) {
    return fmt::format("equivalent: {}", row.defect->equivalent);
  }
  if (problems == 0) return fmt::format("it was tried on no problem: {}", why_not.empty() ? "there is none" : why_not);
  if (unchanged == problems) return fmt::format("no bit of the outputs changes, on any of {} problems", problems);
  return fmt::format("bits change on {} of {} problems, within everything that is asked", problems - unchanged, problems);
}

KillMatrix kill_matrix(const MatrixOptions& options) {
  const std::string arithmetic = arithmetic_of(options.kernel);
  KillMatrix matrix{options.kernel, options.seed, options.regimes, {}};
  matrix.rows.emplace_back();
  for (const Defect* defect : options.defects) matrix.rows.push_back({defect, {}});
  for (MatrixRow& row : matrix.rows) row.cells.resize(options.regimes.size());

  const std::vector<Problems> problems = judged_problems(options, arithmetic);
  const std::size_t regimes = options.regimes.size();
  in_parallel(matrix.rows.size() * regimes, options.threads, [&](std::size_t i) {
    MatrixRow& row = matrix.rows[i / regimes];
    row.cells[i % regimes] = cell_of(row.defect, problems[i % regimes], arithmetic, options.seed);
  }, options.progress);
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
