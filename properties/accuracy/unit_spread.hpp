#pragma once

#include <string>

#include "properties/accuracy/judge_unit.hpp"
#include "properties/accuracy/structure.hpp"

namespace deltaproof {

/// What the probabilistic tier finds in some chunks.
struct Spread {
  std::int64_t judged = 0, left_out = 0;  ///< chunks
  std::string why_left_out;
  std::int64_t compared = 0, outside = 0;
  double largest = 0;  ///< in standard deviations
  Location worst;      ///< there
  GroupSums groups;
  double correlation = 1;

  void merge(const Spread& other);
};

/// A unit's chunk, or the first one of a longer unit, whose state alone is known. `limit`: standard deviations
/// beyond which a value counts as outside. `with_correlation`: work out `correlation`, which takes longer.
Spread unit_spread(const JudgeContext& context, const Unit& unit, const HeadInputs& head, double limit,
                   bool with_correlation);

/// Values that `unit_spread` compares.
std::int64_t compared_values(const JudgeContext& context, const Unit& unit);

}  // namespace deltaproof
