#include "properties/selection/history.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace deltaproof {
namespace {

// What a token's score must be at least: `value`, and above it by `above` steps, each as small as one likes.
struct Need {
  double value = -std::numeric_limits<double>::infinity();
  Index above = 0;

  bool operator<(const Need& other) const {
    return value != other.value ? value < other.value : above < other.above;
  }
};

// The evicted token that is hardest to rank before: of equal needs the earliest.
struct Bar {
  Need need;
  Index token = -1;

  bool exists() const { return token >= 0; }
  bool operator<(const Bar& other) const {
    if (need < other.need || other.need < need) return need < other.need;
    return token > other.token;
  }
};

// The least scores that explain a history, block by block (docs/selection.md, theorem 2).
class History {
 public:
  History(const ScoreIntervals& scores, const CacheSets& sets, Index block)
      : scores_(scores), sets_(sets), block_(block), needs(scores.lo.size()) {
    for (std::size_t t = 0; t < needs.size(); ++t) needs[t].value = scores.lo[t];
  }

  std::optional<Contradiction> run() {
    for (std::size_t n = 1; n < sets_.size(); ++n) {
      raise_bar(n);
      if (std::optional<Contradiction> found = raise_kept(n)) return found;
    }
    return std::nullopt;
  }

 private:
  // Everything that leaves at the end of block n - 1. What was kept until then has its need already.
  void raise_bar(std::size_t n) {
    const std::vector<Index>&before = sets_[n - 1], &after = sets_[n];
    Bar bar = bar_;
    const auto leaves = [&](Index t) {
      if (std::binary_search(after.begin(), after.end(), t)) return;
      const Bar own{needs[static_cast<std::size_t>(t)], t};
      if (!bar.exists() || bar < own) bar = own;
    };
    for (const Index t : before) leaves(t);
    const Index begin = static_cast<Index>(n - 1) * block_;
    for (Index t = begin; t < begin + block_; ++t) leaves(t);
    bar_ = bar;
  }

  std::optional<Contradiction> raise_kept(std::size_t n) {
    std::optional<Contradiction> worst;
    if (!bar_.exists()) return worst;
    for (const Index t : sets_[n]) {
      const Need least{bar_.need.value, bar_.need.above + (t > bar_.token ? 1 : 0)};
      Need& need = needs[static_cast<std::size_t>(t)];
      need = std::max(need, least);
      const double highest = scores_.hi[static_cast<std::size_t>(t)];
      if (need.value < highest || (need.value == highest && need.above == 0)) continue;
      if (!worst || highest < worst->highest) worst = {static_cast<Index>(n), t, bar_.token, highest, bar_.need.value};
    }
    return worst;
  }

  const ScoreIntervals& scores_;
  const CacheSets& sets_;
  Index block_;
  Bar bar_;

 public:
  std::vector<Need> needs;  // of each token
};

}  // namespace

std::optional<Contradiction> contradiction(const ScoreIntervals& scores, const CacheSets& sets, Index block) {
  return History(scores, sets, block).run();
}

std::optional<std::vector<double>> witness(const ScoreIntervals& scores, const CacheSets& sets, Index block) {
  History history(scores, sets, block);
  if (history.run()) return std::nullopt;
  std::vector<double> values;
  Index w = 0;
  for (const std::vector<Index>& set : sets) w = std::max(w, static_cast<Index>(set.size()));
  for (std::size_t t = 0; t < history.needs.size(); ++t) {
    double value = history.needs[t].value;
    for (Index i = 0; i < history.needs[t].above; ++i) value = std::nextafter(value, std::numeric_limits<double>::infinity());
    if (value > scores.hi[t]) return std::nullopt;
    values.push_back(value);
  }
  if (blockwise_sets(values, w, block) != sets) return std::nullopt;
  return values;
}

}  // namespace deltaproof
