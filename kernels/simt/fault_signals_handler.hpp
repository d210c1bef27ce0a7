#pragma once

#include <cstdint>

#include "kernels/simt/abi.hpp"
#include "kernels/simt/host_memory.hpp"

namespace deltaproof::faults {

/// What the handlers need to know of the launch that a thread works for.
struct Context {
  const HostMemory* memory = nullptr;
  std::uintptr_t code_begin = 0, code_end = 0;  ///< the kernel library's executable segments
  double timeout_s = 0;
};

/// Fills in the segments of the library that holds `code`.
void find_code(const void* code, Context& context);

/// Handlers stand while at least one launch runs. Thread-safe. Throws `std::runtime_error`.
void install_handlers();
void remove_handlers() noexcept;

/// From here on, signals of the calling thread that come from the context's code end its launch. Gives the thread
/// an alternate stack at the first call. Null: no longer.
void enter_context(const Context* context);

/// The signal by which a watchdog ends a kernel that does not come back.
int interrupt_signal();

}  // namespace deltaproof::faults
