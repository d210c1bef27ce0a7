#include "kernels/common_run.cuh"
#include "kernels/recurrent_entry.cuh"

namespace deltaproof {

template <class E>
void launch_recurrent(const KernelCall& call);
extern template void launch_recurrent<float>(const KernelCall& call);
extern template void launch_recurrent<simt::bf16>(const KernelCall& call);
extern template void launch_recurrent<simt::f16>(const KernelCall& call);

std::size_t recurrent_workspace_bytes(const KernelCall&) { return 0; }

void launch_recurrent_call(const KernelCall& call) {
  require_call("recurrent", call);
  require_between("recurrent", "K", call.K, 1, 256);
  require_between("recurrent", "V", call.V, 1, 256);
  switch (call.input) {
    case CallType::f32: return launch_recurrent<float>(call);
    case CallType::bf16: return launch_recurrent<simt::bf16>(call);
    case CallType::f16: return launch_recurrent<simt::f16>(call);
  }
}

int run_recurrent(const KernelCall& call, void* stream, char* error, std::size_t capacity) {
  return run_to_completion(stream, error, capacity, [&] { launch_recurrent_call(call); });
}

}  // namespace deltaproof
