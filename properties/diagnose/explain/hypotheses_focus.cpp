#include "properties/diagnose/explain/hypotheses_focus.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>

namespace deltaproof {
namespace {

constexpr Index never = std::numeric_limits<Index>::max();

bool lies_in_a_chunk(const Window& window, const BlockPart& part) {
  return window.sequence != nullptr && !is_of_cache(part.block->place);
}

Index chunk_of_row(const ComparedBlock& place, Index row, Index size) {
  return place.is_state ? std::max<Index>(place.first_token - 1, 0) / size : (place.first_token + row) / size;
}

template <class Visit>
void visit_wrong(const Window& window, const IsWrong& is_wrong, Visit visit) {
  for (const BlockPart& part : window.parts) {
    if (!lies_in_a_chunk(window, part)) continue;
    for (Index i = 0; i < part.rows; ++i) {
      for (Index j = 0; j < part.block->value.cols(); ++j) {
        if (is_wrong(part, i, j)) visit(part, i, j);
      }
    }
  }
}

}  // namespace

std::vector<Index> Focus::rows() const {
  std::vector<Index> rows;
  for (const auto& [token, column] : outputs) {
    if (rows.empty() || rows.back() != token) rows.push_back(token);
  }
  return rows;
}

std::vector<Index> Focus::columns() const {
  std::map<Index, int> count;
  for (const auto& [token, column] : outputs) ++count[column];
  std::vector<Index> columns;
  for (const auto& [column, times] : count) columns.push_back(column);
  std::ranges::stable_sort(columns, [&](Index x, Index y) { return count[x] > count[y]; });
  return columns;
}

std::optional<Focus> find_focus(const Problem& problem, const std::vector<Window>& windows, const IsWrong& is_wrong) {
  const Index size = problem.options().chunk_size;
  Focus focus;
  focus.chunk = never;
  for (std::size_t w = 0; w < windows.size(); ++w) {
    visit_wrong(windows[w], is_wrong, [&](const BlockPart& part, Index i, Index) {
      const Index chunk = chunk_of_row(part.block->place, part.row + i, size);
      if (chunk < focus.chunk) focus.chunk = chunk, focus.window = w;
    });
  }
  if (focus.chunk == never) return std::nullopt;
  std::string first_state;
  visit_wrong(windows[focus.window], is_wrong, [&](const BlockPart& part, Index i, Index j) {
    const ComparedBlock& place = part.block->place;
    if (chunk_of_row(place, part.row + i, size) != focus.chunk) return;
    if (!place.is_state) return focus.outputs.emplace_back(place.first_token + part.row + i, j), void();
    if (first_state.empty()) first_state = place.tensor;
    if (place.tensor == first_state) focus.states.emplace_back(i, j);
  });
  return focus;
}

std::optional<Focus> focus_of_bound(const Problem& problem, const std::vector<Window>& windows) {
  return find_focus(problem, windows,
                    [](const BlockPart& part, Index i, Index j) { return part.block->ratio(part.row + i, j) > 1; });
}

std::optional<Focus> focus_of_bits(const Problem& problem, const HypothesisTrial& whole) {
  std::map<const MeasuredBlock*, Matrix> right;
  for (const Window& window : whole.windows()) {
    for (const BlockPart& part : window.parts) {
      if (!lies_in_a_chunk(window, part)) continue;
      if (auto values = whole.right_values(window, part)) right[part.block] = *std::move(values);
    }
  }
  return find_focus(problem, whole.windows(), [&](const BlockPart& part, Index i, Index j) {
    const auto found = right.find(part.block);
    return found != right.end() && !(found->second(i, j) == part.block->value(part.row + i, j));
  });
}

}  // namespace deltaproof
