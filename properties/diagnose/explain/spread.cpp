#include "properties/diagnose/explain/spread.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "properties/diagnose/explain/axis_words.hpp"

namespace deltaproof {
namespace {

struct Axis {
  const char* name;
  std::int64_t Location::* index;
};

std::vector<Axis> axes_of(bool is_state) {
  std::vector<Axis> axes{{"sequence", &Location::sequence}, {"head", &Location::head}, {"chunk", &Location::chunk}};
  if (is_state) {
    axes.push_back({"row", &Location::row});
  } else {
    axes.push_back({"position", &Location::chunk_position});
    axes.push_back({"token", &Location::token});
  }
  axes.push_back({"column", &Location::column});
  return axes;
}

using Places = std::set<std::int64_t>;

struct Found {
  TensorSpread spread;
  std::vector<Places> bad, judged;
};

void add(const MeasuredBlock& block, const std::vector<Axis>& axes, Found& found) {
  for (Index i = 0; i < block.value.rows(); ++i) {
    for (Index j = 0; j < block.value.cols(); ++j) {
      if (!is_judged(block, i, j)) continue;
      const bool bad = block.ratio(i, j) > 1;
      ++found.spread.judged;
      found.spread.bad += bad;
      // Of a row that is right throughout its first column is enough.
      if (!bad && i > 0 && j > 0) continue;
      const Location where = place_of(block, i, j);
      for (std::size_t a = 0; a < axes.size(); ++a) {
        found.judged[a].insert(where.*axes[a].index);
        if (bad) found.bad[a].insert(where.*axes[a].index);
      }
    }
  }
}

}  // namespace

const AxisSpread* TensorSpread::find(const std::string& axis) const {
  const auto found = std::find_if(axes.begin(), axes.end(), [&](const AxisSpread& a) { return a.axis == axis; });
  return found == axes.end() ? nullptr : &*found;
}

std::vector<TensorSpread> spread_of(const RunMap& run, const Problem& problem) {
  std::map<std::pair<bool, std::string>, Found> tensors;
  for (const MeasuredBlock& block : run.planes()) {
    const std::vector<Axis> axes = axes_of(block.place.is_state);
    Found& found = tensors[{block.place.tensor != "o", block.place.tensor}];
    found.spread.tensor = block.place.tensor;
    found.spread.is_state = block.place.is_state;
    found.bad.resize(axes.size());
    found.judged.resize(axes.size());
    add(block, axes, found);
  }
  std::vector<TensorSpread> result;
  for (auto& [key, found] : tensors) {
    const std::vector<Axis> axes = axes_of(found.spread.is_state);
    for (std::size_t a = 0; found.spread.bad > 0 && a < axes.size(); ++a) {
      AxisSpread axis{axes[a].name, {found.bad[a].begin(), found.bad[a].end()},
                      {found.judged[a].begin(), found.judged[a].end()}, ""};
      axis.words = axis_words(axis.axis, axis.bad, axis.judged);
      found.spread.axes.push_back(std::move(axis));
    }
    result.push_back(std::move(found.spread));
    if (result.back().bad > 0) result.back().patterns = spread_patterns(result.back(), run, problem);
  }
  return result;
}

}  // namespace deltaproof
