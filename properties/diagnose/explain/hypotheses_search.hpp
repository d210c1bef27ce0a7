#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "properties/diagnose/explain/hypotheses.hpp"
#include "properties/diagnose/explain/hypotheses_outputs.hpp"
#include "properties/diagnose/explain/hypotheses_trial.hpp"

namespace deltaproof {

/// A defect put into a kernel at a place.
struct PlacedDefect {
  const Defect* defect = nullptr;
  DefectPlace place;
  Held held;
};

/// The defects of one kernel, held against a run.
class HypothesisSearch {
 public:
  /// `blocks`: all that was compared, and the rest.
  HypothesisSearch(const RecordedRun& run, const HypothesisKernel& kernel, const std::vector<MeasuredBlock>& blocks,
                   int threads);

  /// Those of `defects` that change something and explain part of the error, best first.
  std::vector<PlacedDefect> best_of(const std::vector<const Defect*>& defects, const std::function<void(double)>& progress);

 private:
  bool can_tell() const;
  bool is_long() const;
  void find_places();
  std::vector<PlacedDefect> placed(const Defect& defect) const;
  PlacedDefect best_place(const std::vector<PlacedDefect>& places) const;
  Held screened(const PlacedDefect& candidate) const;
  Held held(const PlacedDefect& candidate) const;
  Fault fault_of(const PlacedDefect& candidate) const;
  std::vector<PlacedDefect> promising(std::vector<PlacedDefect> candidates) const;

  const RecordedRun& run_;
  const HypothesisKernel& kernel_;
  int threads_;
  HypothesisTrial whole_;
  std::vector<Focus> foci_;
  std::vector<std::unique_ptr<HypothesisTrial>> near_;  ///< a trial of each focus: its chunk, the one before and the one behind
  std::unique_ptr<HypothesisTrial> screen_;             ///< what all defects are tried on first
  std::unique_ptr<StandInKernel> outputs_;
};

}  // namespace deltaproof
