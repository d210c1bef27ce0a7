#include "kernels/built_in/kernel_library.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <system_error>
#include <vector>

#include "kernels/kernel.hpp"

namespace deltaproof {
namespace {

constexpr const char* folder_variable = "DELTAPROOF_KERNELS";
constexpr std::uint32_t interface_version = 2;

std::vector<std::filesystem::path> folders() {
  if (const char* given = std::getenv(folder_variable); given != nullptr && *given != '\0') return {given};
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  if (error) return {};
  return {program, program.parent_path() / "lib"};
}

}  // namespace

std::filesystem::path find_kernel_library(const std::string& file) {
  std::error_code error;
  for (const std::filesystem::path& folder : folders()) {
    if (std::filesystem::is_regular_file(folder / file, error)) return folder / file;
  }
  return {};
}

OpenLibrary::OpenLibrary(const std::string& file, const std::filesystem::path& folder) {
  const std::filesystem::path path = folder.empty() ? find_kernel_library(file) : folder / file;
  if (path.empty()) {
    std::string looked;
    for (const auto& each : folders()) looked += (looked.empty() ? "" : ", ") + each.string();
    throw KernelError(fmt::format("{} is missing; looked in {} (the environment variable {} names another folder)",
                                  file, looked, folder_variable));
  }
  try {
    module_ = std::make_unique<KernelModule>(path);
    library_ = module_->function<KernelLibraryFunction>("deltaproof_kernel_library")();
  } catch (const std::runtime_error& error) {
    throw KernelError(error.what());
  }
  if (library_->version != interface_version) {
    throw KernelError(fmt::format("{} has kernels of interface {}, this program wants {}; build both together",
                                  path.string(), library_->version, interface_version));
  }
}

}  // namespace deltaproof
