#include "properties/diagnose/explain/hypotheses_tally.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace deltaproof {
namespace {

// FNV-1a, by words.
std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) { return (hash ^ word) * 0x100000001b3U; }

constexpr double most_bits = 40;

double residual(double x, double y) {
  if (x == y || (std::isnan(x) && std::isnan(y))) return 0;
  const double distance = std::abs(x - y);
  return std::isfinite(distance) ? distance : std::numeric_limits<double>::infinity();
}

std::uint64_t bits_of(double x) { return std::isnan(x) ? 0x7ff8000000000000U : std::bit_cast<std::uint64_t>(x); }

}  // namespace

void Tally::add(const Tally& next) {
  excess += next.excess;
  squares += next.squares;
  compared += next.compared;
  outside += next.outside;
  unequal += next.unequal;
  hash = mixed(hash, next.hash);
}

Tally tally(const MeasuredBlock& block, Index row, const Matrix& hypothesis, double slack) {
  Tally sum;
  for (Index i = 0; i < hypothesis.rows(); ++i) {
    for (Index j = 0; j < hypothesis.cols(); ++j) {
      const double value = block.value(row + i, j), given = hypothesis(i, j);
      sum.hash = mixed(sum.hash, bits_of(given));
      ++sum.compared;
      if (bits_of(value) != bits_of(given)) ++sum.unequal;
      const double allowed = block.allowed(row + i, j) + slack;
      if (!std::isfinite(allowed) || !std::isfinite(block.expected(row + i, j))) continue;  // nothing is known
      const double off = residual(value, given);
      const double ratio = off == 0 ? 0 : off / allowed;
      sum.squares += std::min(ratio * ratio, 1.0);
      if (!(ratio > 1)) continue;
      ++sum.outside;
      sum.excess += std::min(std::log2(ratio), most_bits);
    }
  }
  return sum;
}

double explained(const Tally& hypothesis, const Tally& right) {
  if (right.excess > 0) return 1 - hypothesis.excess / right.excess;
  if (right.outside > 0) return hypothesis.outside == 0 ? 1 : 0;
  if (hypothesis.outside > 0 || right.unequal == 0) return 0;
  return 1 - static_cast<double>(hypothesis.unequal) / static_cast<double>(right.unequal);
}

}  // namespace deltaproof
