#pragma once

#include <signal.h>
#include <ucontext.h>

#include "kernels/simt/fault_signals_handler.hpp"

namespace deltaproof::faults {

/// What a signal of the running kernel thread means. Room for the words, because a handler allocates nothing.
struct Message {
  char text[1024];
  char place[768];
};

void describe(int signal, const siginfo_t& info, const ucontext_t& machine, const Context& context, Message& message);

}  // namespace deltaproof::faults
