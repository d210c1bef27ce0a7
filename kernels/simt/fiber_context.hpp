#pragma once

#include <cstddef>

#if defined(__x86_64__) && !defined(DELTAPROOF_FIBER_UCONTEXT)
#define DELTAPROOF_FIBER_ASM 1
/// fiber_context.cpp: pushes what a call preserves, keeps the stack pointer in `*save`, goes on at `load`.
extern "C" void deltaproof_switch_stack(void** save, void* load);
#else
#include <ucontext.h>
#endif

#if defined(__SANITIZE_ADDRESS__)
#define DELTAPROOF_FIBER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DELTAPROOF_FIBER_ASAN 1
#endif
#endif
#ifdef DELTAPROOF_FIBER_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

namespace deltaproof {

/// A flow of control with a stack of its own, or the OS thread's (a default one): suspended, unless it is the one
/// that runs. Must not move while it exists.
class FiberContext {
 public:
  FiberContext() = default;
  FiberContext(const FiberContext&) = delete;
  FiberContext& operator=(const FiberContext&) = delete;

  /// Calls `entry` on the stack [low, high) at the next switch here; what was suspended on it is forgotten.
  /// `entry` starts with a call of `entered` and never returns.
  void prepare(std::byte* low, std::byte* high, void (*entry)());

  /// Suspends this one, which runs, and resumes `to`. Returns when somebody switches back here.
  void switch_to(FiberContext& to);
  /// The same, but nobody will switch back here before the next `prepare`.
  [[noreturn]] void leave_for(FiberContext& to);
  /// To be called first thing by `entry`. `from`: whoever switched here the first time.
  void entered(FiberContext* from);

 private:
#ifdef DELTAPROOF_FIBER_ASM
  void* stack_pointer_ = nullptr;
#else
  ucontext_t context_{};
#endif
#ifdef DELTAPROOF_FIBER_ASAN
  void forget_frames();
#endif
  const void* low_ = nullptr;  ///< of the stack, for AddressSanitizer; an OS thread's becomes known in `entered`
  std::size_t size_ = 0;
  void* fake_stack_ = nullptr;
};

inline void FiberContext::switch_to(FiberContext& to) {
#ifdef DELTAPROOF_FIBER_ASAN
  __sanitizer_start_switch_fiber(&fake_stack_, to.low_, to.size_);
#endif
#ifdef DELTAPROOF_FIBER_ASM
  deltaproof_switch_stack(&stack_pointer_, to.stack_pointer_);
#else
  swapcontext(&context_, &to.context_);
#endif
#ifdef DELTAPROOF_FIBER_ASAN
  __sanitizer_finish_switch_fiber(fake_stack_, nullptr, nullptr);
#endif
}

}  // namespace deltaproof
