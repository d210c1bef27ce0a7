#include "kernels/simt/fault_signals_handler.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <string>

#include "kernels/simt/checker_hooks.hpp"
#include "kernels/simt/fault_signals_message.hpp"
#include "kernels/simt/symbolise.hpp"

namespace deltaproof::faults {

namespace {

constexpr std::array<int, 4> fault_signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL};
/// Symbolising a line uses a few pages; message buffers a few more.
constexpr std::size_t alternate_bytes = std::size_t{256} << 10;

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

/// The kernel's call whose return address is among the first words of the stack, from its top; 0: there is none.
std::uintptr_t calling_code(const ucontext_t& machine, const Context& context, int words) {
  const auto top = static_cast<std::uintptr_t>(machine.uc_mcontext.gregs[REG_RSP]);
  const RunningThread& thread = *current_thread();
  const auto begin = reinterpret_cast<std::uintptr_t>(thread.stack_begin);
  const auto end = reinterpret_cast<std::uintptr_t>(thread.stack_end);
  for (int i = 0; i < words; ++i) {
    const std::uintptr_t word = top + static_cast<std::uintptr_t>(i) * sizeof(void*);
    if (word < begin || word >= end) return 0;
    const std::uintptr_t caller = *reinterpret_cast<const std::uintptr_t*>(word);
    if (in_kernel(context, caller)) return caller - 1;
  }
  return 0;
}

/// The kernel's instruction that was running; 0: none can be told. The C library's memory functions keep no frame,
/// so the kernel's return address is on top of the stack.
std::uintptr_t kernel_code(const ucontext_t& machine, const Context& context) {
  const auto code = static_cast<std::uintptr_t>(machine.uc_mcontext.gregs[REG_RIP]);
  return in_kernel(context, code) ? code : calling_code(machine, context, 1);
}

/// Where the kernel was. A stub through which its library calls another has no line: the call that it serves has, whose
/// return address is on top of the stack, or below what the stub has pushed.
SourcePlace kernel_place(std::uintptr_t code, const ucontext_t& machine, const Context& context) {
  SourcePlace place = symbolise(code);
  if (place.line != 0) return place;
  const std::uintptr_t call = calling_code(machine, context, 3);
  if (call == 0) return place;
  SourcePlace called = symbolise(call);
  return called.line != 0 ? called : place;
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
    const SourcePlace place = kernel_place(code, machine, context);
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

}  // namespace

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
