#pragma once

namespace deltaproof::checker {

/// Does nothing; a reference to it links the callbacks of instrumented kernels into the executable. That must
/// also export them: `-Wl,--export-dynamic-symbol=__tsan_*`, `__wrap_*`, `__ubsan_handle_*`.
void link_callbacks();

}  // namespace deltaproof::checker
