#pragma once

#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "reference/verdict.hpp"

namespace deltaproof::cli {

/// Of many verdicts a report pictures those that matter: the first that something speaks against and, of the others, those
/// with the largest ratio. The profiles of the rest are dropped while the run goes on, so that its memory and the report
/// stay small.
class KeptProfiles {
 public:
  static constexpr std::size_t most_failures = 200;
  static constexpr std::size_t most_others = 50;

  /// Looks at the verdicts that were added at the end since the last call.
  void look_at(std::vector<Verdict>& verdicts);

 private:
  void look_at(std::vector<Verdict>& verdicts, std::size_t index);

  std::size_t seen_ = 0, failures_ = 0;
  std::set<std::pair<double, std::ptrdiff_t>> others_;  ///< ratio, and the index below 0: on equal ratios the earlier one stays
};

}  // namespace deltaproof::cli
