#pragma once

#include <filesystem>
#include <string>

namespace deltaproof {

/// A library of kernels, loaded for as long as the object lives. Its `simt_*` come from the executable.
class KernelModule {
 public:
  /// Throws std::runtime_error: no such file, not a library, or a function is missing.
  explicit KernelModule(const std::filesystem::path& path);
  ~KernelModule();
  KernelModule(KernelModule&& other) noexcept;
  KernelModule& operator=(KernelModule&&) = delete;
  KernelModule(const KernelModule&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// The address of an exported C function or variable. Throws std::runtime_error if there is none.
  void* symbol(const std::string& name) const;
  template <class Function>
  Function function(const std::string& name) const {
    return reinterpret_cast<Function>(symbol(name));
  }

 private:
  std::filesystem::path path_;
  void* handle_;
};

}  // namespace deltaproof
