#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <mutex>

#include "tests/kernels/device/compare.hpp"
#include "tests/kernels/device/parallel.hpp"

namespace deltaproof {
namespace {

bool is_nan(std::uint32_t bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }

struct Difference {
  std::uint64_t input;
  std::uint32_t gpu, host;
};

/// Compares results of arguments `first` to first + count; differences into `row`, the first into `example`.
template <class Host>
void compare_batch(const std::uint32_t* gpu, std::uint64_t first, std::uint32_t count, bool one_nan, const Host& host,
                   Row& row, Difference& example) {
  std::mutex mutex;
  in_parallel(count, [&](std::uint64_t begin, std::uint64_t end) {
    std::uint64_t differing = 0;
    Difference earliest{~std::uint64_t{0}, 0, 0};
    for (std::uint64_t i = begin; i < end; ++i) {
      const std::uint32_t expected = host(first + i);
      if (gpu[i] == expected || (!one_nan && is_nan(gpu[i]) && is_nan(expected))) continue;
      if (differing++ == 0) earliest = {first + i, gpu[i], expected};
    }
    const std::lock_guard lock(mutex);
    row.differing += differing;
    if (earliest.input < example.input) example = earliest;
  });
  row.compared += count;
}

/// gpu(first, count, results) and host(i) over arguments 0 to inputs - 1; describe(i) says what argument i is.
template <class Gpu, class Host, class Describe>
Row compare(const char* name, std::uint64_t inputs, bool one_nan, const Gpu& gpu, const Host& host,
            const Describe& describe) {
  const auto start = std::chrono::steady_clock::now();
  Row row{name, 0, 0, "", 0};
  Difference example{~std::uint64_t{0}, 0, 0};
  static std::vector<std::uint32_t> results(largest_batch);
  for (std::uint64_t first = 0; first < inputs; first += largest_batch) {
    const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(largest_batch, inputs - first));
    gpu(first, count, results.data());
    compare_batch(results.data(), first, count, one_nan, host, row, example);
  }
  if (row.differing != 0) {
    row.first = describe(example.input) + ": GPU " + hexadecimal(example.gpu) + ", host " + hexadecimal(example.host);
  }
  row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return row;
}

}  // namespace

Row compare_unary(Unary function) {
  const UnaryInfo& info = unary_info[static_cast<int>(function)];
  return compare(
      info.name, info.inputs, info.one_nan,
      [&](std::uint64_t first, std::uint32_t count, std::uint32_t* out) { gpu_unary(function, first, count, out); },
      [&](std::uint64_t i) { return host_unary(function, static_cast<std::uint32_t>(i)); },
      [](std::uint64_t i) { return hexadecimal(static_cast<std::uint32_t>(i)); });
}

Row compare_binary(Binary function) {
  const BinaryInfo& info = binary_info[static_cast<int>(function)];
  return compare(
      info.name, binary_inputs, info.one_nan,
      [&](std::uint64_t first, std::uint32_t count, std::uint32_t* out) { gpu_binary(function, first, count, out); },
      [&](std::uint64_t i) { return host_binary(function, arguments_at(i)); },
      [](std::uint64_t i) {
        const Arguments at = arguments_at(i);
        return hexadecimal(at.x) + " " + hexadecimal(at.y) + " " + hexadecimal(at.z);
      });
}

}  // namespace deltaproof
