# Read by ctest when it runs. Coverage is measured in a build of its own, before the tests (.ci/run): where that was done,
# how it ended is a test, so that the summary of the tests says it.
if(DEFINED ENV{DELTAPROOF_COVERAGE_STATUS})
  get_filename_component(rooms "${CMAKE_CURRENT_LIST_DIR}/../../build/coverage/rooms.txt" ABSOLUTE)
  add_test(coverage.lines "sh" "-c" "cat '${rooms}' && exit $ENV{DELTAPROOF_COVERAGE_STATUS}")
endif()
