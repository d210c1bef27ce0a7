#pragma once

#include "kernels/cache_common.cuh"
#include "kernels/common_run.cuh"

namespace deltaproof {

/// Calls f with a value of the inputs' type.
template <class F>
void with_input_type(const KernelCall& call, const F& f) {
  switch (call.input) {
    case CallType::f32: return f(float{});
    case CallType::bf16: return f(simt::bf16{});
    case CallType::f16: return f(simt::f16{});
  }
}

/// A warp for each of `items`.
inline void launch_warps(const char* name, std::int64_t items, void (*kernel)(HolaCall), const HolaCall& hola) {
  if (items == 0) return;
  simt::launch(linear_grid(name, (items + cache_warps - 1) / cache_warps), dim3(cache_threads), 0, kernel, hola);
}

}  // namespace deltaproof
