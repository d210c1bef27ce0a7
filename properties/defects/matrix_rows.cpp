// What a kill matrix says of its rows: who is killed where, by what, and why not.
#include <algorithm>

#include <fmt/format.h>

#include "properties/defects/kill_matrix.hpp"

namespace deltaproof {
namespace {

int count_cells(const MatrixRow& row, std::size_t rule, bool killed) {
  return static_cast<int>(std::count_if(row.cells.begin(), row.cells.end(), [&](const MatrixCell& cell) {
    return killed ? cell.rules[rule].killed > 0 : cell.rules[rule].applies();
  }));
}

}  // namespace

bool MatrixCell::killed_by_ours() const {
  return std::any_of(rules.begin(), rules.begin() + our_matrix_rules,
                     [](const RuleCount& rule) { return rule.killed > 0; });
}

std::string MatrixRow::id() const {
  return defect == nullptr ? fmt::format("({})", kernel) : std::string(defect->id);
}
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
  if (problems == 0)
    return fmt::format("it was tried on no problem: {}", why_not.empty() ? "there is none" : why_not);
  if (unchanged == problems) return fmt::format("no bit of the outputs changes, on any of {} problems", problems);
  return fmt::format("bits change on {} of {} problems, within everything that is asked", problems - unchanged,
                     problems);
}

std::string kills_of(const KillMatrix& matrix, const MatrixRow& row) {
  std::string text;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const MatrixCell& cell = row.cells[i];
    for (std::size_t rule = 0; rule < our_matrix_rules; ++rule) {
      if (cell.rules[rule].killed == 0) continue;
      const bool named = rule + 1 == our_matrix_rules;
      text += fmt::format("{}{}{} on {}", text.empty() ? "" : "; ", matrix_rules()[rule].name,
                          named ? fmt::format(" ({})", cell.property) : "", matrix.regimes[i]->name);
    }
  }
  return text;
}

}  // namespace deltaproof
