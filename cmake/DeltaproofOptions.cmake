# Build options, and the flags that our own code is compiled with.

option(DELTAPROOF_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(DELTAPROOF_BUILD_BENCHMARKS "Build the benchmarks" OFF)
option(DELTAPROOF_COVERAGE "Instrument for lcov" OFF)
option(DELTAPROOF_WERROR "Warnings are errors in our code" ON)
set(DELTAPROOF_ARCH "x86-64-v3" CACHE STRING
    "Instruction set for -march on x86-64 (empty: the compiler's default)")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

add_library(deltaproof_build INTERFACE)
target_compile_features(deltaproof_build INTERFACE cxx_std_20)
target_include_directories(deltaproof_build INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
# Contraction would make results depend on the compiler's choice of fused operations:
# the proofs in docs/ hold either way, reproducibility does not.
target_compile_options(deltaproof_build INTERFACE -ffp-contract=off)
target_compile_options(deltaproof_build INTERFACE
  $<BUILD_INTERFACE:-Wall> $<BUILD_INTERFACE:-Wextra> $<BUILD_INTERFACE:-Wpedantic>
  $<BUILD_INTERFACE:-Wshadow> $<BUILD_INTERFACE:-Wconversion> $<BUILD_INTERFACE:-Wno-sign-conversion>)
if(DELTAPROOF_WERROR)
  target_compile_options(deltaproof_build INTERFACE $<BUILD_INTERFACE:-Werror>)
endif()
if(DELTAPROOF_ARCH AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(deltaproof_build INTERFACE $<BUILD_INTERFACE:-march=${DELTAPROOF_ARCH}>)
endif()
if(DELTAPROOF_COVERAGE)
  target_compile_options(deltaproof_build INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(deltaproof_build INTERFACE --coverage)
endif()
