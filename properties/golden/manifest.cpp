#include "properties/golden/manifest.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>

#include "properties/golden/file_digest.hpp"
#include "properties/golden/text_or.hpp"
#include "reference/problem/message.hpp"
#include "reference/problem/posix_file.hpp"
#include "reference/problem/safetensors.hpp"

namespace deltaproof::golden {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
constexpr const char* format = "deltaproof.golden/1";
constexpr const char* manifest_name = "manifest.json";

Entry entry_of(const std::string& manifest, const Json& json) {
  const auto is = [&](const char* key, auto type) { return json.contains(key) && (json[key].*type)(); };
  if (!json.is_object() || !is("path", &Json::is_string) || !is("bytes", &Json::is_number_unsigned) ||
      !is("sha256", &Json::is_string))
    refuse(manifest, "an entry lacks 'path', 'bytes' or 'sha256'");
  return {json["path"], json["bytes"], json["sha256"], json.dump()};
}

Json provenance_of(const Metadata& metadata) {
  Json provenance = Json::object();
  for (const char* key : {"source", "route", "precision_bits", "spec"}) {
    if (metadata.contains(key)) provenance[key] = metadata.at(key);
  }
  return provenance;
}

bool is_gradient(const std::string& name) {
  constexpr std::string_view gradients[] = {"dq", "dk", "dv", "dg", "dbeta", "d_initial_state"};
  return std::ranges::find(gradients, name) != std::end(gradients);
}

// "sha256 is ..", "not there": what is wrong with one file of the manifest.
std::string difference(const fs::path& folder, const Entry& entry) {
  std::error_code error;
  if (!fs::is_regular_file(folder / entry.path, error)) return "listed in the manifest, but there is no such file";
  const FileDigest digest = digest_of(folder / entry.path);
  if (digest.bytes != entry.bytes) return fmt::format("{} bytes, the manifest says {}", digest.bytes, entry.bytes);
  if (digest.sha256 == entry.sha256) return "";
  return fmt::format("SHA-256 {}, the manifest says {}", digest.sha256, entry.sha256);
}

}  // namespace

Manifest read_manifest(const fs::path& folder) {
  const std::string name = (folder / manifest_name).string();
  constexpr std::uint64_t most = std::uint64_t{1} << 26;
  PosixFile file = PosixFile::open_for_reading(name);
  if (file.size() > most) refuse(name, "too long for a manifest");
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  file.read(reinterpret_cast<std::byte*>(text.data()), text.size());
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("format") || !json["format"].is_string() || !json.contains("files") ||
      !json["files"].is_array())
    refuse(name, "not a manifest of golden data");
  if (json["format"] != format)
    refuse(name, fmt::format("its format is {}; this version reads '{}'",
                             in_quotes(json["format"].get_ref<const std::string&>()), format));
  Manifest manifest;
  for (const Json& entry : json["files"]) manifest.push_back(entry_of(name, entry));
  return manifest;
}

void write_manifest(const fs::path& folder, const Manifest& manifest) {
  const fs::path path = folder / manifest_name;
  const fs::path pending = path.string() + fmt::format(".{}.tmp", ::getpid());
  Json json{{"format", format}, {"files", Json::array()}};
  for (const Entry& entry : manifest) json["files"].push_back(Json::parse(entry.json));
  const std::string text = json.dump(1) + "\n";
  std::error_code error, ignored;
  fs::remove(pending, ignored);
  try {
    {
      PosixFile file = PosixFile::create(pending, path.string());
      file.write(reinterpret_cast<const std::byte*>(text.data()), text.size());
      file.sync();
    }
    fs::rename(pending, path, error);
    if (error) refuse(path.string(), "cannot write: " + error.message());
  } catch (...) {
    fs::remove(pending, ignored);
    throw;
  }
}

Entry vector_entry(const fs::path& folder, const std::string& path) {
  const Safetensors file = read_safetensors(folder / path);
  const FileDigest digest = digest_of(folder / path);
  Json entry{{"path", path},
             {"what", text_or(file.metadata, "note", "")},
             {"bytes", digest.bytes},
             {"sha256", digest.sha256},
             {"format", text_or(file.metadata, "format", "")}};
  for (const char* key : {"rule", "arithmetic", "kernel", "vector"}) {
    if (file.metadata.contains(key)) entry[key] = file.metadata.at(key);
  }
  entry["provenance"] = provenance_of(file.metadata);
  entry["tensors"] = Json::array();
  bool gradients = false;
  for (const auto& [name, tensor] : file.tensors) {
    entry["tensors"].push_back(fmt::format("{} {} {}", name, dtype_name(tensor.dtype), shape_string(tensor.shape)));
    gradients = gradients || is_gradient(name);
  }
  entry["chunk_states"] = file.tensors.contains("chunk_states");
  entry["gradients"] = gradients;
  return {path, digest.bytes, digest.sha256, entry.dump()};
}

std::vector<std::string> data_files(const fs::path& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->is_regular_file()) files.push_back(fs::relative(at->path(), folder).generic_string());
  }
  if (error) refuse(folder.string(), "cannot be listed: " + error.message());
  std::erase_if(files, [](const std::string& name) { return name == manifest_name || name == "README.md"; });
  std::ranges::sort(files);
  return files;
}

std::vector<std::string> vector_files(const fs::path& folder) {
  std::vector<std::string> files = data_files(folder);
  std::erase_if(files, [](const std::string& name) {
    const bool in_folder = name.starts_with(std::string(drawn_folder) + "/") || name.starts_with(std::string(found_folder) + "/");
    return !in_folder || !name.ends_with(".safetensors");
  });
  return files;
}

std::vector<std::string> manifest_differences(const fs::path& folder, const Manifest& manifest) {
  std::vector<std::string> found;
  std::map<std::string, int> listed;
  for (const Entry& entry : manifest) {
    if (++listed[entry.path] > 1) {
      found.push_back(entry.path + ": listed twice in the manifest");
      continue;
    }
    const std::string what = difference(folder, entry);
    if (!what.empty()) found.push_back(entry.path + ": " + what);
  }
  for (const std::string& path : data_files(folder)) {
    if (!listed.contains(path)) found.push_back(path + ": not listed in the manifest");
  }
  return found;
}

}  // namespace deltaproof::golden
