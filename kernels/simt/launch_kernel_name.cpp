#include "kernels/simt/launch_kernel_name.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string_view>

#include "kernels/simt/launch_elf.hpp"

namespace deltaproof {

namespace {

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? name.get() : symbol;
}

/// "void scale<float>(float*, int)" -> "scale<float>".
std::string without_signature(std::string name) {
  if (name.starts_with("void ")) name.erase(0, 5);
  int depth = 0;  // of template arguments, which may hold parentheses
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
    if (name[i] == '(' && depth == 0 && name.compare(i, 11, "(anonymous ") != 0) return name.substr(0, i);
  }
  return name;
}

/// The library that holds the kernel, and the kernel's name as the linker has it.
struct Found {
  ElfFile file;
  std::optional<std::string> symbol;
};

std::optional<Found> find(const simt_launch_request& request) {
  Dl_info library{};
  if (request.kernel_address == nullptr || dladdr(request.kernel_address, &library) == 0) return std::nullopt;
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(request.kernel_address) -
                                reinterpret_cast<std::uintptr_t>(library.dli_fbase);
  Found found{ElfFile(library.dli_fname), std::nullopt};
  found.file.each_symbol([&](const ElfW(Sym)& symbol, const char* name) {
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || offset - symbol.st_value >= symbol.st_size) return true;
    found.symbol = name;
    return false;
  });
  return found;
}

}  // namespace

std::string kernel_name(const simt_launch_request& request) {
  if (request.kernel != nullptr) return request.kernel;
  const auto found = find(request);
  return found && found->symbol ? without_signature(demangled(*found->symbol)) : "(no name)";
}

std::size_t own_static_shared(const simt_launch_request& request) {
  const auto found = find(request);
  if (!found || !found->symbol || !found->symbol->starts_with("_Z")) return 0;
  const std::string prefix = "_ZZ" + found->symbol->substr(2) + "E";  // of names that are local to a function
  std::map<std::uintptr_t, std::size_t> sizes;  // by address: two tables may have the symbol
  found->file.each_symbol([&](const ElfW(Sym)& symbol, const char* name) {
    const bool own = ELF64_ST_TYPE(symbol.st_info) == STT_TLS && symbol.st_shndx != SHN_UNDEF &&
                     std::string_view(name).starts_with(prefix);
    if (own) sizes[symbol.st_value] = symbol.st_size;
    return true;
  });
  std::size_t sum = 0;
  for (const auto& [address, size] : sizes) sum += size;
  return sum;
}

}  // namespace deltaproof
