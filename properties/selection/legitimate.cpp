#include "properties/selection/legitimate.hpp"

#include <algorithm>

namespace deltaproof {
namespace {

constexpr RanksBefore before;

Ranked highest(const ScoreIntervals& scores, Index token) { return {scores.hi[static_cast<std::size_t>(token)], token}; }
Ranked lowest(const ScoreIntervals& scores, Index token) { return {scores.lo[static_cast<std::size_t>(token)], token}; }

// Candidates at one end of their intervals, in the order of the cache.
std::vector<Ranked> sorted(const ScoreIntervals& scores, std::span<const Index> candidates,
                           Ranked (*end)(const ScoreIntervals&, Index)) {
  std::vector<Ranked> entries;
  for (const Index t : candidates) entries.push_back(end(scores, t));
  std::sort(entries.begin(), entries.end(), before);
  return entries;
}

Index count_before(const std::vector<Ranked>& entries, const Ranked& entry) {
  return std::lower_bound(entries.begin(), entries.end(), entry, before) - entries.begin();
}

// Sets are told apart by taking or leaving one ambiguous token after the other; a choice in which one that was left must
// rank before one that was taken is given up at once.
class Enumeration {
 public:
  Enumeration(const ScoreIntervals& scores, std::vector<Index> ambiguous, std::vector<Index> taken, Index w, Index limit)
      : scores_(scores), ambiguous_(std::move(ambiguous)), taken_(std::move(taken)), w_(w), limit_(limit) {}

  // Whether all sets were found, given the strongest token that is out for certain.
  bool run(std::optional<Ranked> left) {
    std::optional<Ranked> weakest;
    for (const Index t : taken_) weaken(weakest, t);
    return choose(0, weakest, left);
  }

  std::vector<std::vector<Index>> found;

 private:
  void weaken(std::optional<Ranked>& weakest, Index token) const {
    const Ranked entry = highest(scores_, token);
    if (!weakest || before(*weakest, entry)) weakest = entry;
  }

  bool choose(std::size_t next, std::optional<Ranked> weakest, std::optional<Ranked> left) {
    if (++visited_ > 4096 * (limit_ + 1)) return false;
    if (weakest && left && !before(*weakest, *left)) return true;
    const Index missing = w_ - static_cast<Index>(taken_.size());
    if (missing == 0) {
      for (std::size_t i = next; i < ambiguous_.size(); ++i) strengthen(left, ambiguous_[i]);
      if (!weakest || !left || before(*weakest, *left)) found.push_back(taken_);
      return static_cast<Index>(found.size()) <= limit_;
    }
    if (static_cast<Index>(ambiguous_.size() - next) < missing) return true;
    const Index token = ambiguous_[next];
    std::optional<Ranked> with = weakest, without = left;
    weaken(with, token);
    taken_.push_back(token);
    if (!choose(next + 1, with, left)) return false;
    taken_.pop_back();
    strengthen(without, token);
    return choose(next + 1, weakest, without);
  }

  void strengthen(std::optional<Ranked>& left, Index token) const {
    const Ranked entry = lowest(scores_, token);
    if (!left || before(entry, *left)) left = entry;
  }

  const ScoreIntervals& scores_;
  std::vector<Index> ambiguous_, taken_;
  Index w_, limit_, visited_ = 0;
};

}  // namespace

bool legitimate(const ScoreIntervals& scores, std::span<const Index> kept, std::span<const Index> candidates) {
  const std::vector<Ranked> weakest_last = sorted(scores, kept, highest);
  std::vector<Index> held(kept.begin(), kept.end());
  std::sort(held.begin(), held.end());
  for (const Index t : candidates) {
    if (held.empty() || std::binary_search(held.begin(), held.end(), t)) continue;
    if (!before(weakest_last.back(), lowest(scores, t))) return false;
  }
  return true;
}

std::vector<Index> must_in(const ScoreIntervals& scores, std::span<const Index> candidates, Index w) {
  const std::vector<Ranked> rivals = sorted(scores, candidates, highest);
  std::vector<Index> in;
  for (const Index t : candidates) {
    const bool itself = before(highest(scores, t), lowest(scores, t));
    if (count_before(rivals, lowest(scores, t)) - (itself ? 1 : 0) < w) in.push_back(t);
  }
  return in;
}

std::vector<Index> must_out(const ScoreIntervals& scores, std::span<const Index> candidates, Index w) {
  const std::vector<Ranked> rivals = sorted(scores, candidates, lowest);
  std::vector<Index> out;
  for (const Index t : candidates) {
    if (count_before(rivals, highest(scores, t)) >= w) out.push_back(t);
  }
  return out;
}

std::optional<std::vector<std::vector<Index>>> possible_sets(const ScoreIntervals& scores,
                                                             std::span<const Index> candidates, Index w, Index limit) {
  const Index size = std::min(w, static_cast<Index>(candidates.size()));
  const std::vector<Index> in = must_in(scores, candidates, size), out = must_out(scores, candidates, size);
  std::vector<Index> ambiguous;
  std::optional<Ranked> left;
  for (const Index t : candidates) {
    if (std::find(out.begin(), out.end(), t) != out.end()) {
      const Ranked entry = lowest(scores, t);
      if (!left || before(entry, *left)) left = entry;
    } else if (std::find(in.begin(), in.end(), t) == in.end()) {
      ambiguous.push_back(t);
    }
  }
  // Each of them is in some set and not in another, and sets lie one exchange apart (docs/selection.md, 1).
  const Index chosen = size - static_cast<Index>(in.size()), others = static_cast<Index>(ambiguous.size()) - chosen;
  if (!ambiguous.empty() && std::max(chosen, others) + 1 > limit) return std::nullopt;
  Enumeration all(scores, ambiguous, in, size, limit);
  if (!all.run(left)) return std::nullopt;
  for (std::vector<Index>& set : all.found) std::sort(set.begin(), set.end());
  std::sort(all.found.begin(), all.found.end());
  return all.found;
}

}  // namespace deltaproof
