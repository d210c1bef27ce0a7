#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <utility>

#include "properties/diagnose/explain/value_pattern.hpp"
#include "reports/text.hpp"

namespace deltaproof {
namespace {

/// The factors c with |value - c expected| <= max(1, |c|) allowed for all of some elements: a kernel that takes c times
/// its right terms rounds c times as much.
struct Factors {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  std::int64_t count = 0;
  double bits = 0;  ///< surprise

  double middle() const { return 0.5 * (low + high); }
  /// One factor, and not as likely right as wrong.
  bool found() const { return count >= 2 && low <= high && high - low < std::abs(middle() - 1); }
};

// Bits that one value alone can give.
constexpr double most_of_one = 8;

double least_squares(const WrongValues& values) {
  double along = 0, square = 0;
  for (const MeasuredPlace& p : values) {
    const double expected = p.block->expected(p.i, p.j);
    along += p.block->value(p.i, p.j) * expected;
    square += expected * expected;
  }
  return square > 0 ? along / square : 0;
}

Factors factors_of(const WrongValues& values) {
  Factors factors;
  const double widening = std::max(1.0, std::abs(least_squares(values)));
  for (const MeasuredPlace& p : values) {
    const double value = p.block->value(p.i, p.j), expected = p.block->expected(p.i, p.j);
    const double allowed = widening * p.block->allowed(p.i, p.j);
    ++factors.count;
    factors.bits += surprise(std::abs(value - expected), allowed);
    if (expected == 0) {
      if (std::abs(value) > allowed) factors.high = -std::numeric_limits<double>::infinity();
      continue;
    }
    const double one = (value - allowed) / expected, other = (value + allowed) / expected;
    factors.low = std::max(factors.low, std::min(one, other));
    factors.high = std::min(factors.high, std::max(one, other));
  }
  return factors;
}

// What the factor may be, of numbers that a kernel of this problem has: the first that lies in its interval.
std::string name_of(const Factors& factors, const Problem& problem) {
  const double scale = problem.options().scale, K = static_cast<double>(problem.dims().K);
  const std::pair<double, const char*> known[] = {{-1, "the sign is wrong"},
                                                  {0, "nothing of it is there"},
                                                  {0.5, "one half"},
                                                  {2, "twice"},
                                                  {1 / scale, "as if the scale were missing"},
                                                  {scale, "as if the scale were applied twice"},
                                                  {std::numbers::log2e, "log2 e"},
                                                  {std::numbers::ln2, "ln 2"},
                                                  {std::sqrt(K), "K^1/2"},
                                                  {1 / std::sqrt(K), "K^-1/2"},
                                                  {1 / K, "1 / K"}};
  for (const auto& [value, name] : known) {
    if (factors.low <= value && value <= factors.high) return fmt::format(" ({}: {})", number_text(value, 6), name);
  }
  return "";
}

std::string interval_text(const Factors& f) {
  const double half = 0.5 * (f.high - f.low);
  return fmt::format("{} +- {}", number_text(f.middle(), 6), number_text(half, 2));
}

// One factor for each group; nothing if one has none, or if no group has two elements.
template <class KeyOf>
std::optional<std::map<std::int64_t, Factors>> by_group(const WrongValues& values, const KeyOf& key_of) {
  std::map<std::int64_t, WrongValues> groups;
  for (const MeasuredPlace& p : values) groups[key_of(p)].push_back(p);
  std::map<std::int64_t, Factors> factors;
  std::size_t told = 0;
  double bits = 0;
  for (const auto& [key, members] : groups) {
    const Factors f = factors[key] = factors_of(members);
    if (!(f.low <= f.high)) return std::nullopt;
    told += f.found();
    bits += f.bits;
  }
  // Each factor is chosen: it fits one value whatever that is.
  const bool chance = bits < significant_bits + most_of_one * static_cast<double>(groups.size());
  if (chance || groups.size() < 2 || 2 * told < groups.size()) return std::nullopt;
  return factors;
}

ValuePattern several(const std::map<std::int64_t, Factors>& factors, const WrongValues& of, const std::string& tensor,
                     const char* group) {
  ValuePattern pattern{"factor", tensor};
  pattern.values = pattern.wrong = static_cast<std::int64_t>(of.size());
  pattern.low = std::numeric_limits<double>::infinity(), pattern.high = -pattern.low;
  for (const auto& [key, f] : factors) {
    if (!f.found()) continue;
    pattern.low = std::min(pattern.low, f.middle());
    pattern.high = std::max(pattern.high, f.middle());
  }
  pattern.sentence = fmt::format("the wrong values of {} are those that it should have times a factor of each {}: {} to {}",
                                 tensor, group, number_text(pattern.low, 4), number_text(pattern.high, 4));
  return pattern;
}

}  // namespace

std::vector<ValuePattern> factor_patterns(const WrongValues& of, const std::string& tensor, const Problem& problem) {
  const Factors all = factors_of(of);
  if (all.found() && all.bits < significant_bits + most_of_one) return {};
  if (all.found()) {
    ValuePattern pattern{"factor", tensor};
    pattern.values = pattern.wrong = static_cast<std::int64_t>(of.size());
    pattern.low = all.low, pattern.high = all.high;
    pattern.sentence = fmt::format("the wrong values of {} are those that it should have times {}{}", tensor,
                                   interval_text(all), name_of(all, problem));
    return {pattern};
  }
  if (all.count < 2 || all.low <= all.high) return {};
  const auto head = [](const MeasuredPlace& p) { return p.block->place.sequence << 32 | p.block->place.head; };
  if (const auto factors = by_group(of, head)) return {several(*factors, of, tensor, "head")};
  if (tensor == "o") {
    // Of one head and token: so many rows that a hash of both is not needed.
    const auto row = [&](const MeasuredPlace& p) {
      return (p.block->place.sequence * problem.dims().HV + p.block->place.head) << 32 | p.i;
    };
    if (const auto factors = by_group(of, row)) return {several(*factors, of, tensor, "token")};
  }
  const auto column = [](const MeasuredPlace& p) { return static_cast<std::int64_t>(p.j); };
  if (const auto factors = by_group(of, column)) return {several(*factors, of, tensor, "column")};
  return {};
}

}  // namespace deltaproof
