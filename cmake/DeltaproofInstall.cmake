# The install target and the CMake package: find_package(deltaproof) gives the libraries below as
# deltaproof::<folder>, all of them together as deltaproof::deltaproof, and the command as
# deltaproof::command. A new library is one line here.

include(CMakePackageConfigHelpers)

set(DELTAPROOF_LIBRARIES
  deltaproof_rule_table
  deltaproof_rules
  deltaproof_problem
  deltaproof_tensor_core
  deltaproof_approximations
  deltaproof_verdict
  deltaproof_fault_text
  deltaproof_oracle
  deltaproof_bounds
  deltaproof_arithmetic
  deltaproof_kernels
  deltaproof_selection
  deltaproof_accuracy
  deltaproof_regimes
  deltaproof_laws
  deltaproof_runs
  deltaproof_stages
  deltaproof_defects
  deltaproof_claims
  deltaproof_diagnose
  deltaproof_explain
  deltaproof_golden
  deltaproof_hunt
  deltaproof_shrink
  deltaproof_reports)

# Not part of the whole: they export the functions that kernel libraries call, those of a sanitizer's runtime among
# them. Who runs kernels links deltaproof::devices.
set(DELTAPROOF_EXECUTOR_LIBRARIES
  deltaproof_simt_math
  deltaproof_simt
  deltaproof_simt_checker
  deltaproof_devices)

add_library(deltaproof_all INTERFACE)
target_link_libraries(deltaproof_all INTERFACE ${DELTAPROOF_LIBRARIES})

foreach(target IN LISTS DELTAPROOF_LIBRARIES DELTAPROOF_EXECUTOR_LIBRARIES ITEMS deltaproof_build)
  string(REPLACE "deltaproof_" "" export_name ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${export_name})
endforeach()
set_target_properties(deltaproof_all PROPERTIES EXPORT_NAME deltaproof)
set_target_properties(deltaproof PROPERTIES EXPORT_NAME command)

install(TARGETS ${DELTAPROOF_LIBRARIES} ${DELTAPROOF_EXECUTOR_LIBRARIES} deltaproof_build deltaproof_all deltaproof
        EXPORT deltaproofTargets)
install(DIRECTORY reference kernels properties reports
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/deltaproof
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h" PATTERN "*.cuh")
# The command looks for kernels in ../lib (kernels/built_in/kernel_library.hpp), whatever the system calls its own.
foreach(library IN LISTS DELTAPROOF_HOST_LIBRARIES)
  install(FILES $<TARGET_PROPERTY:${library},DELTAPROOF_LIBRARY> DESTINATION lib)
endforeach()
if(TARGET deltaproof_kernels_cuda)
  install(TARGETS deltaproof_kernels_cuda DESTINATION lib)
endif()
install(FILES LICENSE NOTICE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/deltaproof)
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/deltaproofConfig.cmake.in
  ${PROJECT_BINARY_DIR}/deltaproofConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/deltaproofConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)  # docs/versioning.md: a minor version may change a verdict
install(EXPORT deltaproofTargets NAMESPACE deltaproof:: DESTINATION ${package_dir})
install(FILES
  ${PROJECT_BINARY_DIR}/deltaproofConfig.cmake
  ${PROJECT_BINARY_DIR}/deltaproofConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/FindMultiprecision.cmake
  DESTINATION ${package_dir})
