#include "kernels/simt/fiber_context.hpp"

#include <cstdint>
#include <cstdlib>

#ifdef DELTAPROOF_FIBER_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace deltaproof {

#ifdef DELTAPROOF_FIBER_ASM

// System V: a call preserves rbx, rbp and r12 to r15. The floating-point environment is the same for all fibers.
// `ret`, because the threads of a warp mostly leave and go on at the same call: then the processor's stack of return
// addresses, which predicts where `ret` goes, stays right. Outside of any function, so that no instrumentation gets
// into it.
asm(".pushsection .text\n"
    ".globl deltaproof_switch_stack\n"
    ".hidden deltaproof_switch_stack\n"
    ".type deltaproof_switch_stack, @function\n"
    ".p2align 4\n"
    "deltaproof_switch_stack:\n\t"
    "pushq %rbp\n\t"
    "pushq %rbx\n\t"
    "pushq %r12\n\t"
    "pushq %r13\n\t"
    "pushq %r14\n\t"
    "pushq %r15\n\t"
    "movq %rsp, (%rdi)\n\t"
    "movq %rsi, %rsp\n\t"
    "popq %r15\n\t"
    "popq %r14\n\t"
    "popq %r13\n\t"
    "popq %r12\n\t"
    "popq %rbx\n\t"
    "popq %rbp\n\t"
    "ret\n"
    ".size deltaproof_switch_stack, .-deltaproof_switch_stack\n"
    ".popsection");

void FiberContext::prepare(std::byte* low, std::byte* high, void (*entry)()) {
  // From the top: a return address of 0, where debuggers end the backtrace; `entry`; six registers. At `entry` the
  // stack pointer is then 8 below a multiple of 16, as after a call.
  auto* top = reinterpret_cast<std::uintptr_t*>(reinterpret_cast<std::uintptr_t>(high) & ~std::uintptr_t{15});
  *--top = 0;
  *--top = reinterpret_cast<std::uintptr_t>(entry);
  for (int i = 0; i < 6; ++i) *--top = 0;
  stack_pointer_ = top;
#else

void FiberContext::prepare(std::byte* low, std::byte* high, void (*entry)()) {
  getcontext(&context_);
  context_.uc_stack.ss_sp = low;
  context_.uc_stack.ss_size = static_cast<std::size_t>(high - low);
  context_.uc_link = nullptr;
  makecontext(&context_, entry, 0);
#endif
  low_ = low;
  size_ = static_cast<std::size_t>(high - low);
#ifdef DELTAPROOF_FIBER_ASAN
  forget_frames();
#endif
}

#ifdef DELTAPROOF_FIBER_ASAN

// AddressSanitizer keeps locals in a side stack of each fiber (detect_stack_use_after_return), and gives one up only
// when its own fiber is left for good: so this one is entered and left by name alone.
[[gnu::no_sanitize_address]] void FiberContext::forget_frames() {
  if (fake_stack_ != nullptr) {
    void* mine = nullptr;
    const void* my_low = nullptr;
    std::size_t my_size = 0;
    __sanitizer_start_switch_fiber(&mine, low_, size_);
    __sanitizer_finish_switch_fiber(fake_stack_, &my_low, &my_size);
    __sanitizer_start_switch_fiber(nullptr, my_low, my_size);
    __sanitizer_finish_switch_fiber(mine, nullptr, nullptr);
    fake_stack_ = nullptr;
  }
  __asan_unpoison_memory_region(low_, size_);
}

[[gnu::no_sanitize_address]]  // the side stack of this function's locals is gone before the switch
#endif
void FiberContext::leave_for(FiberContext& to) {
#ifdef DELTAPROOF_FIBER_ASAN
  fake_stack_ = nullptr;
  __sanitizer_start_switch_fiber(nullptr, to.low_, to.size_);
#endif
#ifdef DELTAPROOF_FIBER_ASM
  deltaproof_switch_stack(&stack_pointer_, to.stack_pointer_);
#else
  setcontext(&to.context_);
#endif
  std::abort();
}

void FiberContext::entered([[maybe_unused]] FiberContext* from) {
#ifdef DELTAPROOF_FIBER_ASAN
  const void* low = nullptr;
  std::size_t size = 0;
  __sanitizer_finish_switch_fiber(nullptr, &low, &size);
  if (from->low_ == nullptr) {
    from->low_ = low;
    from->size_ = size;
  }
#endif
}

}  // namespace deltaproof
