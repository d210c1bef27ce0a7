#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "properties/diagnose/shrink/case_judge.hpp"

namespace deltaproof {

/// How long a search may go on.
struct ShrinkLimits {
  double seconds = 60;
  std::int64_t most_tried = -1;              ///< cases judged; -1: as many as there is time for
  std::function<bool()> stop = {};           ///< asked between two cases; true ends the search
  std::function<void(const RunCase& smallest, std::int64_t tried)> progress = {};  ///< called between two cases
};

/// How large a case is: smaller ones have no axis longer, no more bytes, and something less.
struct CaseSize {
  std::int64_t sequences = 0, tokens = 0, key_heads = 0, value_heads = 0, K = 0, V = 0, pool = 0;
  std::int64_t bytes = 0;   ///< of all tensors
  std::int64_t values = 0;  ///< 0 costs nothing, 1 or -1 one, powers of two 2, others 3 each
  std::int64_t options = 0; ///< that are not the plain ones

  bool is_below(const CaseSize& other) const;
};
CaseSize size_of(const RunCase& run);

/// The smallest case found so far that fails in the way of the first.
class Search {
 public:
  /// `first` fails. The judge and what limits refer to must outlive it.
  Search(JudgedCase first, const CaseJudge& judge, ShrinkLimits limits);

  /// Judges a case, unless it is not below the smallest or was tried before. True: it fails in the same way and is now
  /// the smallest.
  bool take(std::optional<RunCase> candidate);
  const RunCase& now() const { return smallest_.run; }
  const JudgedCase& smallest() const { return smallest_; }
  /// The place that the verdict on the smallest names.
  Location place() const { return first_place(smallest_.verdict); }
  bool runs() const { return judge_.runs(); }

  /// Nothing more is tried: time is up, or somebody stopped it.
  bool is_over();
  const std::string& why_over() const { return why_over_; }
  std::int64_t tried() const { return tried_; }
  std::int64_t taken() const { return taken_; }

 private:
  JudgedCase smallest_;
  CaseSize size_;
  const CaseJudge& judge_;
  ShrinkLimits limits_;
  Failure failure_;
  std::set<std::uint64_t> seen_;
  std::int64_t tried_ = 0, taken_ = 0;
  double end_ = 0;
  std::string why_over_;
};

}  // namespace deltaproof
