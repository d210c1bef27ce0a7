# The target `coverage` of an instrumented build: builds everything, runs the tests, writes lcov's report, and fails
# where a room has too few lines reached (docs/coverage.md). Included after all other folders.
_deltaproof_targets_below(targets ${PROJECT_SOURCE_DIR})
set(built)
foreach(target IN LISTS targets)
  get_target_property(type ${target} TYPE)
  get_target_property(excluded ${target} EXCLUDE_FROM_ALL)
  if(NOT excluded AND NOT type STREQUAL "INTERFACE_LIBRARY")
    list(APPEND built ${target})
  endif()
endforeach()
add_custom_target(coverage
  COMMAND ${PROJECT_SOURCE_DIR}/scripts/coverage --built ${PROJECT_BINARY_DIR}
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} USES_TERMINAL VERBATIM)
add_dependencies(coverage ${built})
