#include <stdexcept>

#include "kernels/cuda/device_api.hpp"
#include "tests/kernels/device/compare.hpp"

namespace deltaproof {
namespace {

const DeviceApi& api() { return *deltaproof_device_api(); }

void require(int status, const char* error) {
  if (status != 0) throw std::runtime_error(error);
}

/// What check_guards says after a byte at this offset from the buffer's start was changed; empty if nothing.
std::string guards_after_write(std::size_t bytes, std::ptrdiff_t offset) {
  char error[512] = "";
  DeviceBuffer buffer{};
  require(api().allocate(bytes, &buffer, error, sizeof error), error);
  const unsigned char wrong = 0x5a;
  unsigned char* at = static_cast<unsigned char*>(buffer.data) + offset;
  require(api().copy_in(at, &wrong, 1, error, sizeof error), error);
  char found[512] = "";
  const bool damaged = api().check_guards(&buffer, "v [1, 2]", found, sizeof found) != 0;
  require(api().release(&buffer, error, sizeof error), error);
  return damaged ? found : "";
}

void expect(Row& row, bool holds, const std::string& what) {
  ++row.compared;
  if (!holds && row.differing++ == 0) row.first = what;
}

void check_poison(Row& row, std::size_t bytes) {
  char error[512] = "";
  DeviceBuffer buffer{};
  require(api().allocate(bytes, &buffer, error, sizeof error), error);
  std::vector<unsigned char> contents(bytes);
  require(api().copy_out(contents.data(), buffer.data, bytes, error, sizeof error), error);
  for (const unsigned char byte : contents) expect(row, byte == 0xff, "a byte of a new buffer is not poisoned");
  expect(row, reinterpret_cast<std::uintptr_t>(buffer.data) % 256 == 0, "a buffer is not aligned to 256");
  expect(row, api().check_guards(&buffer, "v", error, sizeof error) == 0, error);
  require(api().release(&buffer, error, sizeof error), error);
}

}  // namespace

Row check_guard_zones() {
  Row row{"guard zones and poison", 0, 0, "", 0};
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{255}, std::size_t{4096}}) {
    const auto end = static_cast<std::ptrdiff_t>(bytes);
    check_poison(row, bytes);
    const std::string before = guards_after_write(bytes, -1), after = guards_after_write(bytes, end);
    const std::string far = guards_after_write(bytes, end + 1000);
    expect(row, before.find("buffer v [1, 2]: byte 1 before its start") != std::string::npos, "before: " + before);
    expect(row, after.find("byte 0 after its end (1 bytes") != std::string::npos, "after: " + after);
    expect(row, far.find("byte 1000 after its end") != std::string::npos, "far: " + far);
    if (bytes > 0) expect(row, guards_after_write(bytes, end - 1).empty(), "a write inside counts as outside");
  }
  return row;
}

}  // namespace deltaproof
