#include "properties/golden/certain_best.hpp"

#include <algorithm>

namespace deltaproof::golden {
namespace {

enum class Order { before, after, unknown };

// Whether token a ranks before token b. Where enclosures touch in one point, the earlier token wins the tie there.
Order order_of(std::span<const Interval> scores, Index a, Index b) {
  const auto* x = scores[static_cast<std::size_t>(a)].backend().data();
  const auto* y = scores[static_cast<std::size_t>(b)].backend().data();
  if (mpfi_nan_p(x) || mpfi_nan_p(y)) return Order::unknown;
  const int above = mpfr_cmp(&x->left, &y->right), below = mpfr_cmp(&x->right, &y->left);
  if (above > 0 || (above == 0 && a < b)) return Order::before;
  if (below < 0 || (below == 0 && b < a)) return Order::after;
  return Order::unknown;
}

}  // namespace

std::optional<std::vector<Index>> certain_best(std::span<const Interval> scores, const std::vector<Index>& candidates,
                                               Index w) {
  std::vector<Index> kept;
  for (const Index t : candidates) {
    Index before = 0, unknown = 0;
    for (const Index other : candidates) {
      if (other == t) continue;
      const Order order = order_of(scores, other, t);
      before += order == Order::before ? 1 : 0;
      unknown += order == Order::unknown ? 1 : 0;
    }
    if (before >= w) continue;
    if (before + unknown >= w) return std::nullopt;
    kept.push_back(t);
  }
  std::ranges::sort(kept);
  return kept;
}

}  // namespace deltaproof::golden
