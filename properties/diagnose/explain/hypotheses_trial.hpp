#pragma once

#include <map>
#include <utility>
#include <vector>

#include "properties/defects/faulty_head.hpp"
#include "properties/diagnose/explain/hypotheses_kernel.hpp"
#include "properties/diagnose/explain/hypotheses_tally.hpp"
#include "properties/diagnose/explain/hypotheses_values.hpp"
#include "reference/arithmetic/hola_bits.hpp"

namespace deltaproof {

/// A run that was recorded: what hypotheses explain.
struct RecordedRun {
  const Problem& problem;
  const Outputs& outputs;
  /// Each chunk begins with the recorded state, of the run as of hypotheses: what is allowed is that of a chunk. False:
  /// with the state that a hypothesis makes itself, from the initial one on.
  bool from_recorded_states = false;
};

/// A hypothesis held against parts of a run, and what the right kernel gives for the same values.
struct Held {
  Tally hypothesis, right;

  void add(const Held& next) { hypothesis.add(next.hypothesis), right.add(next.right); }
  bool changes_nothing() const { return hypothesis.hash == right.hash; }
  double explained() const { return deltaproof::explained(hypothesis, right); }
};

/// Windows of a run in which hypotheses of one kernel are tried. Everything it is given must outlive it.
class HypothesisTrial {
 public:
  /// Runs the right kernel.
  HypothesisTrial(const RecordedRun& run, const HypothesisKernel& kernel, std::vector<Window> windows, int threads);

  const HypothesisKernel& kernel() const { return kernel_; }
  const std::vector<Window>& windows() const { return windows_; }
  /// Of the run without a defect, over all windows.
  Tally right() const;

  /// A fault in the state's kernel, held against one window. Not of rule hola.
  Held hold(const Fault& fault, std::size_t window) const;
  /// Against all windows.
  Held hold(const Fault& fault) const;
  /// Rule hola: something wrong in the cache.
  Held hold(const HolaFault& fault) const;
  /// Outputs of a whole run; what they lack is not compared.
  Held hold(const Outputs& outputs) const;

  /// What the right kernel gives for a head of a window.
  const Emulation& right_run(const Window& window) const;
  /// All that it gives. The windows must be all heads.
  Outputs right_outputs() const;
  /// Values of a window that the right kernel gives.
  std::optional<Matrix> right_values(const Window& window, const BlockPart& part) const;

 private:
  using Place = std::pair<std::int64_t, std::int64_t>;  // sequence, head

  HeadPart part_of(const Sequence& sequence, std::int64_t head, Index first, Index end) const;
  Emulation run(const Fault& fault, const Window& window, const Emulation* right) const;
  Outputs cache_run(const HolaFault& of_cache, const Fault& of_state) const;
  template <class Run>
  Held held(const Run& run, std::size_t window) const;
  void run_right(int threads);

  const RecordedRun& run_;
  const HypothesisKernel& kernel_;
  std::vector<Window> windows_;
  std::map<Place, Emulation> right_;
  std::optional<Outputs> right_of_cache_;       // rule hola
  std::vector<std::vector<Tally>> right_parts_; // of each window
};

}  // namespace deltaproof
