# Libraries of CUDA kernels, compiled for the host executor (docs/host-executor.md).
#
#   deltaproof_host_kernels(NAME SOURCES FILE.cu ... [COMPILER CXX] [CHECKED] [FLAGS FLAG ...])
#
# makes the target NAME, the library ${PROJECT_BINARY_DIR}/lib/libNAME.so, to be loaded by KernelModule in a program
# that links deltaproof_simt. COMPILER: not the project's (for one more opinion on the bits). CHECKED: instrumented for
# the checker (deltaproof_simt_checker), which the program then must link too. The path is the target's property
# DELTAPROOF_LIBRARY, and DELTAPROOF_FLAGS is what the sources were compiled with; DELTAPROOF_LINK and
# DELTAPROOF_OBJECTS are what the library is linked with and of, separated by '|' (DeltaproofLinkKernels.cmake).

set(_deltaproof_link_kernels ${CMAKE_CURRENT_LIST_DIR}/DeltaproofLinkKernels.cmake)

# Flags that decide bits, and those without which shared memory is not what the executor poisons: one copy of each
# thread-local array a library (not a process), no initialisers that run at the first use.
function(_deltaproof_kernel_flags out is_gcc checked)
  set(flags -O2 -ffp-contract=off -fPIC)
  if(DELTAPROOF_ARCH AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND flags -march=${DELTAPROOF_ARCH})
  endif()
  if(is_gcc)
    list(APPEND flags -fno-extern-tls-init -fno-gnu-unique)
  endif()
  # Lines for messages, with paths from the top of the source tree. addr2line of Debian 12 mistakes the files of inlined
  # code in DWARF 5.
  list(APPEND flags -g1 -gdwarf-4 -fdebug-prefix-map=${PROJECT_SOURCE_DIR}=.)
  if(DELTAPROOF_COVERAGE AND is_gcc AND NOT checked)
    # gcov finds the sources by their whole paths. Its counters are plain variables: no thread-local memory that the
    # executor would poison.
    list(APPEND flags -fdebug-prefix-map=${PROJECT_SOURCE_DIR}/= -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=
      ${DELTAPROOF_COVERAGE_FLAGS})
  else()
    list(APPEND flags -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
  endif()
  if(checked)
    # Vector accesses wider than 16 bytes go without instrumentation in clang++.
    list(APPEND flags -fsanitize=thread -fsanitize=bounds -fno-tree-vectorize -fno-tree-slp-vectorize)
    # g++ does not instrument memcpy and its like, and expands them in place: let them be calls, which the linker
    # turns to the checker's (__wrap_*).
    if(is_gcc)
      list(APPEND flags -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset
        -fno-tree-loop-distribute-patterns --param=tsan-instrument-func-entry-exit=0)
    else()
      list(APPEND flags -mllvm -tsan-instrument-func-entry-exit=0)
    endif()
  elseif(DELTAPROOF_SANITIZE)
    list(APPEND flags -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all
      -fno-omit-frame-pointer)
  endif()
  set(${out} ${flags} PARENT_SCOPE)
endfunction()

function(_deltaproof_kernel_warnings out is_gcc)
  # `#pragma unroll` is nvcc's: g++ does not know it, clang++ cannot always do it.
  set(flags -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wno-unknown-pragmas -Wno-pass-failed)
  if(NOT is_gcc)
    list(APPEND flags -Wno-undefined-internal)  # shared_bytes in an unnamed namespace
  endif()
  if(DELTAPROOF_WERROR AND NOT DELTAPROOF_SANITIZE)
    list(APPEND flags -Werror)
  endif()
  set(${out} ${flags} PARENT_SCOPE)
endfunction()

function(deltaproof_host_kernels name)
  cmake_parse_arguments(ARG "CHECKED" "COMPILER" "SOURCES;FLAGS" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS OR NOT ARG_SOURCES)
    message(FATAL_ERROR "deltaproof_host_kernels(${name}): want SOURCES; unknown: ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  set(compiler ${CMAKE_CXX_COMPILER})
  set(is_gcc FALSE)
  if(ARG_COMPILER)
    set(compiler ${ARG_COMPILER})
    execute_process(COMMAND ${compiler} --version OUTPUT_VARIABLE version COMMAND_ERROR_IS_FATAL ANY)
    if(NOT version MATCHES "clang")
      set(is_gcc TRUE)
    endif()
  elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(is_gcc TRUE)
  endif()
  _deltaproof_kernel_flags(flags ${is_gcc} ${ARG_CHECKED})
  list(APPEND flags ${ARG_FLAGS})
  _deltaproof_kernel_warnings(warnings ${is_gcc})

  # By commands and not by a library target: the same source goes through several compilers, and none of the flags
  # that other code of this build gets may slip in.
  set(objects)
  set(launcher ${CMAKE_CXX_COMPILER_LAUNCHER})
  foreach(source IN LISTS ARG_SOURCES ITEMS ${PROJECT_SOURCE_DIR}/kernels/simt/shared_memory_array.cpp)
    get_filename_component(source ${source} ABSOLUTE)
    get_filename_component(stem ${source} NAME)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.dir/${stem}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${launcher} ${compiler} -std=c++20 ${flags} ${warnings} -I${PROJECT_SOURCE_DIR}
              -MD -MF ${object}.d -MT ${object} -x c++ -c ${source} -o ${object}
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
      DEPENDS ${source} DEPFILE ${object}.d COMMENT "Compiling ${name}: ${stem}" VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${name}.dir ${PROJECT_BINARY_DIR}/lib)

  set(link_flags -shared -Wl,-Bsymbolic -Wl,-soname,lib${name}.so)
  if(DELTAPROOF_SANITIZE AND NOT ARG_CHECKED)
    list(APPEND link_flags -fsanitize=address,undefined)
  endif()
  if(DELTAPROOF_COVERAGE AND is_gcc AND NOT ARG_CHECKED)
    list(APPEND link_flags --coverage)
  endif()
  if(ARG_CHECKED)
    list(APPEND link_flags -Wl,--wrap=memcpy -Wl,--wrap=memmove -Wl,--wrap=memset)
  endif()
  set(libraries)
  if(DELTAPROOF_BUNDLE)
    # The C++ library comes from the program, which has it linked in. A copy of its own would bring thread-local
    # variables into the block that the executor poisons. What unwinds the stack is not exported by the program.
    list(APPEND link_flags -nodefaultlibs)
    set(libraries -lgcc_eh -lgcc -lm -lc)
  endif()
  set(library ${PROJECT_BINARY_DIR}/lib/lib${name}.so)
  string(JOIN "|" link ${compiler} ${link_flags})
  string(JOIN "|" object_list ${objects} ${libraries})
  add_custom_command(OUTPUT ${library}
    COMMAND ${CMAKE_COMMAND} "-DLINK=${link}" -DNM=${CMAKE_NM} "-DOBJECTS=${object_list}" -DLIBRARY=${library}
            -P ${_deltaproof_link_kernels}
    DEPENDS ${objects} ${_deltaproof_link_kernels} COMMENT "Linking ${name}" VERBATIM)
  add_custom_target(${name} ALL DEPENDS ${library})
  string(JOIN " " flag_text ${flags})
  set_target_properties(${name} PROPERTIES DELTAPROOF_LIBRARY ${library} DELTAPROOF_FLAGS "${flag_text}"
    DELTAPROOF_LINK "${link}" DELTAPROOF_OBJECTS "${object_list}")
endfunction()
