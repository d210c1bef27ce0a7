# The host executor, with a library of kernels some of which are wrong.
deltaproof_host_kernels(executor_test_kernels
  SOURCES simt/executor_fault_kernels.cu simt/executor_kernels.cu simt/executor_memory_kernels.cu)
deltaproof_add_tests(simt_executor_tests
  SOURCES simt/executor_collectives_test.cpp simt/executor_fixture.cpp simt/executor_faults_test.cpp
          simt/executor_grid_test.cpp simt/executor_memory_test.cpp simt/fiber_test.cpp simt/launch_test.cpp
          simt/launch_allocations_test.cpp simt/schedule_test.cpp
  LIBRARIES deltaproof_simt
)
add_dependencies(simt_executor_tests executor_test_kernels)
get_target_property(library executor_test_kernels DELTAPROOF_LIBRARY)
target_compile_definitions(simt_executor_tests PRIVATE EXECUTOR_TEST_KERNELS="${library}")
