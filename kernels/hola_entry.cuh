#pragma once

#include "kernels/hola_call.hpp"

namespace deltaproof {

/// The kernels around HOLA's cache: see HolaEntry.
int run_scores(const HolaCall& hola, void* stream, char* error, std::size_t capacity);
int run_select(const HolaCall& hola, void* stream, char* error, std::size_t capacity);
int run_cache_read(const HolaCall& hola, void* stream, char* error, std::size_t capacity);
int run_hola(const HolaCall& hola, void* stream, char* error, std::size_t capacity);
int run_hola_decode(const HolaCall& hola, void* stream, char* error, std::size_t capacity);
int run_hola_fill(const HolaCall& hola, void* stream, char* error, std::size_t capacity);

std::size_t hola_workspace_bytes(const HolaCall& hola);
inline std::size_t no_workspace(const HolaCall&) { return 0; }

constexpr HolaEntry hola_entries[] = {
    {"scores", no_workspace, run_scores, "ceil(B T HV / 4) blocks of 128 threads, a warp a token"},
    {"select", no_workspace, run_select,
     "N HV blocks of 128 threads, 8 n bytes of dynamic shared memory, n the power of two from w + "
     "C on"},
    {"cache_read", no_workspace, run_cache_read,
     "key factors: ceil(B T H / 4) blocks of 128 threads; read: ceil(B T HV / 4) blocks of 128 "
     "threads, a warp a query"},
    {"hola", hola_workspace_bytes, run_hola, "chunk, scores, select and cache_read, one after the other"},
    {"hola_decode", no_workspace, run_hola_decode,
     "recurrent; write and read: ceil(N HV / 4) blocks of 128 threads; close: N HV blocks of 128 "
     "threads, 12 n bytes of "
     "dynamic shared memory, n the power of two from w + C on"},
    {"hola_fill", no_workspace, run_hola_fill,
     "N HV blocks of 128 threads, 12 n bytes of dynamic shared memory, n the power of two from w + "
     "C on"},
};

}  // namespace deltaproof
