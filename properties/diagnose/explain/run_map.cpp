#include "properties/diagnose/explain/run_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace deltaproof {
namespace {

auto key_of(const std::string& tensor, std::int64_t sequence, std::int64_t head, std::int64_t token) {
  return std::tuple(tensor, sequence, head, token);
}

auto key_of(const MeasuredBlock& block) {
  const ComparedBlock& p = block.place;
  return key_of(p.tensor, p.sequence, p.head, p.is_state ? p.first_token : 0);
}

// Rows [from, ..) of a plane of at least `rows` rows become those of the block; rows in between are unknown.
void put(MeasuredBlock& plane, const MeasuredBlock& block) {
  const Index from = block.place.first_token, rows = std::max(plane.value.rows(), from + block.value.rows());
  const Index had = plane.value.rows(), columns = block.value.cols();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const auto& [matrix, unknown] : {std::pair{&plane.value, 0.0}, {&plane.expected, 0.0}, {&plane.allowed, infinity}}) {
    matrix->conservativeResize(rows, columns);
    matrix->bottomRows(rows - had).setConstant(unknown);
  }
  plane.value.middleRows(from, block.value.rows()) = block.value;
  plane.expected.middleRows(from, block.value.rows()) = block.expected;
  plane.allowed.middleRows(from, block.value.rows()) = block.allowed;
}

}  // namespace

RunMap::RunMap(const std::vector<MeasuredBlock>& blocks) {
  std::vector<const MeasuredBlock*> sorted;
  for (const MeasuredBlock& block : blocks) sorted.push_back(&block);
  // The last rows of `o` come first, so that a plane is made in full size.
  std::stable_sort(sorted.begin(), sorted.end(), [](const MeasuredBlock* x, const MeasuredBlock* y) {
    return std::pair(key_of(*x), -x->place.first_token) < std::pair(key_of(*y), -y->place.first_token);
  });
  for (const MeasuredBlock* block : sorted) {
    if (block->place.is_state) {
      planes_.push_back(*block);
      continue;
    }
    if (planes_.empty() || key_of(planes_.back()) != key_of(*block)) {
      planes_.push_back({block->place, {}, {}, {}});
      planes_.back().place.first_token = 0;
    }
    put(planes_.back(), *block);
  }
  for (const MeasuredBlock& block : planes_) {
    for (Index i = 0; i < block.value.rows(); ++i) {
      for (Index j = 0; j < block.value.cols(); ++j) judged_ += is_judged(block, i, j);
    }
  }
  for_each_bad(*this, [this](const MeasuredBlock&, Index, Index) { ++bad_; });
}

const MeasuredBlock* RunMap::find(const std::string& tensor, std::int64_t sequence, std::int64_t head,
                                  std::int64_t token) const {
  const auto key = key_of(tensor, sequence, head, token);
  const auto found = std::lower_bound(planes_.begin(), planes_.end(), key,
                                      [](const MeasuredBlock& block, const auto& k) { return key_of(block) < k; });
  return found != planes_.end() && key_of(*found) == key ? &*found : nullptr;
}

bool is_judged(const MeasuredBlock& block, Index i, Index j) {
  return std::isfinite(block.allowed(i, j)) && std::isfinite(block.expected(i, j));
}

Location place_of(const MeasuredBlock& block, Index i, Index j) { return place_in(block.place, i, j); }

MeasuredPlace first_bad(const RunMap& run) {
  MeasuredPlace first;
  for_each_bad(run, [&](const MeasuredBlock& block, Index i, Index j) {
    if (first.block == nullptr || earlier(place_of(block, i, j), place_of(*first.block, first.i, first.j))) {
      first = {&block, i, j};
    }
  });
  return first;
}

MeasuredPlace worst(const RunMap& run) {
  MeasuredPlace worst;
  double ratio = 0;
  for_each_bad(run, [&](const MeasuredBlock& block, Index i, Index j) {
    const double here = block.ratio(i, j);
    const bool ahead = here == ratio && worst.block != nullptr &&
                       earlier(place_of(block, i, j), place_of(*worst.block, worst.i, worst.j));
    if (!(here > ratio) && !ahead) return;
    worst = {&block, i, j};
    ratio = here;
  });
  return worst;
}

}  // namespace deltaproof
