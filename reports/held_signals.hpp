#pragma once

#include <array>
#include <csignal>

namespace deltaproof {

/// While it lives, SIGINT, SIGTERM and SIGHUP only wait: files that belong together are not left half. At its end those
/// that came are delivered to whatever heard them before. By handlers, not by a thread's mask, for other threads would
/// take the signal. A file that grows beyond the limit of the process is an error of write(), and no signal.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

 private:
  std::array<struct sigaction, 4> former_{};
};

}  // namespace deltaproof
