#include "cli/near_names.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace deltaproof::cli {
namespace {

constexpr std::size_t most = 5;  // names that still fit a line

// Levenshtein's: characters put in, left out or replaced.
std::size_t edits(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string> near_names(const std::string& name, const std::vector<std::string>& known) {
  if (name.empty() || name.size() > 200) return {};
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& each : known) {
    const bool inside = name.size() >= 2 && each.find(name) != std::string::npos;
    const std::size_t distance = inside ? 0 : edits(name, each);
    if (distance <= std::max<std::size_t>(2, name.size() / 3)) near.emplace_back(distance, each);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(most, near.size()); ++i) names.push_back(near[i].second);
  return names;
}

}  // namespace deltaproof::cli
