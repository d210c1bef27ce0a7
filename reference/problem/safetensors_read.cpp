#include <fmt/format.h>

#include <new>

#include "reference/problem/load.hpp"
#include "reference/problem/message.hpp"
#include "reference/problem/posix_file.hpp"
#include "reference/problem/safetensors_header.hpp"

namespace deltaproof {
namespace {

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::uint64_t kLargestHeader = 100'000'000;  // the format's own limit

/// The header's length, known to fit in the file.
std::uint64_t header_length(const std::string& name, PosixFile& file) {
  if (file.size() < kLengthBytes)
    refuse(name, fmt::format("has {} bytes; a safetensors file has at least {}", file.size(),
                             kLengthBytes));
  std::byte bytes[kLengthBytes];
  file.read(bytes, kLengthBytes);
  const auto length = load_as<std::uint64_t>(bytes, 0);
  if (length > file.size() - kLengthBytes)
    refuse(name,
           fmt::format("the header claims {} bytes, but only {} follow; is the file truncated, "
                       "or no safetensors file?",
                       length, file.size() - kLengthBytes));
  if (length > kLargestHeader)
    refuse(name,
           fmt::format("the header claims {} bytes; at most {} are read", length, kLargestHeader));
  return length;
}

Safetensors read_whole(const std::string& name, PosixFile& file) {
  const std::uint64_t length = header_length(name, file);
  std::string json(length, '\0');
  file.read(reinterpret_cast<std::byte*>(json.data()), json.size());
  SafetensorsHeader header = parse_header(name, json);
  check_layout(name, header.entries, file.size() - kLengthBytes - length);

  Safetensors result;
  result.metadata = std::move(header.metadata);
  for (TensorEntry& entry : header.entries) {  // in file order, without gaps: one pass
    Tensor tensor{entry.dtype, std::move(entry.shape), {}};
    tensor.bytes.resize(entry.end - entry.begin);
    file.read(tensor.bytes.data(), tensor.bytes.size());
    result.tensors.emplace(std::move(entry.name), std::move(tensor));
  }
  return result;
}

}  // namespace

Safetensors read_safetensors(const std::filesystem::path& path) {
  PosixFile file = PosixFile::open_for_reading(path);
  try {
    return read_whole(path.string(), file);
  } catch (const std::bad_alloc&) {
    refuse(path.string(), fmt::format("its {} bytes do not fit into memory", file.size()));
  }
}

}  // namespace deltaproof
