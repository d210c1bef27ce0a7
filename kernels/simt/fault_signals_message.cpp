#include "kernels/simt/fault_signals_message.hpp"

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "kernels/simt/checker_hooks.hpp"

namespace deltaproof::faults {

namespace {

/// A frame may skip the guard page of a fiber's stack by as much as this and still be called an overflow.
constexpr std::uintptr_t overflow_reach = std::uintptr_t{64} << 10;

void describe_memory_fault(const siginfo_t& info, const ucontext_t& machine, const Context& context,
                           Message& message) {
  constexpr greg_t write_bit = 2;  // of the page fault's error code
  if (info.si_code == SI_KERNEL) {
    std::snprintf(message.text, sizeof message.text,
                  "misaligned: uses an address that is no multiple of 16 for a vector, or that no memory can have");
    return;
  }
  const auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
  const RunningThread* thread = current_thread();
  const auto stack = reinterpret_cast<std::uintptr_t>(thread->stack_begin);
  if (address < stack && stack - address <= overflow_reach) {
    std::snprintf(message.text, sizeof message.text, "stack overflow: the thread's stack of %zu bytes is used up",
                  static_cast<std::size_t>(thread->stack_end - thread->stack_begin));
    return;
  }
  const char* verb = (machine.uc_mcontext.gregs[REG_ERR] & write_bit) != 0 ? "writes" : "reads";
  describe_address(context.memory, info.si_addr, 1, message.place, sizeof message.place);
  const bool inside = std::strncmp(message.place, "byte ", 5) == 0;
  std::snprintf(message.text, sizeof message.text,
                inside ? "read only: %s to an input, %s" : "out of bounds: %s %s", verb, message.place);
}

}  // namespace

void describe(int signal, const siginfo_t& info, const ucontext_t& machine, const Context& context,
              Message& message) {
  if (signal == SIGSEGV || signal == SIGBUS) return describe_memory_fault(info, machine, context, message);
  const char* what = signal == SIGILL ? "executes an instruction that this processor does not have"
                                      : "divides an integer by zero, or the least one by -1";
  if (signal == interrupt_signal()) {
    std::snprintf(message.text, sizeof message.text, "the launch did not end within %g s; this thread was here",
                  context.timeout_s);
    return;
  }
  std::snprintf(message.text, sizeof message.text, "%s", what);
}

}  // namespace deltaproof::faults
