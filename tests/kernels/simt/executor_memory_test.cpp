#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kernels/simt/abi.hpp"
#include "kernels/simt/shared_memory.hpp"
#include "tests/kernels/simt/executor_fixture.hpp"

namespace deltaproof {
namespace {

// Thread-local memory of this program, which the executor must leave alone.
thread_local std::array<unsigned, 1024> own_thread_local{};

TEST(SharedMemory, IsPoisonBeforeEveryBlockAndTheProgramsThreadLocalMemoryIsNot) {
  own_thread_local.fill(42);
  for (const int threads : {1, 2}) {
    std::vector<unsigned> fixed(5 * 9, 0), dynamic(5 * 100, 0);
    const ScopedExecutor executor({.threads = threads});
    call<void(unsigned, unsigned, unsigned*, unsigned*)>("launch_find")(5, 100, fixed.data(), dynamic.data());
    for (const unsigned word : fixed) EXPECT_EQ(word, 0xffffffffu);
    for (const unsigned word : dynamic) EXPECT_EQ(word, 0xffffffffu);
  }
  for (const unsigned word : own_thread_local) EXPECT_EQ(word, 42u);
}

TEST(SharedMemory, AKernelInTheProgramIsRefused) {
  char error[400] = "";
  simt_launch_request request{};
  request.grid = request.block = {1, 1, 1};
  request.kernel = "own";
  request.file = "own.cpp";
  request.line = 3;
  request.body = [](void*) { own_thread_local.fill(7); };
  request.error = error;
  request.error_capacity = sizeof error;
  own_thread_local.fill(42);
  EXPECT_EQ(simt_launch(&request), 1);
  EXPECT_STREQ(error, "kernel own, launched at own.cpp:3: the kernel lies in the executable; build it as a library "
                      "of its own, loaded by dlopen (cmake: deltaproof_host_kernels)");
  EXPECT_EQ(own_thread_local[5], 42u);
}

TEST(SharedMemory, AnErrorIsCutToTheRoomThereIs) {
  std::array<char, 8> error;
  error.fill('x');
  simt_launch_request request{};
  request.file = "own.cpp";
  request.error = error.data();
  request.error_capacity = 7;
  EXPECT_EQ(simt_launch(&request), 1);
  EXPECT_STREQ(error.data(), "kernel");
  EXPECT_EQ(error[7], 'x');
}

TEST(SharedMemory, OtherThreadLocalMemoryOfTheLibraryIsPutBack) {
  auto* const count = call<unsigned()>("count_own");
  const unsigned before = count();
  std::array<unsigned, 9> fixed{};
  call<void(unsigned, unsigned, unsigned*, unsigned*)>("launch_find")(1, 0, fixed.data(), nullptr);
  EXPECT_EQ(count(), before + 2);
}

TEST(SharedMemory, IsPoisonWhateverTheOptimiserThinksItKnows) {
  for (const char* path : {EXECUTOR_TEST_OPTIMISED_KERNELS}) {
    const KernelModule library(path);
    std::vector<unsigned> fixed(2 * 9, 0), dynamic(2 * 100, 0);
    library.function<void (*)(unsigned, unsigned, unsigned*, unsigned*)>("launch_find")(2, 100, fixed.data(),
                                                                                        dynamic.data());
    for (const unsigned word : fixed) EXPECT_EQ(word, 0xffffffffu) << path;
    for (const unsigned word : dynamic) EXPECT_EQ(word, 0xffffffffu) << path;
  }
}

std::string poked(unsigned blocks, std::size_t size, std::size_t at, unsigned char value, unsigned char& before) {
  return fault_of([&] {
    call<void(unsigned, std::size_t, std::size_t, unsigned char, unsigned char*)>("launch_poke")(blocks, size, at,
                                                                                                 value, &before);
  });
}

TEST(SharedMemory, AWriteBeyondTheDynamicPartIsFound) {
  unsigned char before = 0;
  EXPECT_EQ(poked(3, 100, 99, 1, before), "");
  EXPECT_EQ(before, 0xff);
  const std::string start = "kernel (anonymous namespace)::poke";
  // At once in the first 4096 bytes beyond, else at the end of the launch.
  EXPECT_EQ(poked(1, 100, 100, 1, before),
            start + ", block (0, 0, 0): wrote beyond its dynamic shared memory: byte 100 of 100");
  EXPECT_EQ(poked(1, 101, 4000, 1, before),
            start + ", block (0, 0, 0): wrote beyond its dynamic shared memory: byte 4000 of 101");
  EXPECT_EQ(poked(1, 100, 232447, 1, before),
            start + ": a block wrote beyond its dynamic shared memory: byte 232447 of 100");
  EXPECT_EQ(poked(1, 232448, 232447, 1, before), "");
}

TEST(SharedMemory, WhatLiesBeyondIsNanInEveryType) {
  std::array<unsigned char, 8> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) poked(1, 64, 64 + i, 1, bytes[i]);
  float single;
  double twice;
  std::memcpy(&single, bytes.data(), sizeof single);
  std::memcpy(&twice, bytes.data(), sizeof twice);
  EXPECT_NE(single, single);
  EXPECT_NE(twice, twice);
  EXPECT_EQ(bytes[0] | bytes[1] << 8, SharedMemory::canary);
}

TEST(AsyncCopy, IsPoisonUntilItsGroupIsWaitedFor) {
  alignas(16) const std::array<unsigned, 8> in{10, 11, 12, 13, 14, 15, 16, 17};
  std::array<unsigned, 36> seen{};
  call<void(const unsigned*, unsigned*)>("launch_copies")(in.data(), seen.data());
  constexpr unsigned poison = 0xffffffffu;
  const std::array<unsigned, 36> expected{
      poison, poison, poison, poison, poison, poison, poison, poison, poison, poison, poison, poison,  // issued
      10, 11, 12, 13, poison, poison, poison, poison, poison, poison, poison, poison,  // the first group
      10, 11, 12, 13, 14, 15, 0, 0, 0, 0, 0, 0};  // both; bytes that were not asked for are zero
  EXPECT_EQ(seen, expected);
}

std::uint16_t bf16_of(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return static_cast<std::uint16_t>(bits >> 16);
}

TEST(Tiles, GoThroughLdmatrixAndMmaToTheRightLanes) {
  // Small integers: every product and sum is exact under every model.
  std::array<std::uint16_t, 256> a_rows;  // matrix i of ldmatrix: rows 8 (i % 2) on, columns 8 (i / 2) on
  std::array<std::uint16_t, 128> b_rows;  // row k of B
  const auto a = [](int i, int k) { return static_cast<float>((3 * i + 5 * k) % 11 - 4); };
  const auto b = [](int k, int j) { return static_cast<float>((7 * k + 2 * j) % 13 - 6); };
  for (int matrix = 0; matrix < 4; ++matrix) {
    for (int r = 0; r < 8; ++r) {
      for (int c = 0; c < 8; ++c) {
        a_rows[64 * matrix + 8 * r + c] = bf16_of(a(r + 8 * (matrix % 2), c + 8 * (matrix / 2)));
      }
    }
  }
  for (int k = 0; k < 16; ++k) {
    for (int j = 0; j < 8; ++j) b_rows[8 * k + j] = bf16_of(b(k, j));
  }
  for (const ScheduleInfo& info : schedule_table()) {
    std::array<float, 128> out{};
    std::array<std::uint32_t, 128> registers{};
    const ScopedExecutor executor({.schedule = info.schedule});
    call<void(const std::uint16_t*, const std::uint16_t*, float*, std::uint32_t*)>("launch_tiles")(
        a_rows.data(), b_rows.data(), out.data(), registers.data());
    for (int lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(registers[4 * lane] & 0xffffu, bf16_of(a(lane / 4, lane % 4 * 2)));
      for (int reg = 0; reg < 4; ++reg) {
        const int i = lane / 4 + 8 * (reg / 2), j = lane % 4 * 2 + reg % 2;
        float expected = static_cast<float>(reg + 1);
        for (int k = 0; k < 16; ++k) expected += a(i, k) * b(k, j);
        EXPECT_EQ(out[4 * lane + reg], expected) << info.name << " lane " << lane << " register " << reg;
      }
    }
  }
}

}  // namespace
}  // namespace deltaproof
