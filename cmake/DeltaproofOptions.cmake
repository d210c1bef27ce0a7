# Build options, and the flags that our own code is compiled with.

option(DELTAPROOF_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(DELTAPROOF_BUILD_BENCHMARKS "Build the benchmarks" OFF)
option(DELTAPROOF_INSTALL "Make the install target" ${PROJECT_IS_TOP_LEVEL})
option(DELTAPROOF_BUNDLE "Make the target `bundle`: a folder that runs on a machine with nothing but glibc" OFF)
option(DELTAPROOF_COVERAGE "Instrument for lcov" OFF)
option(DELTAPROOF_SANITIZE "AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(DELTAPROOF_FUZZ "Nothing but the fuzz targets (clang with libFuzzer), under both sanitizers: docs/fuzzing.md" OFF)
option(DELTAPROOF_WERROR "Warnings are errors in our code" ON)
option(DELTAPROOF_CCACHE "Compile through ccache where it is installed" ${PROJECT_IS_TOP_LEVEL})
set(DELTAPROOF_ARCH "x86-64-v3" CACHE STRING
    "Instruction set for -march on x86-64 (empty: the compiler's default)")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_CXX_EXTENSIONS OFF)

if(DELTAPROOF_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(DELTAPROOF_CCACHE_PROGRAM ccache)
  mark_as_advanced(DELTAPROOF_CCACHE_PROGRAM)
  if(DELTAPROOF_CCACHE_PROGRAM)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${DELTAPROOF_CCACHE_PROGRAM})
  endif()
endif()
# A third of the time that a test takes to compile; ccache, as it is set up usually, would keep none of them.
set(precompile ON)
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(precompile OFF)
endif()
option(DELTAPROOF_PRECOMPILE "Precompile the headers that most tests include" ${precompile})

if(DELTAPROOF_FUZZ)
  set(DELTAPROOF_SANITIZE ON)
  set(DELTAPROOF_CUDA OFF)
endif()

add_library(deltaproof_build INTERFACE)
target_compile_features(deltaproof_build INTERFACE cxx_std_20)
target_include_directories(deltaproof_build INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/deltaproof>)
# Contraction would make results depend on the compiler's choice of fused operations:
# the proofs in docs/ hold either way, reproducibility does not.
target_compile_options(deltaproof_build INTERFACE -ffp-contract=off)

# The instruction set is part of the interface: it decides how Eigen aligns and vectorises the
# matrices in our headers, and a program must agree with the library about both. The alignment is
# fixed besides, because then it stays the same for a program that asks for a wider set.
target_compile_definitions(deltaproof_build INTERFACE EIGEN_MAX_ALIGN_BYTES=32)
if(DELTAPROOF_ARCH AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(deltaproof_build INTERFACE -march=${DELTAPROOF_ARCH})
endif()

# Third-party headers come with imported targets, whose includes are SYSTEM: these warnings are
# about our code alone.
target_compile_options(deltaproof_build INTERFACE
  $<BUILD_INTERFACE:-Wall> $<BUILD_INTERFACE:-Wextra> $<BUILD_INTERFACE:-Wpedantic>
  $<BUILD_INTERFACE:-Wshadow> $<BUILD_INTERFACE:-Wconversion> $<BUILD_INTERFACE:-Wno-sign-conversion>)
if(DELTAPROOF_WERROR AND NOT DELTAPROOF_SANITIZE)  # GCC warns falsely in instrumented code
  target_compile_options(deltaproof_build INTERFACE $<BUILD_INTERFACE:-Werror>)
endif()

if(DELTAPROOF_SANITIZE)
  # float-cast-overflow is not part of `undefined`; a NaN that becomes an index is our concern.
  set(sanitizers -fsanitize=address,undefined,float-cast-overflow)
  target_compile_options(deltaproof_build INTERFACE
    $<BUILD_INTERFACE:${sanitizers}> $<BUILD_INTERFACE:-fno-sanitize-recover=all>
    $<BUILD_INTERFACE:-fno-omit-frame-pointer>)
  target_compile_definitions(deltaproof_build INTERFACE $<BUILD_INTERFACE:_GLIBCXX_ASSERTIONS>)
  target_link_options(deltaproof_build INTERFACE ${sanitizers})
endif()
if(DELTAPROOF_FUZZ)  # a fiber's stack depth says nothing
  target_compile_options(deltaproof_build INTERFACE
    $<BUILD_INTERFACE:-fsanitize=fuzzer-no-link> $<BUILD_INTERFACE:-fno-sanitize-coverage=stack-depth>)
endif()
if(DELTAPROOF_COVERAGE)
  # Of all that a file compiles, the lines of the product alone are counted: not of the tests, of Eigen, of the C++
  # library. Counts of several threads are exact (atomic), because gcov works out some from the difference of others.
  string(REGEX REPLACE "([][+.*^$()?|{}\\])" "\\\\\\1" counted "${PROJECT_SOURCE_DIR}")
  set(DELTAPROOF_COVERAGE_FLAGS --coverage -fprofile-update=atomic
    "-fprofile-filter-files=^${counted}/(reference|kernels|properties|reports|cli)/")
  target_compile_options(deltaproof_build INTERFACE "$<BUILD_INTERFACE:${DELTAPROOF_COVERAGE_FLAGS}>")
  target_link_options(deltaproof_build INTERFACE --coverage)
endif()
