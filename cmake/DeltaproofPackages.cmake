# Third-party packages: all from the distribution, found, never copied.
# cmake/deltaproofConfig.cmake.in finds again those that our libraries expose or link.

if(POLICY CMP0167)
  cmake_policy(SET CMP0167 NEW)  # Boost's own package file, where CMake no longer has FindBoost
endif()

set(usual_suffixes ${CMAKE_FIND_LIBRARY_SUFFIXES})
if(DELTAPROOF_BUNDLE)  # of these libraries, take the archives
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
  set(OPENSSL_USE_STATIC_LIBS TRUE)
endif()

find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(Boost 1.81 REQUIRED)
find_package(fmt 9 REQUIRED)
# Compiled, it saves a second and more for every file that uses it. A bundle runs where there is none, and distributions
# have no archive of it.
set(DELTAPROOF_FMT fmt::fmt)
if(DELTAPROOF_BUNDLE)
  set(DELTAPROOF_FMT fmt::fmt-header-only)
endif()
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)  # SHA-256 of outputs
find_package(Multiprecision REQUIRED)  # cmake/FindMultiprecision.cmake: MPFI, MPFR, GMP
set(CMAKE_FIND_LIBRARY_SUFFIXES ${usual_suffixes})

if(DELTAPROOF_BUILD_TESTS)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  find_package(ZLIB REQUIRED)  # golden/vectors/approx_h200
endif()
if(DELTAPROOF_BUILD_BENCHMARKS)
  find_package(benchmark REQUIRED)
endif()
