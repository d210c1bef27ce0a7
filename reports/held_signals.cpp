#include "reports/held_signals.hpp"

#include <atomic>

namespace deltaproof {
namespace {

constexpr std::array signals = {SIGINT, SIGTERM, SIGHUP, SIGXFSZ};  // the last is not held but ignored

std::array<std::atomic<bool>, 3> came{};
static_assert(std::atomic<bool>::is_always_lock_free);  // or a handler may not touch it

void mark(int signal) {
  for (std::size_t i = 0; i < came.size(); ++i) {
    if (signals[i] == signal) came[i] = true;
  }
}

}  // namespace

HeldSignals::HeldSignals() {
  struct sigaction held = {}, ignored = {};
  held.sa_handler = mark;
  held.sa_flags = SA_RESTART;
  ignored.sa_handler = SIG_IGN;
  sigemptyset(&held.sa_mask);
  sigemptyset(&ignored.sa_mask);
  for (std::size_t i = 0; i < signals.size(); ++i) {
    sigaction(signals[i], nullptr, &former_[i]);
    if (former_[i].sa_handler == SIG_IGN) continue;  // as under nohup
    sigaction(signals[i], i < came.size() ? &held : &ignored, nullptr);
  }
}

HeldSignals::~HeldSignals() {
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &former_[i], nullptr);
  for (std::size_t i = 0; i < came.size(); ++i) {
    if (came[i].exchange(false)) std::raise(signals[i]);
  }
}

}  // namespace deltaproof
