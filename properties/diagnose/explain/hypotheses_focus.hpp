#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "properties/diagnose/explain/hypotheses_trial.hpp"

namespace deltaproof {

/// The first chunk of a run that has something wrong in it, and what.
struct Focus {
  std::size_t window = 0;  ///< of the windows that were searched
  Index chunk = 0;
  std::vector<std::pair<Index, Index>> outputs;  ///< wrong values of `o`: token of the sequence, column; in order
  std::vector<std::pair<Index, Index>> states;   ///< of the first state: row and column, [K, V]

  std::vector<Index> rows() const;     ///< tokens that have some of `outputs`
  std::vector<Index> columns() const;  ///< columns that have some, by how many
};

using IsWrong = std::function<bool(const BlockPart& part, Index i, Index j)>;

/// Over whole windows. Nothing if nothing is wrong; what lies in no chunk (pool, sets) is not looked at.
std::optional<Focus> find_focus(const Problem& problem, const std::vector<Window>& windows, const IsWrong& is_wrong);

/// Where values are out of bound; where a right kernel's are other bits.
std::optional<Focus> focus_of_bound(const Problem& problem, const std::vector<Window>& windows);
std::optional<Focus> focus_of_bits(const Problem& problem, const HypothesisTrial& whole);

}  // namespace deltaproof
