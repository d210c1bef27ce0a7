#include "cli/interruption.hpp"

#include <array>
#include <atomic>
#include <csignal>

namespace deltaproof::cli {
namespace {

constexpr std::array caught = {SIGINT, SIGTERM};

std::atomic<int> came_signal = 0;
static_assert(std::atomic<int>::is_always_lock_free);  // or a handler may not touch it

void mark(int signal) { came_signal = signal; }

}  // namespace

Interruption::Interruption() {
  came_signal = 0;
  struct sigaction action = {};
  action.sa_handler = mark;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);  // the second one is not caught
  sigemptyset(&action.sa_mask);
  for (const int signal : caught) {
    struct sigaction former = {};
    sigaction(signal, nullptr, &former);
    if (former.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

Interruption::~Interruption() {
  for (const int signal : caught) {
    struct sigaction present = {};
    sigaction(signal, nullptr, &present);
    if (present.sa_handler == mark) std::signal(signal, SIG_DFL);
  }
}

bool Interruption::came() const { return came_signal != 0; }

void Interruption::pass_on() {
  const int signal = came_signal;
  if (signal == 0) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace deltaproof::cli
