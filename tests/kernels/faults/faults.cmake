# Libraries of the built-in kernels, checked build, with one fault in a source each (docs/kernel-faults.md): the
# translation unit that shows it is compiled anew, the other objects are those of deltaproof_kernels_checked.
set(fault_files
  controls.txt
  cache.txt
  chunk_channels.txt
  chunk_forward.txt
  chunk_parts.txt
  chunk_prepare.txt
  recurrent.txt
  triangular_solve.txt
)
list(TRANSFORM fault_files PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/faults/)
set(fault_script ${CMAKE_CURRENT_SOURCE_DIR}/faults/faults.py)
set(faults_command ${Python3_EXECUTABLE} -B ${fault_script})
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${fault_files} ${fault_script})
execute_process(COMMAND ${faults_command} list ${fault_files} OUTPUT_VARIABLE faults
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE ";" "|" faults "${faults}")
string(REPLACE "\n" ";" faults "${faults}")

set(fault_folder ${CMAKE_CURRENT_BINARY_DIR}/faults)
get_target_property(checked_library deltaproof_kernels_checked DELTAPROOF_LIBRARY)
get_target_property(checked_link deltaproof_kernels_checked DELTAPROOF_LINK)
get_target_property(checked_objects deltaproof_kernels_checked DELTAPROOF_OBJECTS)
get_target_property(fault_flags deltaproof_kernels_checked DELTAPROOF_FLAGS)
separate_arguments(fault_flags)
list(TRANSFORM fault_flags REPLACE "^-O2$" "-O0")  # less time; the bits are the same

function(_deltaproof_fault_library id unit library)
  set(folder ${fault_folder}/${id})
  set(object ${folder}/${unit}.o)
  # It stands first: of inline functions that several objects have, those with the fault are taken.
  string(REPLACE "|" ";" objects "${checked_objects}")
  list(FILTER objects EXCLUDE REGEX "/${unit}[.]o$")
  string(JOIN "|" objects ${object} ${objects})
  add_custom_command(OUTPUT ${library}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${CMAKE_CXX_COMPILER} -std=c++20 ${fault_flags} -w
            -ffile-prefix-map=${folder}/= -I${folder} -I${PROJECT_SOURCE_DIR}
            -MD -MF ${object}.d -MT ${library} -x c++ -c ${PROJECT_SOURCE_DIR}/kernels/${unit} -o ${object}
    COMMAND ${CMAKE_COMMAND} "-DLINK=${checked_link}" -DNM=${CMAKE_NM} "-DOBJECTS=${objects}" -DLIBRARY=${library}
            -P ${PROJECT_SOURCE_DIR}/cmake/DeltaproofLinkKernels.cmake
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    DEPENDS deltaproof_kernels_checked ${checked_library} ${fault_folder}/applied
    DEPFILE ${object}.d COMMENT "Kernels with fault ${id}" VERBATIM)
endfunction()

set(fault_libraries)
set(fault_originals)
foreach(fault IN LISTS faults)
  string(REGEX MATCH "^([^|]*)[|]([^|]*)[|](.*)$" matched "${fault}")
  set(id ${CMAKE_MATCH_1})
  set(unit ${CMAKE_MATCH_2})
  string(REPLACE "," ";" files "${CMAKE_MATCH_3}")
  list(TRANSFORM files PREPEND ${PROJECT_SOURCE_DIR}/kernels/)
  set(library ${fault_folder}/${id}/libdeltaproof_kernels_checked.so)
  _deltaproof_fault_library(${id} ${unit} ${library})
  list(APPEND fault_libraries ${library})
  list(APPEND fault_originals ${files})
endforeach()
list(REMOVE_DUPLICATES fault_originals)
add_custom_command(OUTPUT ${fault_folder}/applied
  COMMAND ${faults_command} apply ${fault_folder} ${fault_files}
  COMMAND ${CMAKE_COMMAND} -E touch ${fault_folder}/applied
  DEPENDS ${fault_originals} ${fault_files} ${fault_script} COMMENT "Faults in copies of kernel sources" VERBATIM)
add_custom_target(kernel_fault_libraries DEPENDS ${fault_libraries})
add_custom_command(OUTPUT ${fault_folder}/fault_table.inc
  COMMAND ${faults_command} header ${fault_files} > ${fault_folder}/fault_table.inc
  DEPENDS ${fault_files} ${fault_script} VERBATIM)

deltaproof_add_tests(kernel_faults_tests
  SOURCES faults/fault_cache.cpp faults/fault_problems.cpp faults/fault_run.cpp faults/kernel_faults_test.cpp
          hola_fixture.cpp hola_inputs.cpp hola_mirror.cpp hola_queries.cpp host_kernels.cpp ${fault_folder}/fault_table.inc
  LIBRARIES deltaproof_devices deltaproof_runs)
target_include_directories(kernel_faults_tests PRIVATE ${fault_folder})
target_compile_definitions(kernel_faults_tests PRIVATE DELTAPROOF_FAULTS="${fault_folder}"
  DELTAPROOF_KERNEL_LIBRARIES="${PROJECT_BINARY_DIR}/lib")
add_dependencies(kernel_faults_tests kernel_fault_libraries)

deltaproof_add_tests(explained_faults_tests
  SOURCES faults/explained_faults_test.cpp ../properties/diagnose/explain/hypotheses_hits.cpp
  LIBRARIES deltaproof_devices deltaproof_explain)
target_compile_definitions(explained_faults_tests PRIVATE DELTAPROOF_FAULTS="${fault_folder}"
  DELTAPROOF_KERNEL_LIBRARIES="${PROJECT_BINARY_DIR}/lib")
add_dependencies(explained_faults_tests kernel_fault_libraries)

# What the command reports of a few of them.
set(reported_libraries)
foreach(fault IN ITEMS recurrent_barrier_before_stage recurrent_scale)
  list(APPEND reported_libraries ${fault_folder}/${fault}/libdeltaproof_kernels_checked.so)
endforeach()
add_custom_target(reported_fault_libraries DEPENDS ${reported_libraries})
add_dependencies(kernel_fault_libraries reported_fault_libraries)
deltaproof_add_tests(reported_faults_tests
  SOURCES faults/reported_faults_test.cpp LIBRARIES nlohmann_json::nlohmann_json)
target_compile_definitions(reported_faults_tests PRIVATE DELTAPROOF_COMMAND="$<TARGET_FILE:deltaproof>"
  DELTAPROOF_FAULTS="${fault_folder}" DELTAPROOF_KERNEL_LIBRARIES="${PROJECT_BINARY_DIR}/lib")
add_dependencies(reported_faults_tests deltaproof reported_fault_libraries ${DELTAPROOF_HOST_LIBRARIES})

add_test(NAME kernel_faults.script
  COMMAND Python3::Interpreter -B ${CMAKE_CURRENT_SOURCE_DIR}/faults/faults_test.py)
add_test(NAME kernel_faults.page
  COMMAND Python3::Interpreter -B ${fault_script} check ${PROJECT_SOURCE_DIR}/docs/kernel-faults.md ${fault_files})
