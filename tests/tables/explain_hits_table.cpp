// deltaproof_explain_hits_table prints the tables of docs/explain-hits.md. With --check PAGE it works out a few rows and
// says whether the page has them.

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "properties/in_parallel.hpp"
#include "tests/properties/diagnose/explain/hypotheses_hits.hpp"

namespace deltaproof {
namespace {

constexpr FileOf files[] = {FileOf::declared_order, FileOf::other_order, FileOf::other_order_with_states};
constexpr const char* kernels[] = {"chunk", "recurrent", "hola"};
constexpr const char* checked_defects[] = {"gate_shift", "T_trunc", "stale_S", "swap_heads", "noise_5e-3"};

/// A defect, and what became of it in each way of making files.
struct Row {
  const Defect* defect = nullptr;
  std::vector<Hit> hits;
};

// In the first kernel that some problem has it in.
Hit hit_in_some_kernel(const Defect& defect, FileOf file) {
  Hit hit;
  for (const char* kernel : kernels) {
    const bool with_states = file == FileOf::other_order_with_states;
    if (with_states && kernel == std::string("hola")) break;
    hit = hit_of(defect, kernel, file);
    if (!hit.kernel.empty()) break;
  }
  return hit;
}

Row row_of(const Defect& defect) {
  Row row{&defect, {}};
  for (const FileOf file : files) row.hits.push_back(hit_in_some_kernel(defect, file));
  return row;
}

bool is_to_be_found(const Hit& hit) { return !hit.kernel.empty() && (hit.out_of_bound || hit.rank > 0); }

std::string cell(const Hit& hit) {
  if (hit.kernel.empty()) return "-";
  if (hit.rank == 0 && !hit.out_of_bound) return "within bound";
  if (hit.rank == 0) return hit.first.empty() ? "nothing" : fmt::format("no; first `{}`", hit.first);
  std::string text = fmt::format("{}", hit.rank);
  if (hit.rank > 1) text += fmt::format("; first `{}`", hit.first);
  if (hit.rank == 1 && hit.equivalents > 0) text += fmt::format(", with {}", hit.equivalents);
  if (!hit.fits) text += ", does not fit";
  if (!hit.out_of_bound) text += ", by its bits";
  return text;
}

std::string text_of(const Row& row) {
  std::string text = fmt::format("| `{}` | {} |", row.defect->id, stage_name(row.defect->stage));
  for (const Hit& hit : row.hits) text += fmt::format(" {} |", cell(hit));
  return text;
}

std::string totals(const std::vector<Row>& rows) {
  std::string first = "| first, or with equals |", all = "| of defects that put a value out of bound or change a verdict |";
  std::string fits = "| and fits |";
  for (std::size_t f = 0; f < std::size(files); ++f) {
    int found = 0, count = 0, fit = 0;
    for (const Row& row : rows) {
      const Hit& hit = row.hits[f];
      if (!is_to_be_found(hit)) continue;
      ++count;
      found += hit.is_first() ? 1 : 0;
      fit += hit.is_first() && hit.fits ? 1 : 0;
    }
    first += fmt::format(" {} |", found), all += fmt::format(" {} |", count), fits += fmt::format(" {} |", fit);
  }
  return first + "\n" + fits + "\n" + all + "\n";
}

std::vector<const Defect*> defects() {
  std::vector<const Defect*> list;
  for (const Defect& defect : defect_catalogue()) {
    if (defect.equivalent.empty()) list.push_back(&defect);
  }
  return list;
}

std::vector<Row> rows_of(const std::vector<const Defect*>& list) {
  std::vector<Row> rows(list.size());
  in_parallel(list.size(), 0, [&](std::size_t i) { rows[i] = row_of(*list[i]); },
              [](double share) { fmt::print(stderr, "\r{:5.1f} %", 100 * share); });
  return rows;
}

void print() {
  const std::vector<Row> rows = rows_of(defects());
  fmt::print("| | declared | another order | with states |\n|---|---|---|---|\n{}\n", totals(rows));
  fmt::print("| defect | stage | declared | another order | with states |\n|---|---|---|---|---|\n");
  for (const Row& row : rows) fmt::print("{}\n", text_of(row));
}

int check(const char* page) {
  std::ifstream file(page);
  std::stringstream text;
  text << file.rdbuf();
  int stale = 0;
  for (const char* id : checked_defects) {
    const std::string row = text_of(row_of(*find_defect(id)));
    if (text.str().find(row + "\n") != std::string::npos) continue;
    fmt::print(stderr, "deltaproof_explain_hits_table: {} no longer has the row\n{}\n", page, row);
    ++stale;
  }
  return stale == 0 ? 0 : 1;
}

}  // namespace
}  // namespace deltaproof

int main(int argc, char** argv) {
  if (argc == 3 && argv[1] == std::string("--check")) return deltaproof::check(argv[2]);
  if (argc != 1) return std::fprintf(stderr, "usage: deltaproof_explain_hits_table [--check PAGE]\n"), 2;
  deltaproof::print();
  return 0;
}
