# libFuzzer's programs, fuzz/deltaproof_fuzz_NAME; the target `fuzz` makes them all.
#
# Only what takes an input apart, and the executor under `barriers`, is compiled again, with sanitizers and coverage; the
# oracle, the bounds and the judges come from the build in DELTAPROOF_FUZZ_PREBUILT.
set(DELTAPROOF_FUZZ_PREBUILT "" CACHE PATH "A build tree of the same sources, for the libraries that are not fuzzed")

if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "DELTAPROOF_FUZZ is for clang, which has libFuzzer: set CMAKE_CXX_COMPILER to clang++")
endif()
if(NOT DELTAPROOF_FUZZ_PREBUILT)
  message(FATAL_ERROR "DELTAPROOF_FUZZ takes libraries from another build: set DELTAPROOF_FUZZ_PREBUILT to it")
endif()

# deltaproof_fuzz_part(NAME SOURCES ... LIBRARIES ... TAKES FOLDER FILE ...): a static library of sources here and of
# files of the product.
function(deltaproof_fuzz_part name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES;TAKES" ${ARGN})
  list(TRANSFORM ARG_TAKES PREPEND ${PROJECT_SOURCE_DIR}/)
  add_library(${name} STATIC ${ARG_SOURCES} ${ARG_TAKES})
  target_link_libraries(${name} PUBLIC deltaproof_build Eigen3::Eigen Boost::headers Deltaproof::Multiprecision
    nlohmann_json::nlohmann_json ${DELTAPROOF_FMT} ${ARG_LIBRARIES})
endfunction()

set(built ${DELTAPROOF_FUZZ_PREBUILT})
add_library(deltaproof_prebuilt INTERFACE)
set(archives
  properties/runs/libdeltaproof_runs.a properties/laws/libdeltaproof_laws.a
  properties/regimes/libdeltaproof_regimes.a properties/accuracy/libdeltaproof_accuracy.a
  properties/selection/libdeltaproof_selection.a kernels/libdeltaproof_devices.a kernels/libdeltaproof_kernels.a
  kernels/libdeltaproof_fault_text.a kernels/libdeltaproof_simt_math.a kernels/simt/libdeltaproof_simt.a
  kernels/simt/libdeltaproof_simt_checker.a
  reference/arithmetic/libdeltaproof_arithmetic.a reference/bounds/libdeltaproof_bounds.a
  reference/oracle/libdeltaproof_oracle.a reference/rules/libdeltaproof_rules.a
  reference/rules/libdeltaproof_rule_table.a reference/problem/libdeltaproof_problem.a
  reference/libdeltaproof_verdict.a reference/libdeltaproof_approximations.a
  reference/libdeltaproof_tensor_core.a)
list(TRANSFORM archives PREPEND ${built}/)
target_link_libraries(deltaproof_prebuilt INTERFACE
  -Wl,--start-group ${archives} -Wl,--end-group ${DELTAPROOF_FMT} OpenSSL::Crypto Deltaproof::Multiprecision
  Threads::Threads ${CMAKE_DL_LIBS})
# Kernel libraries take these from the program.
set(exported LINKER:--undefined=simt_here LINKER:--undefined=simt_launch LINKER:--undefined=simt_ex2_approx
    LINKER:--export-dynamic-symbol=simt_*)
target_link_options(deltaproof_prebuilt INTERFACE ${exported})

get_target_property(problem_files deltaproof_problem SOURCES)
list(TRANSFORM problem_files PREPEND reference/problem/)
get_target_property(selection_files deltaproof_selection SOURCES)
list(TRANSFORM selection_files PREPEND properties/selection/)
deltaproof_fuzz_part(deltaproof_readers_under_fuzz SOURCES ${reader_sources} TAKES ${problem_files}
  reference/arithmetic/declared_json.cpp reference/arithmetic/resolved.cpp properties/runs/problem_spec.cpp
  properties/runs/problem_spec_text.cpp properties/runs/value_edit.cpp LIBRARIES deltaproof_prebuilt)
deltaproof_fuzz_part(deltaproof_runs_under_fuzz SOURCES kernel_path.cpp ${run_sources} TAKES ${selection_files}
  reference/rules/cache_sets.cpp properties/runs/solve_accuracy.cpp properties/runs/solve_equivalence.cpp
  properties/runs/solve_residual.cpp LIBRARIES deltaproof_prebuilt)
deltaproof_fuzz_part(deltaproof_barriers_under_fuzz SOURCES ${barrier_sources} LIBRARIES deltaproof_simt deltaproof_prebuilt)
add_dependencies(deltaproof_barriers_under_fuzz deltaproof_fuzz_kernels)

# Fills and compares 227 KiB a launch: no news for the fuzzer, and at -O1 a byte at a time.
set_source_files_properties(${PROJECT_SOURCE_DIR}/kernels/simt/shared_memory.cpp TARGET_DIRECTORY deltaproof_simt
  PROPERTIES COMPILE_OPTIONS "-O2;-fno-sanitize-coverage=trace-cmp")

add_custom_target(fuzz)
# deltaproof_fuzz_program(NAME CHECK LIBRARY [MUTATOR])
function(deltaproof_fuzz_program name check library)
  add_executable(deltaproof_fuzz_${name} libfuzzer_entry.cpp ${ARGN})
  target_compile_definitions(deltaproof_fuzz_${name} PRIVATE
    DELTAPROOF_FUZZ_HEADER="fuzz/targets/${name}.hpp" DELTAPROOF_FUZZ_CHECK=${check})
  target_link_libraries(deltaproof_fuzz_${name} PRIVATE ${library})
  target_link_options(deltaproof_fuzz_${name} PRIVATE -fsanitize=fuzzer LINKER:--export-dynamic-symbol=__sanitizer_cov_*)
  add_dependencies(fuzz deltaproof_fuzz_${name})
endfunction()
deltaproof_fuzz_program(arithmetic check_arithmetic deltaproof_readers_under_fuzz)
deltaproof_fuzz_program(case_file check_case_file deltaproof_readers_under_fuzz mutators/case_file.cpp)
deltaproof_fuzz_program(problem_text check_problem_text deltaproof_readers_under_fuzz)
deltaproof_fuzz_program(chunk check_chunk deltaproof_runs_under_fuzz)
deltaproof_fuzz_program(selection check_selection deltaproof_runs_under_fuzz)
deltaproof_fuzz_program(solve check_solve_target deltaproof_runs_under_fuzz)
deltaproof_fuzz_program(barriers check_barriers deltaproof_barriers_under_fuzz mutators/simt_program.cpp)
