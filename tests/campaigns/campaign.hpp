#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "kernel_outputs.hpp"
#include "reference/verdict.hpp"
#include "tally.hpp"

namespace deltaproof::campaign {

/// The verdict on one run. What the check throws makes it an error.
Verdict judge(const CorrectRun& run, Planted planted = Planted::nothing);

/// A run that raised an alarm: what it was, what was found, and the command that gives both again.
std::string alarm_text(const CorrectRun& run, const Verdict& verdict);

struct CampaignOptions {
  std::uint64_t seed = 1;
  std::int64_t runs = 56;
  int threads = 0;  ///< 0: all cores
  std::function<void(std::int64_t)> progress;             ///< called with the number of runs done, one at a time
  std::function<void(const std::string&)> report_alarm;  ///< called with the text of each alarm, one at a time
};

/// Judges runs 0, 1, .. of a campaign. The tally does not depend on the number of threads.
Tally run_campaign(const CampaignOptions& options);

}  // namespace deltaproof::campaign
