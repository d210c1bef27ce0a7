#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "reference/problem/message.hpp"
#include "reference/problem/safetensors_header.hpp"

namespace deltaproof {
namespace {

/// Bytes that dtype and shape ask for; refuses what does not fit 63 bits.
std::uint64_t wanted_bytes(const std::string& file, const TensorEntry& entry) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  std::uint64_t bytes = dtype_size(entry.dtype);
  for (const std::int64_t signed_extent : entry.shape) {
    const auto extent = static_cast<std::uint64_t>(signed_extent);
    if (extent != 0 && bytes > kMost / extent)
      refuse_tensor(file, entry.name,
                    fmt::format("shape {} has too many elements", shape_string(entry.shape)));
    bytes *= extent;
  }
  return bytes;
}

std::string range(const TensorEntry& entry) {
  return fmt::format("data_offsets [{}, {}]", entry.begin, entry.end);
}

void check_entry(const std::string& file, const TensorEntry& entry, std::uint64_t data_size) {
  if (entry.begin > entry.end)
    refuse_tensor(file, entry.name, range(entry) + " end before they begin");
  if (entry.end > data_size)
    refuse_tensor(
        file, entry.name,
        fmt::format("{} reach beyond the file, which has {} bytes of data; is it truncated?",
                    range(entry), data_size));
  const std::uint64_t wanted = wanted_bytes(file, entry);
  if (entry.end - entry.begin != wanted)
    refuse_tensor(file, entry.name,
                  fmt::format("{} hold {} bytes, but {} of shape {} takes {}", range(entry),
                              entry.end - entry.begin, dtype_name(entry.dtype),
                              shape_string(entry.shape), wanted));
}

}  // namespace

void check_layout(const std::string& file, std::vector<TensorEntry>& entries,
                  std::uint64_t data_size) {
  for (const TensorEntry& entry : entries) check_entry(file, entry, data_size);
  std::sort(entries.begin(), entries.end(), [](const TensorEntry& x, const TensorEntry& y) {
    return std::tie(x.begin, x.end, x.name) < std::tie(y.begin, y.end, y.name);
  });
  std::uint64_t reached = 0;
  const TensorEntry* before = nullptr;
  for (const TensorEntry& entry : entries) {
    if (entry.begin < reached)
      refuse_tensor(file, entry.name,
                    fmt::format("{} overlap {} of {}", range(entry), range(*before),
                                in_quotes(before->name)));
    if (entry.begin > reached)
      refuse_tensor(file, entry.name,
                    fmt::format("{}: bytes {} to {} before it belong to no tensor", range(entry),
                                reached, entry.begin));
    reached = entry.end;
    before = &entry;
  }
  if (reached != data_size)
    refuse(file, fmt::format("bytes {} to {} of the data belong to no tensor", reached, data_size));
}

}  // namespace deltaproof
