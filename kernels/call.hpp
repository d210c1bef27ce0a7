#pragma once

#include <cstddef>
#include <cstdint>

namespace deltaproof {

/// Element types that the built-in kernels read and write.
enum class CallType : std::int32_t { f32, bf16, f16 };

/// How the write coefficient b is formed from `write` (w) and n = |k|^2 (docs/semantics.md).
enum class Coefficient : std::int32_t {
  one,             ///< 1: linear, scalar_decay, vector_decay
  given,           ///< w: delta, gated_delta, vector_decay_delta, and kla's no_norm
  kaczmarz,        ///< w / (n + eps): kla
  key_norm_only,   ///< 1 / (n + eps)
  learned_scalar,  ///< w / (c n + eps)
  longhorn,        ///< w / (1 + w n): longhorn_exact
};

/// One run of a built-in kernel: sizes, and pointers into the memory of the device that runs it. Plain data, so
/// that it crosses the border of a kernel library. Layouts are those of flash-linear-attention: q, k
/// [B, T, H, K]; v, o [B, T, HV, V]; g, write [B, T, HV] (g [B, T, HV, K] per channel); states
/// [rows, HV, K, V], or [rows, HV, V, K] if `state_vk`. All dense.
struct KernelCall {
  std::int64_t B, T, H, HV, K, V;
  std::int64_t N;              ///< sequences: B without `cu_seqlens`
  std::int32_t chunk;          ///< C: 16, 32 or 64 (kernel `chunk`)
  CallType input;              ///< of q, k, v and o
  CallType g_type, write_type;
  Coefficient coefficient;
  bool residual;               ///< v - S^T k is written, not v
  bool per_channel;            ///< g has K entries a token
  bool normalise_q, normalise_k;
  bool state_vk;
  float scale, eps, l2norm_eps, c;

  const void* q;
  const void* k;
  const void* v;
  const void* g;                     ///< natural log of the decay; null: no decay
  const void* write;                 ///< null: coefficient `one`
  const float* initial_state;        ///< null: zeros
  const std::int64_t* cu_seqlens;    ///< N + 1, B is 1; null: each batch row is a sequence
  const std::int32_t* state_indices; ///< N rows of the pool, -1: the sequence is skipped; null: row n
  void* o;
  float* final_state;                ///< null: not wanted; may be initial_state, updated in place
  void* workspace;                   ///< `workspace_bytes` of it, aligned to 256

  // Optional outputs from the way to o: null, not wanted. They change no bit of the others.
  float* u;                          ///< b e before it is rounded (`chunk`: v_new) [B, T, HV, V]
  bool u_is_error;                   ///< `recurrent`: u is e, without b
  float* chunk_states;               ///< after each `states_every` tokens of a sequence, and after its last
  std::int64_t states_every;         ///< tokens; `chunk`: a multiple of its chunk
  const std::int64_t* first_states;  ///< N rows of chunk_states at which a sequence begins; null: n ceil(T / every)
};

/// A kernel as a library exports it.
struct KernelEntry {
  const char* name;
  std::size_t (*workspace_bytes)(const KernelCall& call);
  /// Runs to completion. Returns 0, or 1 with a message (what failed, where) in `error`, cut to `capacity`.
  int (*run)(const KernelCall& call, void* stream, char* error, std::size_t capacity);
  const char* launch;  ///< launch configuration in words: blocks, threads, shared memory
};

/// (I + L) X = R for `batch` matrices: L strictly lower C x C (the rest is not read), R and X C x columns.
struct SolveCall {
  std::int64_t batch, columns;
  std::int32_t C;         ///< 16, 32 or 64
  bool blocked_inverse;   ///< form the inverse in 16 x 16 blocks and multiply, else substitute
  const float* L;
  const float* R;
  float* X;
};

struct SolveEntry {
  const char* name;
  int (*run)(const SolveCall& call, void* stream, char* error, std::size_t capacity);
  const char* launch;
};

struct HolaEntry;  // kernels/hola_call.hpp

/// What a library of built-in kernels says of itself; the symbol is `deltaproof_kernel_library`.
struct KernelLibrary {
  std::uint32_t version;  ///< of this header: 2
  const char* compiler;   ///< and its version
  const char* flags;      ///< that the kernels were compiled with
  const char* source_hash;  ///< SHA-256 of the kernel sources and the header they include, hexadecimal
  std::size_t kernel_count;
  const KernelEntry* kernels;
  const SolveEntry* solve;
  std::size_t hola_count;
  const HolaEntry* hola;  ///< the layer `hola` and its parts
};
using KernelLibraryFunction = const KernelLibrary* (*)();

}  // namespace deltaproof
