#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "kernels/built_in/device.hpp"
#include "kernels/kernel.hpp"
#include "reference/verdict.hpp"

namespace deltaproof::campaign {

/// What was said of the built-in kernels on random problems.
struct KernelTally {
  struct Count {
    std::int64_t passed = 0, uninformative = 0, skipped = 0, alarms = 0;
  };
  std::int64_t problems = 0;
  std::map<std::string, Count> regimes, kernels, properties;

  void add(const std::string& regime, const Verdict& verdict);
  std::int64_t alarms() const;
  /// Tables in Markdown.
  std::string markdown() const;
};

struct KernelCampaign {
  std::uint64_t seed = 1;
  std::int64_t problems = 100;
  double seconds = 0;  ///< stop then, if not done; 0: no limit
  std::shared_ptr<const Device> main, other;  ///< the second runs under another schedule
  /// Called with what each alarm is and the command that gives it again.
  std::function<void(const std::string&)> report_alarm;
  std::function<void(std::int64_t)> progress;
  /// Puts a fault into a kernel, to show that a campaign can fail; empty: none.
  std::function<std::shared_ptr<const Kernel>(std::shared_ptr<const Kernel>)> damaged;
};

/// Draws problems 0, 1, .. of small sizes: all built-in kernels and all families of inputs take turns. Each is judged
/// for accuracy, run under a second schedule, and put to two laws in turn; the kernels around a cache to all of theirs.
KernelTally run_kernel_campaign(const KernelCampaign& campaign);

}  // namespace deltaproof::campaign
