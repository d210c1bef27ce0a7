// deltaproof_tables NAME prints one computed table of docs/; without a name, the names and the pages they are on.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include "tables.hpp"

namespace deltaproof {
namespace {

struct Table {
  std::string_view name, page;
  void (*print)();
};

constexpr Table tables[] = {
    {"recordings", "docs/recordings.md", print_recordings_table},
    {"conformity", "docs/recordings.md", print_conformity_table},
    {"declarations", "docs/arithmetic.md", print_declarations_table},
};

}  // namespace

std::vector<CaseFile> recordings() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(DELTAPROOF_SOURCE_DIR "/golden/recorded")) {
    if (entry.path().extension() == ".safetensors") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<CaseFile> files;
  for (const auto& path : paths) files.push_back(read_case(path));
  return files;
}

}  // namespace deltaproof

int main(int argc, char** argv) {
  using namespace deltaproof;
  if (argc < 2) {
    for (const Table& table : tables) std::printf("%s %s\n", table.name.data(), table.page.data());
    return 0;
  }
  for (const Table& table : tables) {
    if (table.name != argv[1]) continue;
    table.print();
    return 0;
  }
  std::fprintf(stderr, "deltaproof_tables: no table named %s\n", argv[1]);
  return 2;
}
