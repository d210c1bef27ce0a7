# The built-in kernels: their sources, what a library of them says of itself, and the libraries for the host.

# For the host and for a GPU alike.
set(DELTAPROOF_KERNEL_SOURCES
  cache_read.cu
  cache_scores.cu
  cache_select.cu
  chunk.cu
  chunk_bf16.cu
  chunk_channels_bf16.cu
  chunk_channels_f16.cu
  chunk_channels_f32.cu
  chunk_f16.cu
  chunk_f32.cu
  hola.cu
  hola_decode.cu
  library.cu
  recurrent.cu
  recurrent_bf16.cu
  recurrent_f16.cu
  recurrent_f32.cu
  triangular_solve.cu
)
set(DELTAPROOF_KERNEL_HEADERS
  cache_common.cuh
  cache_launch.cuh
  cache_read.cuh
  cache_scores.cuh
  cache_select.cuh
  cache_sort.cuh
  call.hpp
  chunk.cuh
  chunk_channels.cuh
  chunk_entry.cuh
  chunk_forward.cuh
  chunk_prepare.cuh
  chunk_product.cuh
  chunk_tile.cuh
  chunk_unit.cuh
  chunk_workspace.cuh
  common.cuh
  common_run.cuh
  hola_call.hpp
  hola_decode.cuh
  hola_entry.cuh
  hola_limits.cuh
  hola_parts.hpp
  recurrent.cuh
  recurrent_entry.cuh
  recurrent_rows.cuh
  triangular_solve.cuh
  triangular_solve_entry.cuh
  triangular_solve_inverse.cuh
  simt/abi.hpp
  simt/device.cuh
  simt/device_launch.cuh
  simt/device_math.cuh
  simt/device_warp.cuh
  simt/fragments.hpp
  simt/host.cuh
  simt/host_builtins.cuh
  simt/host_collectives.cuh
  simt/host_launch.cuh
  simt/host_math.cuh
  simt/host_tiles.cuh
  simt/math_abi.hpp
  simt/simt.cuh
  simt/types.cuh
)

# The hash that names them: of what `sha256sum FILE ..` prints for the files in this order, paths from kernels/. A file
# that changes has CMake run once more.
set(digests "")
foreach(file IN LISTS DELTAPROOF_KERNEL_SOURCES DELTAPROOF_KERNEL_HEADERS)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  file(SHA256 ${CMAKE_CURRENT_SOURCE_DIR}/${file} digest)
  string(APPEND digests "${digest}  ${file}\n")
endforeach()
string(SHA256 DELTAPROOF_KERNEL_SOURCE_HASH "${digests}")

# Sets `out` to a folder with the header library_provenance.hpp that library.cu includes.
function(deltaproof_kernel_provenance out library flags)
  set(DELTAPROOF_KERNEL_FLAGS ${flags})
  list(JOIN DELTAPROOF_KERNEL_FLAGS " " DELTAPROOF_KERNEL_FLAGS)
  # Where sources lie changes no bit.
  string(REGEX REPLACE " *-(fdebug-prefix-map|ffile-prefix-map|fmacro-prefix-map|fprofile-filter-files|I)[^ ]*" "" DELTAPROOF_KERNEL_FLAGS
    "${DELTAPROOF_KERNEL_FLAGS}")
  set(folder ${PROJECT_BINARY_DIR}/kernels/provenance/${library})
  configure_file(${PROJECT_SOURCE_DIR}/kernels/library_provenance.hpp.in ${folder}/library_provenance.hpp @ONLY)
  set(${out} ${folder} PARENT_SCOPE)
endfunction()

# deltaproof_host_kernel_library(NAME LEVEL [CHECKED] [COMPILER CXX]): LEVEL is that of optimisation. Every library has
# another, so that a check which compares their bits compares those of the levels, too.
function(deltaproof_host_kernel_library name level)
  list(TRANSFORM DELTAPROOF_KERNEL_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/kernels/ OUTPUT_VARIABLE sources)
  # The text of the flags is known only after the call; the folder is where it will be.
  deltaproof_host_kernels(${name} ${ARGN} SOURCES ${sources}
    FLAGS ${level} -I${PROJECT_BINARY_DIR}/kernels/provenance/${name})
  get_target_property(flags ${name} DELTAPROOF_FLAGS)
  deltaproof_kernel_provenance(folder ${name} "${flags}")
endfunction()

deltaproof_host_kernel_library(deltaproof_kernels_host -O2)
deltaproof_host_kernel_library(deltaproof_kernels_checked -O1 CHECKED)
find_program(DELTAPROOF_CLANGXX NAMES clang++ clang++-14)
mark_as_advanced(DELTAPROOF_CLANGXX)
if(DELTAPROOF_CLANGXX)
  deltaproof_host_kernel_library(deltaproof_kernels_clang -O3 COMPILER ${DELTAPROOF_CLANGXX})
endif()

# What a bundle takes along.
set(DELTAPROOF_HOST_LIBRARIES deltaproof_kernels_host deltaproof_kernels_checked)
if(DELTAPROOF_CLANGXX)
  list(APPEND DELTAPROOF_HOST_LIBRARIES deltaproof_kernels_clang)
endif()
set(DELTAPROOF_HOST_LIBRARIES ${DELTAPROOF_HOST_LIBRARIES} PARENT_SCOPE)
