#pragma once

#include "kernels/chunk_forward.cuh"
#include "kernels/chunk_prepare.cuh"
#include "kernels/common_run.cuh"

namespace deltaproof {

/// Rows that the kernel normalises, into the workspace.
template <class E>
void launch_normalise(const KernelCall& call, const void* from, E* to) {
  const std::int64_t rows = call.B * call.T * call.H;
  simt::launch(linear_grid("chunk", (rows + chunk_warps - 1) / chunk_warps), dim3(chunk_threads), 0,
               chunk_normalise<E>, static_cast<const E*>(from), to, rows, static_cast<int>(call.K), call.l2norm_eps);
}

/// State and outputs, from what was prepared in the workspace.
template <class E, int C>
void launch_forward(const KernelCall& call) {
  using Forward = ChunkForward<E, C>;
  const std::int64_t items = call.N * call.HV * ((call.V + Forward::width - 1) / Forward::width);
  simt::launch(linear_grid("chunk", items), dim3(chunk_threads), Forward::bytes(call.K), chunk_forward<E, C>, call);
}

template <class E, int C>
void launch_prepare(const KernelCall& call) {
  simt::launch(linear_grid("chunk", chunk_slots(call) * call.HV), dim3(chunk_threads), ChunkPrepare<E, C>::bytes,
               chunk_prepare<E, C>, call);
}

/// As launch_prepare, with a decay for each key channel.
template <class E, int C>
void launch_prepare_channels(const KernelCall& call);

template <class E, int C>
void launch_chunk_of(const KernelCall& call) {
  if (chunk_slots(call) > 0) {
    if (call.per_channel) {
      launch_prepare_channels<E, C>(call);
    } else {
      launch_prepare<E, C>(call);
    }
  }
  launch_forward<E, C>(call);
}

/// Launches `chunk` for inputs of type E. Throws if a launch fails.
template <class E>
void launch_chunk(const KernelCall& call) {
  ChunkWorkspace<E> workspace;
  workspace.divide(call);
  if (call.normalise_q && call.B * call.T > 0) launch_normalise(call, call.q, workspace.q);
  if (call.normalise_k && call.B * call.T > 0) launch_normalise(call, call.k, workspace.k);
  if (call.chunk == 16) return launch_chunk_of<E, 16>(call);
  if (call.chunk == 32) return launch_chunk_of<E, 32>(call);
  launch_chunk_of<E, 64>(call);
}

}  // namespace deltaproof
