// What a file claims is never allocated before it is known to be there.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

#include "reference/problem/input_error.hpp"
#include "reference/problem/safetensors.hpp"
#include "tests/reference/problem/support.hpp"

namespace {
std::atomic<std::size_t> largest_request{0};

void* allocate(std::size_t size) {
  std::size_t seen = largest_request;
  while (size > seen && !largest_request.compare_exchange_weak(seen, size)) {
  }
  return std::malloc(size == 0 ? 1 : size);
}
}  // namespace

void* operator new(std::size_t size) {
  void* block = allocate(size);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }

namespace deltaproof {
namespace {

constexpr std::size_t kSmall = std::size_t{1} << 16;  // far above what a message takes

void expect_small(const std::string& bytes) {
  testing::TempFolder folder;
  const auto path = folder / "claims.safetensors";
  testing::write_bytes(path, bytes);
  largest_request = 0;
  EXPECT_THROW(read_safetensors(path), InputError);
  EXPECT_LT(largest_request, kSmall);
}

TEST(Allocation, TheCounterSees) {
  largest_request = 0;
  const std::vector<char> block(kSmall + 1);
  EXPECT_GT(largest_request, block.size() - 1);
}

TEST(Allocation, HeaderLengthOfTwoToTheSixty) {
  for (const std::uint64_t claimed : {std::uint64_t{1} << 60, std::uint64_t{1} << 63,
                                      ~std::uint64_t{0}, std::uint64_t{1} << 32}) {
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &claimed, sizeof claimed);
    expect_small(bytes);
    expect_small(bytes + "{}");
  }
}

TEST(Allocation, TensorOfTwoToTheSixtyBytes) {
  expect_small(testing::safetensors_bytes(
      R"({"q":{"dtype":"F32","shape":[288230376151711744],"data_offsets":[0,1152921504606846976]}})",
      "1234"));
}

}  // namespace
}  // namespace deltaproof
