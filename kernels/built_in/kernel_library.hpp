#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "kernels/call.hpp"
#include "kernels/simt/module.hpp"

namespace deltaproof {

/// Where a library of kernels lies: in the folder that the environment variable DELTAPROOF_KERNELS names, else
/// beside the program, else in `../lib` of it. Empty if it is in none of them.
std::filesystem::path find_kernel_library(const std::string& file);

/// A library of built-in kernels, open as long as the object lives.
class OpenLibrary {
 public:
  /// `folder`: where it lies; empty: as find_kernel_library finds it. Throws KernelError: no such library (with the
  /// folders that were looked through), or one of another version.
  explicit OpenLibrary(const std::string& file, const std::filesystem::path& folder = {});
  const KernelLibrary& library() const { return *library_; }
  const KernelModule& module() const { return *module_; }

 private:
  std::unique_ptr<KernelModule> module_;
  const KernelLibrary* library_;
};

}  // namespace deltaproof
