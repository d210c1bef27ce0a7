#include "fuzz/kernel_path.hpp"

#include "kernels/built_in/kernel_library.hpp"
#include "kernels/kernel.hpp"

namespace deltaproof::fuzz {

std::filesystem::path kernel_library_path(const std::string& file) {
  if (const std::filesystem::path found = find_kernel_library(file); !found.empty()) return found;
  const std::filesystem::path built = std::filesystem::path(DELTAPROOF_FUZZ_KERNELS) / file;
  if (!std::filesystem::is_regular_file(built)) {
    throw KernelError(file + " is missing; it must lie beside the program, or in the folder that the environment variable "
                             "DELTAPROOF_KERNELS names");
  }
  return built;
}

}  // namespace deltaproof::fuzz
