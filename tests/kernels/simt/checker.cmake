# Guarded memory, and the checker with libraries of kernels some of which are wrong. Their faults would end an
# AddressSanitizer build, whose runtime takes the checker's place there.
deltaproof_add_tests(simt_memory_tests SOURCES simt/memory_test.cpp LIBRARIES deltaproof_simt_checker GTest::gmock)

if(NOT DELTAPROOF_SANITIZE)
  deltaproof_host_kernels(checker_kernels_plain SOURCES simt/checker_kernels.cu)
  deltaproof_host_kernels(checker_kernels_gcc CHECKED SOURCES simt/checker_kernels.cu)
  find_program(DELTAPROOF_CLANGXX NAMES clang++ clang++-14 DOC "Second compiler of kernels for the host")
  if(DELTAPROOF_CLANGXX)
    deltaproof_host_kernels(checker_kernels_clang CHECKED COMPILER ${DELTAPROOF_CLANGXX}
      SOURCES simt/checker_kernels.cu)
  endif()

  deltaproof_add_tests(simt_checker_tests
    SOURCES simt/checker_bounds_test.cpp simt/checker_faults_test.cpp simt/checker_fixture.cpp
            simt/checker_program.cpp simt/checker_program_test.cpp simt/checker_races_test.cpp
            simt/checker_symbolise_test.cpp
    LIBRARIES deltaproof_simt_checker GTest::gmock
  )
  foreach(build plain gcc clang)
    string(TOUPPER ${build} name)
    set(library "")
    if(TARGET checker_kernels_${build})
      add_dependencies(simt_checker_tests checker_kernels_${build})
      get_target_property(library checker_kernels_${build} DELTAPROOF_LIBRARY)
    endif()
    target_compile_definitions(simt_checker_tests PRIVATE CHECKER_LIBRARY_${name}="${library}")
  endforeach()
endif()
