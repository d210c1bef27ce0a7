#pragma once

#include <filesystem>
#include <string>

namespace deltaproof::fuzz {

/// A library of kernels: as `find_kernel_library` finds it, else in this build's folder. Throws KernelError.
std::filesystem::path kernel_library_path(const std::string& file);

}  // namespace deltaproof::fuzz
