# The host executor, with a library of kernels some of which are wrong.
deltaproof_host_kernels(executor_test_kernels
  SOURCES simt/executor_fault_kernels.cu simt/executor_kernels.cu simt/executor_memory_kernels.cu)

deltaproof_add_tests(simt_fault_text_tests SOURCES simt/fault_text_test.cpp LIBRARIES deltaproof_fault_text)

# Optimisers that know all of a library's accesses must not reason about shared memory.
set(optimised_builds executor_test_kernels_o3)
deltaproof_host_kernels(executor_test_kernels_o3 SOURCES simt/executor_memory_kernels.cu FLAGS -O3)
find_program(DELTAPROOF_CLANGXX NAMES clang++ clang++-14 DOC "Second compiler of kernels for the host")
if(DELTAPROOF_CLANGXX AND NOT DELTAPROOF_SANITIZE)
  deltaproof_host_kernels(executor_test_kernels_clang_o3
    SOURCES simt/executor_memory_kernels.cu FLAGS -O3 COMPILER ${DELTAPROOF_CLANGXX})
  list(APPEND optimised_builds executor_test_kernels_clang_o3)
endif()

deltaproof_add_tests(simt_executor_tests
  SOURCES simt/executor_collectives_test.cpp simt/executor_fixture.cpp simt/executor_faults_test.cpp
          simt/executor_grid_test.cpp simt/executor_memory_test.cpp simt/fiber_test.cpp simt/launch_test.cpp
          simt/launch_allocations_test.cpp simt/schedule_test.cpp
  LIBRARIES deltaproof_simt
)
add_dependencies(simt_executor_tests executor_test_kernels ${optimised_builds})
get_target_property(library executor_test_kernels DELTAPROOF_LIBRARY)
set(optimised)
foreach(build IN LISTS optimised_builds)
  get_target_property(path ${build} DELTAPROOF_LIBRARY)
  string(APPEND optimised "\"${path}\", ")
endforeach()
target_compile_definitions(simt_executor_tests PRIVATE
  EXECUTOR_TEST_KERNELS="${library}" EXECUTOR_TEST_OPTIMISED_KERNELS=${optimised})
