#include "kernels/chunk_entry.cuh"
#include "kernels/chunk_workspace.cuh"
#include "kernels/common_run.cuh"

namespace deltaproof {

template <class E>
void launch_chunk(const KernelCall& call);
extern template void launch_chunk<float>(const KernelCall& call);
extern template void launch_chunk<simt::bf16>(const KernelCall& call);
extern template void launch_chunk<simt::f16>(const KernelCall& call);

std::size_t chunk_workspace_bytes(const KernelCall& call) {
  KernelCall sizes = call;
  sizes.workspace = nullptr;
  switch (call.input) {
    case CallType::bf16:
    case CallType::f16: return ChunkWorkspace<simt::bf16>().divide(sizes);
    case CallType::f32: break;
  }
  return ChunkWorkspace<float>().divide(sizes);
}

namespace {

void require_aligned(const char* name, const void* pointer, std::uintptr_t alignment) {
  require(reinterpret_cast<std::uintptr_t>(pointer) % alignment == 0,
          std::string("chunk: ") + name + " is not aligned to " + std::to_string(alignment) + " bytes");
}

void require_chunk_call(const KernelCall& call) {
  require_call("chunk", call);
  require(call.chunk == 16 || call.chunk == 32 || call.chunk == 64,
          "chunk: the chunk size is " + std::to_string(call.chunk) + ", must be 16, 32 or 64");
  require_between("chunk", "K", call.K, 8, 256);
  require_between("chunk", "V", call.V, 8, 256);
  require(call.K % 8 == 0 && call.V % 8 == 0, "chunk: K " + std::to_string(call.K) + " and V " +
                                                  std::to_string(call.V) + " must be multiples of 8");
  require(call.residual || call.coefficient == Coefficient::one,
          "chunk: a rule without residual has the write coefficient 1");
  require_aligned("q", call.q, 16);
  require_aligned("k", call.k, 16);
  require_aligned("v", call.v, 16);
  require_aligned("o", call.o, 16);
  if (chunk_workspace_bytes(call) > 0) require_pointer("chunk", "workspace", call.workspace);
  require_aligned("workspace", call.workspace, 256);
  require_aligned("u", call.u, 16);
  require(call.u == nullptr || !call.u_is_error, "chunk: e without b is not at hand");
  require(call.chunk_states == nullptr || call.states_every % call.chunk == 0,
          "chunk: states_every is " + std::to_string(call.states_every) + ", must be a multiple of the chunk size");
}

}  // namespace

void launch_chunk_call(const KernelCall& call) {
  require_chunk_call(call);
  if (call.N == 0) return;
  switch (call.input) {
    case CallType::f32: return launch_chunk<float>(call);
    case CallType::bf16: return launch_chunk<simt::bf16>(call);
    case CallType::f16: return launch_chunk<simt::f16>(call);
  }
}

int run_chunk(const KernelCall& call, void* stream, char* error, std::size_t capacity) {
  return run_to_completion(stream, error, capacity, [&] { launch_chunk_call(call); });
}

}  // namespace deltaproof
