#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "properties/defects/defect.hpp"
#include "properties/diagnose/measured.hpp"
#include "reference/arithmetic/declared.hpp"

namespace deltaproof {

/// A known defect, held against a run as what may have happened in it.
struct Hypothesis {
  const Defect* defect = nullptr;
  std::string place;             ///< of one that touches a part of a run: "sequence 0, head 1, chunk 2"; else empty
  double explained = 0;          ///< share of the error that it explains, 1: all
  std::int64_t compared = 0;     ///< values of the run that it was held against
  std::int64_t outside = 0;      ///< of them: further from what it gives than the bound allows
  std::int64_t unequal = 0;      ///< of them: other bits than what it gives
  std::vector<const Defect*> equivalents;  ///< others that give the same bits on this input

  /// It brings every value within the bound.
  bool fits() const { return compared > 0 && outside == 0; }
};

/// What the catalogue has to say of a run.
struct Hypotheses {
  std::vector<Hypothesis> ranked;  ///< best first; those that explain nothing are left out
  std::int64_t tried = 0;
  /// Defects that were not tried, and why: there is no such place in this problem.
  std::vector<std::pair<const Defect*, std::string>> untried;
  std::string kernel;   ///< the kernel, emulated, that defects were put into
  std::string assumed;  ///< why it is not the declared one, or ""
};

struct HypothesesOptions {
  int threads = 0;                        ///< 0: all cores
  std::function<void(double)> progress;   ///< called with the share done, from any thread
};

/// Puts every defect of the catalogue that says something of the problem into a kernel of the declared arithmetic, runs
/// it on the problem's inputs and ranks them by how much of the run's error they explain. `measured`: the run, judged.
Hypotheses hypotheses(const Problem& problem, const Outputs& outputs, const std::optional<Declared>& declared,
                      const Measured& measured, const HypothesesOptions& options = {});

}  // namespace deltaproof
