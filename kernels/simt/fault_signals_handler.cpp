#include "kernels/simt/fault_signals_handler.hpp"

#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <string>

#include "kernels/simt/checker_hooks.hpp"
#include "kernels/simt/symbolise.hpp"

namespace deltaproof::faults {

namespace {

constexpr std::array<int, 4> fault_signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL};
/// Symbolising a line uses a few pages; message buffers a few more.
constexpr std::size_t alternate_bytes = std::size_t{256} << 10;
/// A frame may skip the guard page of a fiber's stack by as much as this and still be called an overflow.
constexpr std::uintptr_t overflow_reach = std::uintptr_t{64} << 10;

std::mutex handlers_mutex;
int handlers_users = 0;
std::array<struct sigaction, fault_signals.size()> former_faults;
struct sigaction former_interrupt;

thread_local constinit const Context* current = nullptr;
thread_local constinit bool handling = false;

/// The thread's alternate stack; lives as long as the thread.
struct AlternateStack {
  AlternateStack() {
    memory = mmap(nullptr, alternate_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no memory for a signal stack");
    stack_t stack{};
    stack.ss_sp = memory;
    stack.ss_size = alternate_bytes;
    sigaltstack(&stack, &former);
  }
  ~AlternateStack() {
    sigaltstack(&former, nullptr);
    munmap(memory, alternate_bytes);
  }
  AlternateStack(const AlternateStack&) = delete;
  AlternateStack& operator=(const AlternateStack&) = delete;

  void* memory;
  stack_t former{};
};

bool in_kernel(const Context& context, std::uintptr_t code) {
  return code >= context.code_begin && code < context.code_end;
}

struct Message {
  char text[1024];
  char place[768];
};

void describe_memory_fault(const siginfo_t& info, const ucontext_t& machine, const Context& context,
                           Message& message) {
  constexpr greg_t write_bit = 2;  // of the page fault's error code
  if (info.si_code == SI_KERNEL) {
    std::snprintf(message.text, sizeof message.text, "uses an address that no memory can have (bits 48 to 63)");
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

/// The kernel's instruction that was running; 0: none can be told. The C library's memory functions keep no frame,
/// so the kernel's return address is on top of the stack.
std::uintptr_t kernel_code(const ucontext_t& machine, const Context& context) {
  const auto code = static_cast<std::uintptr_t>(machine.uc_mcontext.gregs[REG_RIP]);
  if (in_kernel(context, code)) return code;
  const auto top = static_cast<std::uintptr_t>(machine.uc_mcontext.gregs[REG_RSP]);
  const RunningThread& thread = *current_thread();
  if (top < reinterpret_cast<std::uintptr_t>(thread.stack_begin) ||
      top >= reinterpret_cast<std::uintptr_t>(thread.stack_end)) {
    return 0;
  }
  const std::uintptr_t caller = *reinterpret_cast<const std::uintptr_t*>(top);
  return in_kernel(context, caller) ? caller - 1 : 0;
}

/// Leaves the signal handler for the executor: this stack is given up, and the signals are not blocked
/// (SA_NODEFER), so nothing has to be undone.
[[noreturn]] void end_launch(int signal, const siginfo_t& info, const ucontext_t& machine,
                             const Context& context) {
  static thread_local Message message;
  static thread_local char file[512];
  describe(signal, info, machine, context, message);
  int line = 0;
  if (const std::uintptr_t code = kernel_code(machine, context); code != 0) {
    const SourcePlace place = symbolise(code);
    std::snprintf(file, sizeof file, "%s", place.file.c_str());
    line = place.line;
  } else {  // in the executor, for its last caller
    const RunningThread& thread = *current_thread();
    std::snprintf(file, sizeof file, "%s", thread.file == nullptr ? "(unknown)" : thread.file);
    line = thread.line;
  }
  handling = false;
  fail_running_thread(message.text, file, line);
}

/// As if our handler had not been there.
void pass_on(int signal, siginfo_t* info, void* machine, const struct sigaction& former) {
  if ((former.sa_flags & SA_SIGINFO) != 0) return former.sa_sigaction(signal, info, machine);
  if (former.sa_handler == SIG_IGN) return;
  if (former.sa_handler != SIG_DFL) return former.sa_handler(signal);
  sigaction(signal, &former, nullptr);
  if (info->si_code <= 0) raise(signal);  // sent, so returning would not repeat it
}

/// Kernel code runs without locks and allocates nothing, so a fault in it may use the whole library. Anywhere
/// else (the executor, a library call of the kernel) it may not.
void on_fault(int signal, siginfo_t* info, void* machine) {
  const Context* context = current;
  if (context != nullptr && current_thread() != nullptr && !handling && info->si_code > 0) {
    const auto& registers = *static_cast<const ucontext_t*>(machine);
    handling = true;
    end_launch(signal, *info, registers, *context);
  }
  for (std::size_t i = 0; i < fault_signals.size(); ++i) {
    if (fault_signals[i] == signal) pass_on(signal, info, machine, former_faults[i]);
  }
}

/// Ignored outside kernel code: the watchdog will try again.
void on_interrupt(int signal, siginfo_t* info, void* machine) {
  const int error = errno;
  const Context* context = current;
  const auto& registers = *static_cast<const ucontext_t*>(machine);
  const auto code = static_cast<std::uintptr_t>(registers.uc_mcontext.gregs[REG_RIP]);
  if (context != nullptr && current_thread() != nullptr && !handling && in_kernel(*context, code)) {
    handling = true;
    end_launch(signal, *info, registers, *context);
  }
  errno = error;
}

struct sigaction action_of(void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
  sigemptyset(&action.sa_mask);
  return action;
}

int visit_object(dl_phdr_info* object, std::size_t, void* data) {
  auto& context = *static_cast<Context*>(data);
  std::uintptr_t begin = UINTPTR_MAX, end = 0;
  bool found = false;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& header = object->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0) continue;
    const std::uintptr_t first = object->dlpi_addr + header.p_vaddr;
    const std::uintptr_t last = first + header.p_memsz;
    if (first < begin) begin = first;
    if (last > end) end = last;
    found = found || (context.code_begin >= first && context.code_begin < last);
  }
  if (!found) return 0;
  context.code_begin = begin;
  context.code_end = end;
  return 1;
}

}  // namespace

void find_code(const void* code, Context& context) {
  context.code_begin = reinterpret_cast<std::uintptr_t>(code);
  context.code_end = context.code_begin + 1;
  dl_iterate_phdr(visit_object, &context);
}

int interrupt_signal() { return SIGRTMIN + 5; }

void install_handlers() {
  const std::scoped_lock lock(handlers_mutex);
  if (handlers_users++ != 0) return;
  const struct sigaction fault = action_of(on_fault), interrupt = action_of(on_interrupt);
  for (std::size_t i = 0; i < fault_signals.size(); ++i) sigaction(fault_signals[i], &fault, &former_faults[i]);
  sigaction(interrupt_signal(), &interrupt, &former_interrupt);
}

void remove_handlers() noexcept {
  const std::scoped_lock lock(handlers_mutex);
  if (--handlers_users != 0) return;
  for (std::size_t i = 0; i < fault_signals.size(); ++i) sigaction(fault_signals[i], &former_faults[i], nullptr);
  // A last interrupt may still be on its way to a thread; it must not end the process.
  if (former_interrupt.sa_handler == SIG_DFL) former_interrupt.sa_handler = SIG_IGN;
  sigaction(interrupt_signal(), &former_interrupt, nullptr);
}

void enter_context(const Context* context) {
  if (context != nullptr) static thread_local const AlternateStack alternate;
  current = context;
}

}  // namespace deltaproof::faults
