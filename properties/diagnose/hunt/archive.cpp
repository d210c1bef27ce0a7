#include "properties/diagnose/hunt/archive.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaproof {
namespace {

double rank_of(Objective objective, const Worst& worst) {
  return rank_value(objective, worst.value, worst.candidate.spec.shape.input);
}

void sort(Objective objective, std::vector<Worst>& all) {
  std::sort(all.begin(), all.end(), [&](const Worst& x, const Worst& y) {
    const double a = rank_of(objective, x), b = rank_of(objective, y);
    return a != b ? a > b : x.evaluation < y.evaluation;
  });
}

}  // namespace

std::string cell_of(const Candidate& candidate) {
  const auto rule = candidate.spec.options.find("rule");
  return fmt::format("{} {}", rule == candidate.spec.options.end() ? "" : rule->second,
                     dtype_name(candidate.spec.shape.input));
}

void Archive::add(Objective objective, const Worst& worst) {
  std::vector<Worst>& cell = cells_[cell_of(worst.candidate)];
  const bool known = std::any_of(cell.begin(), cell.end(), [&](const Worst& each) { return each.value == worst.value; });
  if (known) return;  // most likely the same inputs, but for entries that do not matter
  cell.push_back(worst);
  sort(objective, cell);
  if (cell.size() > kept_per_cell) cell.pop_back();
}

std::vector<Worst> Archive::ranked(Objective objective) const {
  std::vector<Worst> all;
  for (const auto& [name, cell] : cells_) all.insert(all.end(), cell.begin(), cell.end());
  sort(objective, all);
  return all;
}

}  // namespace deltaproof
