# The target `bundle`: ${PROJECT_BINARY_DIR}/bundle, a folder to be copied to another machine. The command and the
# libraries of kernels beside it, everything linked in but glibc; the notices that GMP, MPFR and MPFI (LGPL) ask for;
# `run`, which judges every built-in kernel on the GPU and compares its bits with the host executor's.

if(NOT TARGET deltaproof_kernels_cuda)
  message(FATAL_ERROR "DELTAPROOF_BUNDLE is for a machine with a GPU, and there is no CUDA compiler here; "
                      "put nvcc on the PATH, or set CMAKE_CUDA_COMPILER")
endif()

# The libraries of kernels for the host take the C++ library from the command (DeltaproofHostKernels.cmake).
target_link_options(deltaproof PRIVATE -static-libstdc++ -static-libgcc LINKER:--export-dynamic)

set(bundle ${PROJECT_BINARY_DIR}/bundle)
set(licences /usr/share/common-licenses)  # Debian and Ubuntu keep the texts there
set(texts ${licences}/LGPL-2.1 ${licences}/LGPL-3 ${licences}/GPL-3)
foreach(text IN LISTS texts)
  if(NOT EXISTS ${text})
    message(FATAL_ERROR "a bundle carries ${text}, which this system does not have")
  endif()
endforeach()

set(programs $<TARGET_FILE:deltaproof>)
set(libraries $<TARGET_FILE:deltaproof_kernels_cuda>)
foreach(target IN LISTS DELTAPROOF_HOST_LIBRARIES)
  list(APPEND libraries $<TARGET_PROPERTY:${target},DELTAPROOF_LIBRARY>)
endforeach()
set(device_math)
if(DELTAPROOF_BUILD_TESTS)
  set(device_math deltaproof_device_math)  # functions and instructions one by one: docs/host-math.md
  list(APPEND programs $<TARGET_FILE:${device_math}>)
endif()

add_custom_target(bundle
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${bundle}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${bundle}/licences
  COMMAND ${CMAKE_COMMAND} -E copy ${programs} ${libraries} ${PROJECT_SOURCE_DIR}/cmake/bundle/run ${bundle}
  COMMAND ${CMAKE_COMMAND} -E copy ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/NOTICE ${texts}
          ${bundle}/licences
  COMMAND ${CMAKE_STRIP} --strip-unneeded ${bundle}/deltaproof
  COMMAND ${PROJECT_SOURCE_DIR}/cmake/bundle/check ${bundle}
  COMMENT "Making the bundle" VERBATIM)
add_dependencies(bundle deltaproof ${device_math} deltaproof_kernels_cuda ${DELTAPROOF_HOST_LIBRARIES})
