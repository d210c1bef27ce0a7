#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "reference/problem/message.hpp"
#include "reference/problem/posix_file.hpp"
#include "reference/problem/safetensors.hpp"

namespace deltaproof {
namespace {

using Entry = TensorMap::value_type;

/// Widest elements first, then by name: with no gaps allowed, this keeps every tensor aligned to
/// its element, which readers that map the file into memory rely on.
std::vector<const Entry*> file_order(const TensorMap& tensors) {
  std::vector<const Entry*> order;
  for (const Entry& entry : tensors) order.push_back(&entry);
  std::stable_sort(order.begin(), order.end(), [](const Entry* x, const Entry* y) {
    return dtype_size(x->second.dtype) > dtype_size(y->second.dtype);
  });
  return order;
}

std::string header_text(const std::string& name, const Metadata& metadata,
                        const std::vector<const Entry*>& order) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::uint64_t offset = 0;
  for (const Entry* entry : order) {
    const Tensor& tensor = entry->second;
    const std::uint64_t end = offset + tensor.bytes.size();
    header[entry->first] = {{"dtype", dtype_name(tensor.dtype)},
                            {"shape", tensor.shape},
                            {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text;
  try {
    text = header.dump();
  } catch (const nlohmann::json::exception&) {
    refuse(name, "cannot write: a tensor name or metadata text is not UTF-8");
  }
  text.append((8 - text.size() % 8) % 8, ' ');  // the data begin at a multiple of 8
  return text;
}

void check_tensors(const TensorMap& tensors) {
  for (const auto& [name, tensor] : tensors) {
    const auto wanted = static_cast<std::size_t>(tensor.size()) * dtype_size(tensor.dtype);
    if (name == "__metadata__" || tensor.bytes.size() != wanted)
      throw std::logic_error("write_safetensors: malformed tensor " + name);
  }
}

void write_whole(const std::filesystem::path& path, const std::string& name,
                 const std::string& header, const std::vector<const Entry*>& order) {
  PosixFile file = PosixFile::create(path, name);
  const auto length = static_cast<std::uint64_t>(header.size());
  file.write(reinterpret_cast<const std::byte*>(&length), sizeof length);
  file.write(reinterpret_cast<const std::byte*>(header.data()), header.size());
  for (const Entry* entry : order)
    file.write(entry->second.bytes.data(), entry->second.bytes.size());
  file.sync();
}

/// The rename itself reaches the disk with its folder. Some file systems cannot; the file is whole
/// then too, so a failure is no error.
void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

/// Where the bytes go: through symbolic links, and never in the place of a device, a pipe or a folder.
std::filesystem::path regular_target(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    refuse(path.string(), "cannot write: it exists and is not a regular file");
  }
  if (!std::filesystem::is_symlink(std::filesystem::symlink_status(path, error))) return path;
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
  if (error) refuse(path.string(), "cannot write: " + error.message());
  return target;
}

}  // namespace

void write_safetensors(const std::filesystem::path& wanted, const Safetensors& file) {
  static std::atomic<unsigned> counter{0};
  check_tensors(file.tensors);
  const std::filesystem::path path = regular_target(wanted);
  const std::vector<const Entry*> order = file_order(file.tensors);
  const std::string header = header_text(path.string(), file.metadata, order);
  std::filesystem::path temporary = path;
  temporary += fmt::format(".{}.{}.tmp", ::getpid(), counter++);
  std::error_code error;
  try {
    write_whole(temporary, path.string(), header, order);
    std::filesystem::rename(temporary, path, error);
    if (error) refuse(path.string(), "cannot write: " + error.message());
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw;
  }
  const std::filesystem::path folder = path.parent_path();
  sync_folder(folder.empty() ? std::filesystem::path(".") : folder);
}

}  // namespace deltaproof
