# Third-party packages: all from the distribution, found, never copied.

find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(Boost 1.81 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Multiprecision REQUIRED)  # cmake/FindMultiprecision.cmake: MPFI, MPFR, GMP

if(DELTAPROOF_BUILD_TESTS)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
endif()
if(DELTAPROOF_BUILD_BENCHMARKS)
  find_package(benchmark REQUIRED)
endif()
