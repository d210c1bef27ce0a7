#include "properties/defects/kill_matrix_report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace deltaproof {
namespace {

using Json = nlohmann::ordered_json;

Json cell_json(const Regime& regime, const MatrixCell& cell) {
  Json json;
  json["regime"] = regime.name;
  json["problems"] = cell.problems;
  json["unchanged"] = cell.unchanged;
  json["why_not"] = cell.why_not;
  json["property"] = cell.property;
  Json& rules = json["rules"] = Json::array();
  for (const RuleCount& rule : cell.rules) rules.push_back({rule.judged, rule.killed, rule.useless});
  return json;
}

Json row_json(const KillMatrix& matrix, const MatrixRow& row) {
  Json json;
  json["id"] = row.id();
  json["kernel"] = row.kernel;
  if (row.defect != nullptr) {
    json["stage"] = stage_name(row.defect->stage);
    json["class"] = bug_class_name(row.defect->bug_class);
    json["sentence"] = row.defect->sentence;
    json["equivalent"] = row.defect->equivalent;
  }
  json["should_survive"] = row.should_survive();
  json["killed"] = row.killed_by_ours();
  json["survives_because"] = row.killed_by_ours() ? "" : why_survived(row);
  Json& cells = json["cells"] = Json::array();
  for (std::size_t i = 0; i < row.cells.size(); ++i) cells.push_back(cell_json(*matrix.regimes[i], row.cells[i]));
  return json;
}

// "25/27": regimes in which it is killed, of those that say something; "-" where none does.
std::string share(int killed, int applicable) {
  return applicable == 0 ? "-" : fmt::format("{}/{}", killed, applicable);
}

// Counts are up to 159/159, and a space apart.
constexpr std::size_t name_width = 24, column_width = 8;
// Names of rules in a column's width.
constexpr std::string_view short_names[] = {"LOC",   "PIN",    "6sigma", "struct", "bits",   "prop",   "rms",
                                            "loose", "nm1e-7", "nm5e-4", "close",  "cl1e-2", "cl2e-2", "2xbase"};

std::string heading() {
  std::string text = fmt::format("{:<{}}", "killed in regimes", name_width);
  for (std::size_t rule = 0; rule < matrix_rules().size(); ++rule) {
    if (rule == our_matrix_rules) text += " |";
    text += fmt::format("{:>{}}", short_names[rule], column_width);
  }
  return text + "\n";
}

template <class Cell>
std::string line(const std::string& name, const Cell& cell) {
  std::string text = fmt::format("{:<{}}", name, name_width);
  for (std::size_t rule = 0; rule < matrix_rules().size(); ++rule) {
    if (rule == our_matrix_rules) text += " |";
    text += fmt::format("{:>{}}", cell(rule), column_width);
  }
  return text + "\n";
}

std::string list_of(const std::vector<const MatrixRow*>& rows, const char* heading_text) {
  std::string text;
  for (const MatrixRow* row : rows) {
    text += fmt::format("{}  {}: {}\n", text.empty() ? heading_text : "", row->id(), why_survived(*row));
  }
  return text;
}

}  // namespace

RuleTotal total_of(const KillMatrix& matrix, std::size_t rule) {
  RuleTotal total;
  for (const MatrixRow& row : matrix.rows) {
    if (row.should_survive() || row.applicable(rule) == 0) continue;
    ++total.applicable;
    total.killed += row.killed(rule) > 0 ? 1 : 0;
  }
  return total;
}

RuleTotal total_of(const KillMatrix& matrix, std::size_t rule, std::size_t regime) {
  RuleTotal total;
  for (const MatrixRow& row : matrix.rows) {
    const RuleCount& count = row.cells[regime].rules[rule];
    if (row.should_survive() || !count.applies()) continue;
    ++total.applicable;
    total.killed += count.killed > 0 ? 1 : 0;
  }
  return total;
}

std::string json_of(const KillMatrix& matrix) {
  Json json;
  json["schema"] = "deltaproof.kill_matrix/1";
  json["kernel"] = matrix.kernel;
  json["seed"] = matrix.seed;
  Json& rules = json["rules"] = Json::array();
  for (const MatrixRule& rule : matrix_rules()) rules.push_back({{"name", rule.name}, {"published", !rule.ours}});
  json["survivors"] = matrix.survivors().size();
  json["false_alarms"] = matrix.false_alarms().size();
  Json& rows = json["rows"] = Json::array();
  for (const MatrixRow& row : matrix.rows) rows.push_back(row_json(matrix, row));
  return json.dump(1, ' ', true, Json::error_handler_t::replace) + "\n";
}

std::string text_of(const KillMatrix& matrix) {
  std::string text = heading();
  for (const MatrixRow& row : matrix.rows) {
    text += line(row.id(), [&](std::size_t rule) { return share(row.killed(rule), row.applicable(rule)); });
  }
  text += line("defects killed", [&](std::size_t rule) {
    const RuleTotal total = total_of(matrix, rule);
    return share(total.killed, total.applicable);
  });
  std::vector<const MatrixRow*> harmless;
  for (const MatrixRow& row : matrix.rows) {
    if (row.defect != nullptr && row.should_survive() && !row.killed_by_ours()) harmless.push_back(&row);
  }
  text += list_of(harmless, "nothing need see:\n");
  text += list_of(matrix.survivors(), "survive all our rules:\n");
  std::string alarms;
  for (const MatrixRow* row : matrix.false_alarms()) {
    alarms += fmt::format("false alarm: {} is killed by {}\n", row->id(), kills_of(matrix, *row));
  }
  const auto defects = static_cast<std::size_t>(std::count_if(
      matrix.rows.begin(), matrix.rows.end(), [](const MatrixRow& row) { return !row.should_survive(); }));
  return text + alarms +
         fmt::format("{} of {} defects killed by our rules, {} false alarms\n", defects - matrix.survivors().size(),
                     defects, matrix.false_alarms().size());
}

}  // namespace deltaproof
