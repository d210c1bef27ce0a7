# Headers that most of our files include, parsed once for all of them (DELTAPROOF_PRECOMPILE): a quarter of the time
# that a file takes to compile.
#
#   deltaproof_precompile(FOLDER ...)
#
# has every library and program of these folders of the source tree use them. Tests have their own, with GoogleTest's
# (tests/CMakeLists.txt). With clang++ all macros of a command line would have to be those of the headers'.
set(_deltaproof_headers_source ${CMAKE_CURRENT_LIST_DIR}/precompiled_headers.cpp)

function(_deltaproof_targets_below out folder)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(subfolders DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(subfolder IN LISTS subfolders)
    _deltaproof_targets_below(below ${subfolder})
    list(APPEND targets ${below})
  endforeach()
  set(${out} ${targets} PARENT_SCOPE)
endfunction()

function(deltaproof_precompile)
  if(NOT DELTAPROOF_PRECOMPILE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  add_library(deltaproof_headers OBJECT ${_deltaproof_headers_source})
  target_link_libraries(deltaproof_headers PRIVATE deltaproof_build Eigen3::Eigen)
  target_precompile_headers(deltaproof_headers PRIVATE
    <Eigen/Core> <algorithm> <cmath> <functional> <map> <optional> <span> <string> <vector>)
  foreach(folder IN LISTS ARGN)
    _deltaproof_targets_below(targets ${folder})
    foreach(target IN LISTS targets)
      get_target_property(type ${target} TYPE)
      if(type MATCHES "^(STATIC_LIBRARY|EXECUTABLE)$")
        target_precompile_headers(${target} REUSE_FROM deltaproof_headers)
        deltaproof_quiet_false_alarms(${target})
      endif()
    endforeach()
  endforeach()
endfunction()

# Behind precompiled headers GCC 12 warns falsely in the C++ library's strings (GCC bug 105329). What it works out from the
# flow of a program shows there as a warning alone; without precompiled headers (with ccache) it is an error.
function(deltaproof_quiet_false_alarms target)
  set(off array-bounds restrict stringop-overflow stringop-overread)
  set(shown maybe-uninitialized uninitialized dangling-pointer use-after-free stringop-truncation nonnull
      free-nonheap-object format-overflow format-truncation mismatched-new-delete)
  list(TRANSFORM off PREPEND -Wno-)
  list(TRANSFORM shown PREPEND -Wno-error=)
  target_compile_options(${target} PRIVATE "$<$<CXX_COMPILER_ID:GNU>:${off};${shown}>")
endfunction()
