# Native CUDA, where a compiler exists: sets DELTAPROOF_CUDA_FOUND, and enables the language in the including folder.
#   deltaproof_cuda_flags(TARGET)   the flags that the arithmetic of kernels depends on, and the architectures

option(DELTAPROOF_CUDA "Build the native kernels where a CUDA compiler exists" ON)
set(DELTAPROOF_CUDA_ARCHITECTURES "90" CACHE STRING
    "GPU architectures of the native kernels, 80 or later, as in CMAKE_CUDA_ARCHITECTURES")

# docs/host-math.md says what the compiler makes of the CUDA functions with these.
set(DELTAPROOF_CUDA_FLAGS -fmad=false -ftz=false -prec-div=true -prec-sqrt=true)

set(DELTAPROOF_CUDA_FOUND FALSE)
if(DELTAPROOF_CUDA AND NOT DELTAPROOF_SANITIZE AND NOT DELTAPROOF_COVERAGE)
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES ${DELTAPROOF_CUDA_ARCHITECTURES})
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    set(DELTAPROOF_CUDA_FOUND TRUE)
    if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that nvcc has C++20
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
    endif()
    if(DELTAPROOF_CCACHE_PROGRAM AND NOT CMAKE_CUDA_COMPILER_LAUNCHER)
      set(CMAKE_CUDA_COMPILER_LAUNCHER ${DELTAPROOF_CCACHE_PROGRAM})
    endif()
  endif()
endif()

# Not through `deltaproof_build`: its flags are the host compiler's, which nvcc does not take.
function(deltaproof_cuda_flags target)
  set_target_properties(${target} PROPERTIES
    CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED ON CUDA_EXTENSIONS OFF
    CUDA_ARCHITECTURES "${DELTAPROOF_CUDA_ARCHITECTURES}" POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  # -Wrestrict: GCC 12 warns falsely of strings that are put together.
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CUDA>:${DELTAPROOF_CUDA_FLAGS}>
    $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wno-restrict,-ffp-contract=off>
    $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${DELTAPROOF_WERROR}>>:-Werror=all-warnings>)
endfunction()
