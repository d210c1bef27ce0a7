#pragma once

#include <functional>
#include <string>

#include "kernels/simt/executor.hpp"
#include "kernels/simt/module.hpp"

namespace deltaproof {

/// Right kernels (executor_kernels.cu) and faulty ones (executor_fault_kernels.cu).
const KernelModule& executor_kernels();

/// A function of the library, by its C name: `call<void(int)>("launch_x")(1)`.
template <class Signature>
Signature* call(const std::string& name) {
  return executor_kernels().function<Signature*>(name);
}

/// What `launch` throws; empty if nothing.
std::string fault_of(const std::function<void()>& launch);

/// "tests/kernels/simt/FILE:LINE" of the one line of the file that ends in "// MARK".
std::string place_of(const std::string& file, const std::string& mark);

}  // namespace deltaproof
