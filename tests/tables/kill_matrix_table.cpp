// deltaproof_kill_matrix_table NAME prints one table of docs/kill-matrix.md; without a name, the names and the page.
// With --check PAGE it works out a few rows of the matrix and of input power and says whether the page has them.

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "properties/defects/catalogue.hpp"
#include "properties/in_parallel.hpp"
#include "properties/defects/input_power.hpp"
#include "properties/defects/kill_matrix_report.hpp"

namespace deltaproof {
namespace {

constexpr const char* page_name = "docs/kill-matrix.md";
// What --check works out anew: a few rows, quick ones. Cells do not depend on what else is asked for.
constexpr const char* checked_defects[] = {"gate_shift", "o_trunc", "no_op"};
constexpr const char* checked_regimes[] = {"strong_decay", "typical"};
constexpr std::uint64_t power_seed = 1;

std::string row(std::string name, const std::vector<std::string>& cells) {
  std::string text = fmt::format("| {} |", name);
  for (const std::string& cell : cells) text += fmt::format(" {} |", cell);
  return text + "\n";
}

std::string heading(std::string name, const std::vector<std::string>& cells) {
  std::string rule = "|---|";
  for (std::size_t i = 0; i < cells.size(); ++i) rule += "---|";
  return row(name, cells) + rule + "\n";
}

std::vector<std::string> rule_names(std::vector<std::string> before = {}) {
  for (const MatrixRule& rule : matrix_rules()) before.emplace_back(rule.name);
  return before;
}

std::string share(int killed, int applicable) {
  return applicable == 0 ? "-" : fmt::format("{}/{}", killed, applicable);
}

std::string defect_row(const MatrixRow& of) {
  std::vector<std::string> cells = {of.defect == nullptr ? "" : stage_name(of.defect->stage), of.kernel};
  for (std::size_t rule = 0; rule < matrix_rules().size(); ++rule) {
    cells.push_back(share(of.killed(rule), of.applicable(rule)));
  }
  return row(of.id(), cells);
}

std::string total_row(const std::string& name, const KillMatrix& matrix, int regime) {
  std::vector<std::string> cells;
  for (std::size_t rule = 0; rule < matrix_rules().size(); ++rule) {
    const RuleTotal total =
        regime < 0 ? total_of(matrix, rule) : total_of(matrix, rule, static_cast<std::size_t>(regime));
    cells.push_back(share(total.killed, total.applicable));
  }
  return row(name, cells);
}

// How many pairs of a defect and a regime a property was the first to see.
std::string first_properties(const KillMatrix& matrix) {
  std::map<std::string, int> first;
  for (const MatrixRow& of : matrix.rows) {
    for (const MatrixCell& cell : of.cells) {
      if (!cell.property.empty()) ++first[cell.property];
    }
  }
  std::vector<std::pair<int, std::string>> sorted;
  for (const auto& [name, count] : first) sorted.emplace_back(-count, name);
  std::sort(sorted.begin(), sorted.end());
  std::string text = heading("property", {"first to kill"});
  for (const auto& [count, name] : sorted) text += row(name, {fmt::format("{}", -count)});
  return text;
}

std::string survivors(const KillMatrix& matrix) {
  std::string text = heading("defect", {"why it survives"});
  for (const MatrixRow& of : matrix.rows) {
    const bool survives = of.defect != nullptr && !of.killed_by_ours();
    if (survives) text += row(of.id(), {why_survived(of)});
  }
  return text;
}

void print_matrix() {
  MatrixOptions options;
  options.defects = all_defects();
  options.regimes = all_regimes();
  options.progress = [](double share_done) { fmt::print(stderr, "\r{:5.1f} %", 100 * share_done); };
  const KillMatrix matrix = kill_matrix(options);
  fmt::print("Defects that each rule kills in some family of inputs, and in each:\n\n{}",
             heading("inputs", rule_names()));
  fmt::print("{}", total_row("(any)", matrix, -1));
  for (std::size_t i = 0; i < matrix.regimes.size(); ++i) {
    fmt::print("{}", total_row(std::string(matrix.regimes[i]->name), matrix, static_cast<int>(i)));
  }
  fmt::print("\nDefects that no rule of ours kills:\n\n{}", survivors(matrix));
  fmt::print("\nOf properties, the one that killed first (pairs of a defect and a family):\n\n{}",
             first_properties(matrix));
  fmt::print("\nFamilies in which each rule kills the defect, of those in which it says something of it:\n\n{}",
             heading("defect", rule_names({"stage", "kernel"})));
  for (const MatrixRow& of : matrix.rows) fmt::print("{}", defect_row(of));
}

std::string published_table() {
  std::string text = heading("rule", {"accepts", "used by", "a NaN is"});
  for (const PublishedRuleInfo& info : published_rules()) {
    std::string form;
    for (const char c : info.form) {
      if (c == '|') form += '\\';
      form += c;
    }
    text += row(std::string(info.name), {form, std::string(info.used_by), std::string(info.nan)});
  }
  return text;
}

// "12", "12 !": the lost carry is seen; "12 ?": the verdict says nothing; "none": it rejects the whole history.
std::string power_cell(const RulePower& rule) {
  if (rule.shortest == 0) return "none";
  return fmt::format("{}{}{}", rule.shortest, rule.says_nothing ? " ?" : "", rule.sees_lost_carry ? " !" : "");
}

std::string power_row(const Regime& regime) {
  std::vector<std::string> cells;
  for (const RulePower& rule : input_power(power_problem(regime, power_seed), 128)) cells.push_back(power_cell(rule));
  return row(std::string(regime.name), cells);
}

void print_power() {
  std::vector<std::string> names = {"LOC", "ADJ"};
  for (const PublishedRuleInfo& info : published_rules()) names.emplace_back(info.name);
  fmt::print("{}", heading("inputs", names));
  std::vector<std::string> rows(regimes().size());
  in_parallel(rows.size(), 0, [&](std::size_t i) { rows[i] = power_row(regimes()[i]); });
  for (const std::string& each : rows) fmt::print("{}", each);
}

int missing_lines(const std::string& page, const std::string& lines) {
  int missing = 0;
  std::istringstream each(lines);
  for (std::string line; std::getline(each, line);) {
    if (page.find(line + "\n") != std::string::npos) continue;
    ++missing;
    fmt::print(stderr, "{} does not have: {}\n", page_name, line);
  }
  return missing;
}

int check(const char* path) {
  std::ifstream file(path);
  std::stringstream page;
  page << file.rdbuf();
  MatrixOptions options;
  for (const char* id : checked_defects) options.defects.push_back(find_defect(id));
  options.regimes = all_regimes();
  int missing = missing_lines(page.str(), published_table());
  for (const MatrixRow& of : kill_matrix(options).rows) missing += missing_lines(page.str(), defect_row(of));
  for (const char* name : checked_regimes) missing += missing_lines(page.str(), power_row(*find_regime(name)));
  return missing == 0 ? 0 : 1;
}

}  // namespace
}  // namespace deltaproof

int main(int argc, char** argv) {
  using namespace deltaproof;
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "--check" && argc > 2) return check(argv[2]);
  if (what.empty()) {
    for (const char* name : {"published_rules", "kill_matrix", "input_power"}) {
      fmt::print("{} {} kernels emulated on the CPU\n", name, page_name);
    }
  } else if (what == "published_rules") {
    fmt::print("{}", published_table());
  } else if (what == "kill_matrix") {
    print_matrix();
  } else if (what == "input_power") {
    print_power();
  } else {
    fmt::print(stderr, "deltaproof_kill_matrix_table: no table named {}\n", what);
    return 2;
  }
  return 0;
}
