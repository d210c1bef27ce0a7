#pragma once

#include <link.h>

#include <cstddef>
#include <cstring>
#include <fstream>
#include <optional>
#include <vector>

namespace deltaproof {

/// An ELF file as bytes; what does not lie in it reads as nothing.
class ElfFile {
 public:
  explicit ElfFile(const char* path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const std::streamoff size = file ? static_cast<std::streamoff>(file.tellg()) : 0;
    bytes_.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    file.seekg(0);
    file.read(bytes_.data(), static_cast<std::streamsize>(bytes_.size()));
    bytes_.push_back('\0');
  }

  /// `visit(symbol, name)` for the symbols of all tables, until it returns false. The full table has those of unnamed
  /// namespaces too; a stripped library has the other only.
  template <class Visit>
  void each_symbol(Visit visit) const {
    const auto header = at<ElfW(Ehdr)>(0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return;
    const auto section_at = [&](std::size_t i) { return at<ElfW(Shdr)>(header->e_shoff + i * header->e_shentsize); };
    for (std::size_t i = 0; i < header->e_shnum; ++i) {
      const auto section = section_at(i);
      if (!section || (section->sh_type != SHT_SYMTAB && section->sh_type != SHT_DYNSYM)) continue;
      const auto names = section_at(section->sh_link);
      if (!names) continue;
      for (std::size_t s = 0; s < section->sh_size / sizeof(ElfW(Sym)); ++s) {
        const auto symbol = at<ElfW(Sym)>(section->sh_offset + s * sizeof(ElfW(Sym)));
        if (!symbol || names->sh_offset + symbol->st_name >= bytes_.size()) continue;
        if (!visit(*symbol, bytes_.data() + names->sh_offset + symbol->st_name)) return;
      }
    }
  }

 private:
  template <class T>
  std::optional<T> at(std::size_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  std::vector<char> bytes_;  ///< and a zero after them
};

}  // namespace deltaproof
