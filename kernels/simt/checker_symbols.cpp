#include "kernels/simt/checker_symbols.hpp"

#include <cxxabi.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>

namespace deltaproof::checker {

namespace {

struct FileSearch {
  std::uintptr_t code;
  std::string file;
};

int visit_object(dl_phdr_info* object, std::size_t, void* data) {
  auto& search = *static_cast<FileSearch*>(data);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& header = object->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || search.code - (object->dlpi_addr + header.p_vaddr) >= header.p_memsz) continue;
    search.file = object->dlpi_name;
    return 1;
  }
  return 0;
}

/// An ELF file of this machine's kind. Reads beyond its end give zeros or nothing.
class ElfFile {
 public:
  explicit ElfFile(const std::string& path) : stream_(path, std::ios::binary) {}

  template <class T>
  std::vector<T> read(std::uint64_t offset, std::size_t count) {
    constexpr std::size_t most = std::size_t{1} << 26;
    std::vector<T> items(std::min(count, most / sizeof(T)));
    stream_.clear();
    stream_.seekg(static_cast<std::streamoff>(offset));
    stream_.read(reinterpret_cast<char*>(items.data()), static_cast<std::streamsize>(items.size() * sizeof(T)));
    items.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream_.gcount(), 0)) / sizeof(T));
    return items;
  }

  std::vector<Elf64_Shdr> sections() {
    const auto header = read<Elf64_Ehdr>(0, 1);
    if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0 ||
        header[0].e_ident[EI_CLASS] != ELFCLASS64 || header[0].e_shentsize != sizeof(Elf64_Shdr)) {
      return {};
    }
    return read<Elf64_Shdr>(header[0].e_shoff, header[0].e_shnum);
  }

 private:
  std::ifstream stream_;
};

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 ? text.get() : name;
}

}  // namespace

std::vector<SharedVariable> shared_variables(std::uintptr_t code) {
  FileSearch search{code, {}};
  dl_iterate_phdr(visit_object, &search);
  std::vector<SharedVariable> found;
  if (search.file.empty()) return found;
  ElfFile file(search.file);
  const std::vector<Elf64_Shdr> sections = file.sections();
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    std::vector<char> names = file.read<char>(sections[section.sh_link].sh_offset, sections[section.sh_link].sh_size);
    names.push_back('\0');
    for (const Elf64_Sym& symbol : file.read<Elf64_Sym>(section.sh_offset, section.sh_size / sizeof(Elf64_Sym))) {
      const bool defined = symbol.st_shndx != SHN_UNDEF && symbol.st_size != 0 && symbol.st_name < names.size();
      if (ELF64_ST_TYPE(symbol.st_info) != STT_TLS || !defined) continue;
      found.push_back({symbol.st_value, symbol.st_size, demangled(names.data() + symbol.st_name)});
    }
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  // Aliases of one array (the dynamic one) overlap.
  const auto overlaps = [](const auto& a, const auto& b) { return b.begin < a.begin + a.size; };
  found.erase(std::unique(found.begin(), found.end(), overlaps), found.end());
  return found;
}

}  // namespace deltaproof::checker
