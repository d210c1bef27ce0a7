#pragma once

#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include "kernels/call.hpp"
#include "kernels/simt/simt.cuh"

/// The caller's side of the built-in kernels: grids, limits, messages.
namespace deltaproof {

/// A limit of a kernel that a call breaks.
inline void require(bool holds, const std::string& what) {
  if (!holds) throw std::invalid_argument(what);
}

/// Blocks on grid.x.
inline dim3 linear_grid(const char* kernel, std::int64_t blocks) {
  constexpr std::int64_t most = 2147483647;
  require(blocks <= most, std::string(kernel) + ": the call takes " + std::to_string(blocks) +
                              " blocks, a grid has at most " + std::to_string(most) + "; divide the batch");
  return dim3(static_cast<unsigned>(blocks));
}

inline void require_between(const char* kernel, const char* name, std::int64_t value, std::int64_t least,
                            std::int64_t most) {
  require(value >= least && value <= most,
          std::string(kernel) + ": " + name + " is " + std::to_string(value) + ", must be from " +
              std::to_string(least) + " to " + std::to_string(most));
}

inline void require_pointer(const char* kernel, const char* name, const void* pointer) {
  require(pointer != nullptr, std::string(kernel) + ": " + name + " is null");
}

inline bool is_call_type(CallType type) {
  return type == CallType::f32 || type == CallType::bf16 || type == CallType::f16;
}

/// Sizes, types and sequences of a call.
inline void require_shape(const char* kernel, const KernelCall& call) {
  const std::int64_t most = std::int64_t{1} << 40;
  require_between(kernel, "B", call.B, 0, most);
  require_between(kernel, "T", call.T, 0, most);
  require_between(kernel, "H", call.H, 1, most);
  require_between(kernel, "HV", call.HV, 1, most);
  require(call.HV % call.H == 0, std::string(kernel) + ": HV " + std::to_string(call.HV) +
                                     " is not a multiple of H " + std::to_string(call.H));
  require_between(kernel, "N", call.N, 0, most);
  require(call.cu_seqlens != nullptr ? call.B == 1 : call.N == call.B,
          std::string(kernel) + ": with cu_seqlens B is 1, without it N is B");
  require(is_call_type(call.input) && is_call_type(call.g_type) && is_call_type(call.write_type),
          std::string(kernel) + ": an element type is none of f32, bf16, f16");
  require(call.coefficient >= Coefficient::one && call.coefficient <= Coefficient::longhorn,
          std::string(kernel) + ": no such coefficient");
}

/// What every kernel that computes states wants of a call.
inline void require_call(const char* kernel, const KernelCall& call) {
  require_shape(kernel, call);
  require(call.g != nullptr || !call.per_channel, std::string(kernel) + ": per_channel without g");
  const bool reads_write = call.coefficient != Coefficient::one && call.coefficient != Coefficient::key_norm_only;
  if (reads_write) require_pointer(kernel, "write", call.write);
  if (call.chunk_states != nullptr) {
    require_between(kernel, "states_every", call.states_every, 1, std::int64_t{1} << 40);
    if (call.cu_seqlens != nullptr) require_pointer(kernel, "first_states", call.first_states);
  }
  if (call.N == 0 || call.T == 0) return;
  require_pointer(kernel, "q", call.q);
  require_pointer(kernel, "k", call.k);
  require_pointer(kernel, "v", call.v);
  require_pointer(kernel, "o", call.o);
}

/// Runs `launches` on the stream and waits for them. 0, or 1 with the message in `error`.
template <class Launches>
int run_to_completion(void* stream, char* error, std::size_t capacity, const Launches& launches) {
  try {
    const simt::OnStream on(stream);
    launches();
    simt::synchronize();
    return 0;
  } catch (const std::exception& e) {
    if (capacity > 0) std::snprintf(error, capacity, "%s", e.what());
    return 1;
  }
}

}  // namespace deltaproof
