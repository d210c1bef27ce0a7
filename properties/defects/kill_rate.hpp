#pragma once

#include <array>
#include <string>

#include "properties/defects/catalogue.hpp"
#include "properties/defects/kill_rules.hpp"

namespace deltaproof {

/// How many of the tried places of a defect each rule saw.
struct KillRate {
  std::int64_t places = 0;
  std::array<std::int64_t, all_kill_rules.size()> kills = {};
  std::int64_t killed_by_any = 0;    ///< of LOC, PIN, 6 sigma and the structured error
  std::int64_t changes_nothing = 0;  ///< places where no bit of the outputs changes

  /// At half of the places or more.
  bool killed_by(KillRule rule) const { return 2 * kills[static_cast<std::size_t>(rule)] >= places; }
  bool killed() const { return 2 * killed_by_any >= places; }
};

/// A recording, the kernel that made it, and the rules: everything to try defects on.
class DefectBench {
 public:
  /// Throws std::logic_error if the recording is no run, to the bit, of its declared arithmetic.
  explicit DefectBench(const CaseFile& recording);

  /// Why a defect cannot be tried here, or "".
  std::string why_not(const Defect& defect) const;
  Outputs outputs(const Defect& defect, std::uint64_t place) const;
  Findings judge(const Outputs& outputs) const { return rules_.judge(outputs); }
  const FaultyKernel& kernel() const { return kernel_; }

  /// At `places` places, or at one if the defect has none of its own.
  KillRate rate(const Defect& defect, std::int64_t places) const;

 private:
  const CaseFile& recording_;
  KillRules rules_;
  FaultyKernel kernel_;
};

}  // namespace deltaproof
