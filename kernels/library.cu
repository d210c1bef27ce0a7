#include "kernels/chunk_entry.cuh"
#include "kernels/hola_entry.cuh"
#include "kernels/recurrent_entry.cuh"
#include "kernels/triangular_solve_entry.cuh"
#include "library_provenance.hpp"

#define DELTAPROOF_TEXT_OF(x) #x
#define DELTAPROOF_TEXT(x) DELTAPROOF_TEXT_OF(x)

namespace deltaproof {
namespace {

#if defined(__CUDACC__)
constexpr const char* compiler = "nvcc " DELTAPROOF_TEXT(__CUDACC_VER_MAJOR__) "." DELTAPROOF_TEXT(
    __CUDACC_VER_MINOR__) "." DELTAPROOF_TEXT(__CUDACC_VER_BUILD__);
#elif defined(__clang__)
constexpr const char* compiler = "clang " __clang_version__;
#else
constexpr const char* compiler = "g++ " __VERSION__;
#endif

constexpr KernelEntry kernels[] = {recurrent_entry, chunk_entry};
constexpr KernelLibrary library = {
    2,
    compiler,
    DELTAPROOF_KERNEL_FLAGS,
    DELTAPROOF_KERNEL_SOURCE_HASH,
    sizeof kernels / sizeof kernels[0],
    kernels,
    &triangular_solve_entry,
    sizeof hola_entries / sizeof hola_entries[0],
    hola_entries,
};

}  // namespace
}  // namespace deltaproof

extern "C" const deltaproof::KernelLibrary* deltaproof_kernel_library() { return &deltaproof::library; }
