# Stored inputs, put to the targets by this build's own compiler; and libFuzzer's programs, made by clang in a build inside
# this one and run for a minute in all (ctest -L fuzz-smoke).

foreach(name IN LISTS DELTAPROOF_FUZZ_TARGETS)
  add_test(NAME fuzz.replay.${name}
           COMMAND deltaproof_fuzz_replay ${name} ${CMAKE_CURRENT_SOURCE_DIR}/corpus/${name}
                   ${CMAKE_CURRENT_SOURCE_DIR}/regressions/${name})
  set_tests_properties(fuzz.replay.${name} PROPERTIES TIMEOUT 120)
endforeach()

# Under other instrumentation, and where everything is linked in, the archives are not ones that it can take.
if(DELTAPROOF_SANITIZE OR DELTAPROOF_COVERAGE OR DELTAPROOF_BUNDLE OR NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

find_program(DELTAPROOF_CLANGXX NAMES clang++ clang++-14)
set(fuzz_build ${PROJECT_BINARY_DIR}/fuzz-build)
if(DELTAPROOF_CLANGXX AND NOT DEFINED DELTAPROOF_HAS_LIBFUZZER)
  file(WRITE ${fuzz_build}/try/empty.cpp
       "extern \"C\" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }\n")
  execute_process(
    COMMAND ${DELTAPROOF_CLANGXX} -fsanitize=fuzzer,address,undefined ${fuzz_build}/try/empty.cpp -o ${fuzz_build}/try/empty
    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed EQUAL 0)
    set(DELTAPROOF_HAS_LIBFUZZER TRUE CACHE INTERNAL "clang++ links with libFuzzer")
  endif()
endif()
if(NOT DELTAPROOF_HAS_LIBFUZZER)
  message(STATUS "deltaproof: no tests fuzz-smoke (no clang++ with libFuzzer: scripts/packages.sh names the package)")
  return()
endif()

# Its inputs change whenever a library of this build does.
set(libraries deltaproof_fuzz deltaproof_runs deltaproof_laws deltaproof_regimes deltaproof_accuracy
    deltaproof_selection deltaproof_devices deltaproof_kernels deltaproof_fault_text deltaproof_simt_math deltaproof_simt
    deltaproof_simt_checker deltaproof_arithmetic deltaproof_bounds deltaproof_oracle deltaproof_rules
    deltaproof_rule_table deltaproof_problem deltaproof_verdict deltaproof_approximations deltaproof_tensor_core)
add_custom_command(OUTPUT ${fuzz_build}/built
  COMMAND ${CMAKE_COMMAND} -S ${PROJECT_SOURCE_DIR} -B ${fuzz_build} -G Ninja --log-level=WARNING
          -DCMAKE_CXX_COMPILER=${DELTAPROOF_CLANGXX} -DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}
          -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g1" -DDELTAPROOF_ARCH=${DELTAPROOF_ARCH}
          -DDELTAPROOF_FUZZ=ON -DDELTAPROOF_FUZZ_PREBUILT=${PROJECT_BINARY_DIR}
          -DDELTAPROOF_BUILD_TESTS=OFF -DDELTAPROOF_INSTALL=OFF
  COMMAND ${CMAKE_COMMAND} --build ${fuzz_build} --target fuzz
  COMMAND ${CMAKE_COMMAND} -E touch ${fuzz_build}/built
  DEPENDS ${libraries} libfuzzer_entry.cpp libfuzzer.cmake mutators/case_file.cpp mutators/simt_program.cpp
  USES_TERMINAL COMMENT "Building the fuzz targets with clang" VERBATIM)
add_custom_target(deltaproof_fuzz_programs ALL DEPENDS ${fuzz_build}/built)
add_dependencies(deltaproof_fuzz_programs deltaproof_kernels_host)

# AddressSanitizer before clang 17 does not start under all address layouts of newer kernels. Containers may not let us.
execute_process(COMMAND setarch -R true RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
set(fixed_layout)
if(failed EQUAL 0)
  set(fixed_layout setarch -R)
endif()
string(JOIN " " fixed_layout ${fixed_layout})

# deltaproof_fuzz_smoke(NAME RUNS SECONDS): so many inputs, as long as they fit into its share of the minute.
function(deltaproof_fuzz_smoke name runs seconds)
  set(folder ${fuzz_build}/smoke/${name})
  set(dictionary ${CMAKE_CURRENT_SOURCE_DIR}/dictionaries/${name}.dict)
  set(options "-seed=1 -runs=${runs} -max_total_time=${seconds} -timeout=20 -rss_limit_mb=3000 -detect_leaks=0 -verbosity=0 -len_control=0 -max_len=4096")
  if(EXISTS ${dictionary})
    string(APPEND options " -dict='${dictionary}'")
  endif()
  set(inputs "'${folder}/new' '${CMAKE_CURRENT_SOURCE_DIR}/corpus/${name}' '${CMAKE_CURRENT_SOURCE_DIR}/regressions/${name}'")
  add_test(NAME fuzz.smoke.${name}
    COMMAND sh -c "rm -rf '${folder}' && mkdir -p '${folder}/new' && exec ${fixed_layout} '${fuzz_build}/fuzz/deltaproof_fuzz_${name}' \
${options} -artifact_prefix='${folder}/' ${inputs}")
  set_tests_properties(fuzz.smoke.${name} PROPERTIES LABELS fuzz-smoke TIMEOUT 180
    ENVIRONMENT "DELTAPROOF_KERNELS=;ASAN_OPTIONS=detect_leaks=0:malloc_context_size=2:quarantine_size_mb=16")
endfunction()
deltaproof_fuzz_smoke(arithmetic 40000 6)
deltaproof_fuzz_smoke(barriers 8000 9)
deltaproof_fuzz_smoke(case_file 20000 9)
deltaproof_fuzz_smoke(chunk 400 9)
deltaproof_fuzz_smoke(problem_text 40000 6)
deltaproof_fuzz_smoke(selection 8000 7)
deltaproof_fuzz_smoke(solve 1000 7)
