#include "kernels/simt/launch_kernel_name.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace deltaproof {

namespace {

/// An ELF file as bytes; what does not lie in it reads as nothing.
class ElfFile {
 public:
  explicit ElfFile(const char* path) {
    std::ifstream file(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
  }

  /// Name of the function with the address `offset` (from the library's start) inside it.
  std::optional<std::string> function_at(std::uintptr_t offset) const {
    const auto header = at<ElfW(Ehdr)>(0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return std::nullopt;
    for (std::size_t i = 0; i < header->e_shnum; ++i) {
      const auto section = at<ElfW(Shdr)>(header->e_shoff + i * header->e_shentsize);
      // The full table has functions of unnamed namespaces too; a stripped library has the other only.
      if (!section || (section->sh_type != SHT_SYMTAB && section->sh_type != SHT_DYNSYM)) continue;
      const auto names = at<ElfW(Shdr)>(header->e_shoff + section->sh_link * std::size_t{header->e_shentsize});
      if (!names) continue;
      for (std::size_t s = 0; s < section->sh_size / sizeof(ElfW(Sym)); ++s) {
        const auto symbol = at<ElfW(Sym)>(section->sh_offset + s * sizeof(ElfW(Sym)));
        if (!symbol || ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || offset - symbol->st_value >= symbol->st_size) {
          continue;
        }
        return text(names->sh_offset + symbol->st_name);
      }
    }
    return std::nullopt;
  }

 private:
  template <class T>
  std::optional<T> at(std::size_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  std::string text(std::size_t offset) const {
    if (offset >= bytes_.size()) return "";
    return {bytes_.data() + offset, strnlen(bytes_.data() + offset, bytes_.size() - offset)};
  }

  std::vector<char> bytes_;
};

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

}  // namespace

std::string kernel_name(const simt_launch_request& request) {
  if (request.kernel != nullptr) return request.kernel;
  Dl_info library{};
  if (request.kernel_address == nullptr || dladdr(request.kernel_address, &library) == 0) return "(no name)";
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(request.kernel_address) -
                                reinterpret_cast<std::uintptr_t>(library.dli_fbase);
  const auto symbol = ElfFile(library.dli_fname).function_at(offset);
  return symbol ? without_signature(demangled(*symbol)) : "(no name)";
}

}  // namespace deltaproof
