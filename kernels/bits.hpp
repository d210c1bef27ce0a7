#pragma once

#include <cstdint>
#include <string>

#include "reference/problem/case_file.hpp"
#include "reference/verdict.hpp"

namespace deltaproof {

/// Place of element `flat` of an output tensor; sequence -1 where the row belongs to none.
Location place_of(const Problem& problem, const std::string& tensor, std::int64_t flat);

/// How two runs of one problem differ, bit by bit: -0 and 0 differ. Two NaN are equal, whatever their payload, which
/// is each processor's own.
struct BitDifference {
  std::int64_t compared = 0, unequal = 0;
  Location first;  ///< the first unequal value, if any
};

/// Compares every output that both runs have; values of rows that belong to no sequence count too. Tensors of different
/// types or shapes differ everywhere.
BitDifference compare_bits(const Problem& problem, const Outputs& one, const Outputs& other);
/// The same without values that belong to no judged sequence.
BitDifference compare_judged_bits(const Problem& problem, const Outputs& one, const Outputs& other);

}  // namespace deltaproof
