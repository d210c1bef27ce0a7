#include "kernels/simt/module.hpp"

#include <dlfcn.h>

#include <stdexcept>
#include <utility>

namespace deltaproof {

KernelModule::KernelModule(const std::filesystem::path& path) : path_(std::filesystem::absolute(path)) {
  if (!std::filesystem::exists(path_)) throw std::runtime_error(path_.string() + ": no such kernel library");
  handle_ = dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) {
    const std::string reason = dlerror();
    std::string hint;
    if (reason.find("undefined symbol: simt_") != std::string::npos) {
      hint = " (this program does not export the host executor: link deltaproof_simt)";
    }
    throw std::runtime_error("kernel library does not load: " + reason + hint);
  }
}

KernelModule::~KernelModule() {
  if (handle_ != nullptr) dlclose(handle_);
}

KernelModule::KernelModule(KernelModule&& other) noexcept
    : path_(std::move(other.path_)), handle_(std::exchange(other.handle_, nullptr)) {}

void* KernelModule::symbol(const std::string& name) const {
  dlerror();
  void* const found = dlsym(handle_, name.c_str());
  if (found == nullptr) throw std::runtime_error(path_.string() + " has no symbol '" + name + "'");
  return found;
}

}  // namespace deltaproof
