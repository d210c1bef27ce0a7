#pragma once

#include <cstddef>
#include <cstdint>

/// Kernels of a library that the tests load: right ones and, beside each, one with a fault.
struct CheckerBuffers {
  const float* in;   ///< `count` numbers, read only
  float* out;        ///< `count` numbers, poisoned
  float* scratch;    ///< `count` numbers, poisoned
  int count;
  int shift;         ///< what the kernel makes of it is said beside it
};

struct CheckerKernel {
  const char* name;
  unsigned blocks, threads;
  std::size_t dynamic_shared;
  /// Throws std::runtime_error.
  void (*run)(const CheckerKernel& self, const CheckerBuffers& buffers);
};

struct CheckerKernels {
  std::size_t count;
  const CheckerKernel* kernels;
};

using CheckerKernelsFunction = CheckerKernels (*)();
