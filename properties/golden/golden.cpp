#include "properties/golden/golden.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "properties/in_parallel.hpp"
#include "properties/golden/manifest.hpp"
#include "reference/problem/input_error.hpp"
#include "reference/problem/message.hpp"

namespace deltaproof::golden {
namespace {

namespace fs = std::filesystem;

std::string drawn_path(const DrawnVector& vector) { return fmt::format("{}/{}.safetensors", drawn_folder, vector.name); }

Manifest manifest_or_new(const fs::path& folder) {
  return fs::exists(folder / "manifest.json") ? read_manifest(folder) : Manifest{};
}

bool is_vector(const std::string& path) {
  return path.starts_with(std::string(drawn_folder) + "/") || path.starts_with(std::string(found_folder) + "/");
}

// Entries of other data as they are; of vectors, those that are there.
Manifest updated(const fs::path& folder, const Manifest& old, const std::vector<std::string>& written) {
  std::map<std::string, Entry> entries;
  for (const Entry& entry : old) {
    if (!is_vector(entry.path) || fs::exists(folder / entry.path)) entries[entry.path] = entry;
  }
  for (const std::string& path : written) entries[path] = vector_entry(folder, path);
  Manifest manifest;
  for (auto& [path, entry] : entries) manifest.push_back(std::move(entry));
  return manifest;
}

std::vector<std::string> found_files(const fs::path& folder) {
  std::vector<std::string> files = vector_files(folder);
  std::erase_if(files, [](const std::string& path) { return !path.starts_with(std::string(found_folder) + "/"); });
  return files;
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) refuse(folder.string(), "cannot be made: " + error.message());
}

// Why the work was refused; "" if it was not.
std::string why_not(const std::function<void()>& work) {
  try {
    work();
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

Verification verification_of(const fs::path& folder, const std::string& path) {
  try {
    return verify_vector(path, read_safetensors(folder / path));
  } catch (const InputError& error) {
    return {.wrong = error.what(), .rule = "?"};
  }
}

}  // namespace

Written write(const fs::path& folder, std::span<const DrawnVector> vectors, const GoldenOptions& options) {
  if (!fs::is_directory(folder)) refuse(folder.string(), "not a folder");
  const Manifest old = manifest_or_new(folder);
  make_folder(folder / drawn_folder);
  std::vector<std::string> paths;
  for (const DrawnVector& vector : vectors) paths.push_back(drawn_path(vector));
  const std::vector<std::string> found = found_files(folder);
  paths.insert(paths.end(), found.begin(), found.end());
  std::vector<char> done(paths.size(), 0);
  std::vector<std::string> refused(paths.size());
  in_parallel(
      paths.size(), options.threads,
      [&](std::size_t i) {
        if (options.stop && options.stop()) return;
        refused[i] = why_not([&] {
          const Question question =
              i < vectors.size() ? drawn(std::string(vectors[i].spec), std::string(vectors[i].what))
                                 : read_question(paths[i], read_safetensors(folder / paths[i]));
          write_safetensors(folder / paths[i], answered(paths[i], question));
          done[i] = 1;
        });
      },
      options.progress);
  Written result;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (done[i] != 0) result.vectors.push_back(paths[i]);
  }
  for (const std::string& path : vector_files(folder)) {
    if (std::ranges::find(paths, path) == paths.end()) result.strange.push_back(path);
  }
  write_manifest(folder, updated(folder, old, result.vectors));
  for (const std::string& why : refused) {
    if (!why.empty()) throw InputError(why);
  }
  return result;
}

bool Verified::right() const {
  return differences.empty() &&
         std::ranges::all_of(vectors, [](const VerifiedVector& v) { return v.verification.wrong.empty(); });
}

Verified verify(const fs::path& folder, const GoldenOptions& options) {
  if (!fs::is_directory(folder)) refuse(folder.string(), "not a folder");
  const Manifest manifest = read_manifest(folder);
  Verified result;
  result.files = manifest.size();
  result.differences = manifest_differences(folder, manifest);
  const std::vector<std::string> paths = vector_files(folder);
  result.vectors.resize(paths.size());
  in_parallel(
      paths.size(), options.threads,
      [&](std::size_t i) {
        if (options.stop && options.stop()) return;
        result.vectors[i] = {paths[i], verification_of(folder, paths[i])};
      },
      options.progress);
  std::erase_if(result.vectors, [](const VerifiedVector& vector) { return vector.path.empty(); });
  return result;
}

}  // namespace deltaproof::golden
