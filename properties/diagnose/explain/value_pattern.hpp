#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "properties/diagnose/explain/run_map.hpp"
#include "reference/problem/problem.hpp"

namespace deltaproof {

/// What the wrong values of `o`, or of all states, are.
struct ValuePattern {
  std::string kind;          ///< "not finite", "zeros", "one value", "factor", "moved"
  std::string tensor;        ///< "o", "states"
  std::int64_t values = 0;   ///< of which it is true ..
  std::int64_t wrong = 0;    ///< .. of so many wrong ones
  double low = 0, high = 0;  ///< factor: a factor of all of them lies here; of several factors, the smallest and the largest
  std::string sentence = {};  ///< "the wrong values of o are those that it should have times 0.5 +- 0.01"
};

/// Those that hold of every wrong value (not finite: of some), for `o` and for states.
std::vector<ValuePattern> value_patterns(const RunMap& run, const Problem& problem);

// One file each; `of`: the wrong elements of `o` or of the states.
using WrongValues = std::vector<MeasuredPlace>;
/// Bits of surprise that make a pattern more than chance: of some tens of patterns, and of every run that is ever explained.
inline constexpr double significant_bits = 30;
/// How unlikely it is, in bits, that a wrong value lies within `allowed` of another by chance, from how far it is from the
/// right one.
double surprise(double error, double allowed);

/// Value = factor x right value, one factor for all, or for each head, token (`o`) or column.
std::vector<ValuePattern> factor_patterns(const WrongValues& of, const std::string& tensor, const Problem& problem);
/// Values that are right in another place: a token, chunk, head, row or column further, a transposed state.
std::vector<ValuePattern> moved_patterns(const WrongValues& of, const std::string& tensor, const RunMap& run,
                                         const Problem& problem);

}  // namespace deltaproof
