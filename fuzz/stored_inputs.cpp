#include "fuzz/stored_inputs.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace deltaproof::fuzz {

std::vector<StoredInput> stored_inputs(const std::filesystem::path& path) {
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_directory(path)) {
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      if (entry.is_regular_file() && !entry.path().filename().string().starts_with('.')) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
  } else {
    files.push_back(path);
  }
  std::vector<StoredInput> inputs;
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw std::runtime_error("cannot read " + file.string());
    inputs.push_back({file.string(), {std::istreambuf_iterator<char>(stream), {}}});
  }
  return inputs;
}

}  // namespace deltaproof::fuzz
