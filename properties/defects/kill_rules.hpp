#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "properties/accuracy/advisory.hpp"
#include "properties/accuracy/conformity.hpp"
#include "properties/accuracy/pieces.hpp"
#include "properties/defects/published_rules.hpp"

namespace deltaproof {

/// Rules that may reject a run (docs/defects.md).
enum class KillRule {
  loc,         ///< the bound for the right answer: a value outside, not finite, or two copies of a state differ
  pin,         ///< a value outside the sets of the declared order of roundings
  sigma,       ///< a value beyond the limit in standard deviations
  structured,  ///< a pattern in the errors
  bits,        ///< a bit other than the emulation's
  rms,         ///< published: relative rms error of o or of the final state not below 0.005
  rms_loose,   ///< published: not below 0.01, and some difference above 0.3
};
inline constexpr std::array all_kill_rules = {KillRule::loc,  KillRule::pin, KillRule::sigma,    KillRule::structured,
                                              KillRule::bits, KillRule::rms, KillRule::rms_loose};

/// What the rules found in a run.
struct Findings {
  std::int64_t outside_loc = 0, outside_pin = 0, outside_sigma = 0, unequal_bits = 0;
  bool structured = false;          ///< a pattern in the errors
  bool contradicts_itself = false;  ///< final_state is not the last of chunk_states
  bool rms_accepts = true, rms_loose_accepts = true;

  bool killed_by(KillRule rule) const;
};

/// Holds damaged outputs of one recorded run against every rule, as `check_accuracy` does. What the recording
/// itself gives is worked out once: a damaged run costs the units whose initial state it changes.
class KillRules {
 public:
  /// Throws std::logic_error if a rule has something against the recording itself (the published ones may).
  explicit KillRules(const CaseFile& recording);

  Findings judge(const Outputs& damaged) const;

 private:
  struct Held {
    Matrix expected, bound, radius;
  };
  struct Judged {
    Unit unit;
    HeadInputs head;  // whole sequence
    std::vector<Piece> pieces;
    std::vector<Held> loc, pin;  // of each piece
    Spread spread;               // with its correlation
  };

  void judge_recording(const Unit& unit);
  void add_spreads();
  bool is_as_recorded(const Unit& unit, const Outputs& damaged) const;
  bool begins_as_recorded(const Unit& unit, const Outputs& damaged) const;
  void compare(const Judged& judged, const Outputs& damaged, Findings& findings) const;
  void judge_again(const Judged& judged, const Outputs& damaged, Findings& findings) const;
  void advise(const Outputs& damaged, Findings& findings) const;
  JudgeContext context(const Outputs& outputs) const;

  const Problem& problem_;
  const Outputs& recorded_;
  BoundChoice choice_;
  Declared declared_;
  PublishedRules published_;
  std::vector<Judged> judged_;
  std::vector<Unit> units_;  // of judged_
};

}  // namespace deltaproof
