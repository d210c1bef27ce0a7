#pragma once

#include <optional>

#include "properties/accuracy/judge_cache.hpp"
#include "properties/accuracy/read_parts.hpp"

namespace deltaproof {

/// What a run of rule `hola` has beside its state: scores, sets and reads. The state is judged as a problem of its own;
/// what the cache adds to `o` is worked out from the sets that the kernel read, so that a legitimate choice among nearly
/// equal scores never enters a bound.
class CacheRun {
 public:
  /// Both must outlive it.
  CacheRun(const Problem& problem, const Outputs& outputs) : problem_(problem), outputs_(outputs), state_(problem.state_part()) {}

  /// The problem of the state.
  const Problem& state() const { return state_; }
  /// Judges scores and sets, and settles the sets to read with. `context`: of the state's problem, without reads.
  void judge(const JudgeContext& context, const std::vector<Unit>& units, const AccuracyOptions& options);
  const CacheFindings& findings() const { return findings_; }
  /// What the state's check is put to: without `o` where it is not known what was read.
  const Outputs& outputs() const { return without_o_ ? *without_o_ : outputs_; }
  const ReadParts& reads() const { return *reads_; }

 private:
  const Problem& problem_;
  const Outputs& outputs_;
  Problem state_;
  CacheFindings findings_;
  std::optional<ReadParts> reads_;
  std::optional<Outputs> without_o_;
};

}  // namespace deltaproof
