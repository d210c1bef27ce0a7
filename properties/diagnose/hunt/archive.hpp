#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "properties/diagnose/hunt/candidate.hpp"
#include "properties/diagnose/hunt/objective.hpp"

namespace deltaproof {

/// A candidate that was evaluated, and what it reached.
struct Worst {
  Candidate candidate;
  double value = 0;
  std::int64_t evaluation = 0;  ///< its number
};

/// Rule and type of inputs: what a search should not give up for another. "gated_delta BF16".
std::string cell_of(const Candidate& candidate);

/// The candidates with the largest values of one objective, at most `kept_per_cell` of each cell, worst first.
class Archive {
 public:
  static constexpr std::size_t kept_per_cell = 4;

  /// Of equal values in a cell the first one is kept.
  void add(Objective objective, const Worst& worst);
  bool empty() const { return cells_.empty(); }
  const std::map<std::string, std::vector<Worst>>& cells() const { return cells_; }
  /// All of all cells, by rank_value; of equal ones the earlier first.
  std::vector<Worst> ranked(Objective objective) const;

 private:
  std::map<std::string, std::vector<Worst>> cells_;
};

}  // namespace deltaproof
