#include "kernels/simt/host_memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace deltaproof {
namespace {

using testing::HasSubstr;
using testing::StrEq;

std::vector<std::byte> counted(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i);
  return bytes;
}

std::string describe(const HostMemory& memory, const std::byte* address, std::size_t bytes) {
  char text[512];
  return describe_address(&memory, address, bytes, text, sizeof text);
}

TEST(HostMemory, EndsAtAPageUpToTheAlignment) {
  HostMemory memory;
  for (const std::size_t size : {0u, 1u, 15u, 16u, 17u, 4095u, 4096u, 4097u, 70000u}) {
    for (const std::size_t alignment : {1u, 2u, 16u, 256u, 4096u}) {
      HostBuffer& buffer = memory.output({"o", "", 1, alignment}, size);
      const auto begin = reinterpret_cast<std::uintptr_t>(buffer.data());
      EXPECT_EQ(begin % alignment, 0u);
      EXPECT_LT((4096 - (begin + size) % 4096) % 4096, alignment) << size;
    }
  }
}

TEST(HostMemory, OutputsArePoisonedWithNaN) {
  HostMemory memory;
  HostBuffer& buffer = memory.output({"o", ""}, 64);
  float value = 0;
  std::memcpy(&value, buffer.data() + 60, 4);
  EXPECT_TRUE(std::isnan(value));
  EXPECT_FALSE(buffer.initialised());
  buffer.copy_in(counted(64));
  EXPECT_TRUE(buffer.initialised());
  buffer.poison();
  EXPECT_FALSE(buffer.initialised());
  EXPECT_EQ(buffer.data()[0], HostBuffer::poison_byte);
}

TEST(HostMemory, InputsKeepTheirContentsAndCanBeReplaced) {
  HostMemory memory;
  HostBuffer& buffer = memory.input({"k", ""}, counted(100));
  EXPECT_EQ(buffer.data()[99], std::byte{99});
  buffer.copy_in(std::vector<std::byte>(100, std::byte{7}));
  EXPECT_EQ(buffer.data()[99], std::byte{7});
  EXPECT_THROW(buffer.poison(), std::logic_error);
  EXPECT_THROW(buffer.copy_in(counted(99)), std::invalid_argument);
}

TEST(HostMemory, EveryByteOutsideIsGuarded) {
  HostMemory memory;
  HostBuffer& buffer = memory.output({"o", "[T]", 4, 256}, 1000);
  EXPECT_EQ(memory.damage(), std::nullopt);
  std::memset(buffer.data(), 0, 1000);
  EXPECT_EQ(memory.damage(), std::nullopt);
  for (const std::ptrdiff_t offset : {-1, -100, 1000, 1023}) {
    const std::byte kept = buffer.data()[offset];
    buffer.data()[offset] = std::byte{0x41};
    ASSERT_NE(memory.damage(), std::nullopt) << offset;
    EXPECT_THAT(*memory.damage(), HasSubstr("buffer o ([T], 1000 bytes) was overwritten: byte " +
                                            std::to_string(offset < 0 ? -offset : offset - 1000)));
    EXPECT_THAT(*memory.damage(), HasSubstr("holds 0x41"));
    buffer.data()[offset] = kept;
  }
}

TEST(HostMemory, SaysWhereAnAddressLies) {
  HostMemory memory;
  HostBuffer& v = memory.output({"v", "[B, T, HV, V]"}, 64);
  memory.output({"empty", ""}, 0);
  EXPECT_THAT(describe(memory, v.data() + 8, 4), StrEq("byte 8 of buffer v ([B, T, HV, V], 64 bytes)"));
  EXPECT_THAT(describe(memory, v.data() + 62, 4),
              StrEq("byte 62 of buffer v ([B, T, HV, V], 64 bytes), across its end"));
  EXPECT_THAT(describe(memory, v.data() + 68, 4),
              StrEq("4 bytes beyond the end of buffer v ([B, T, HV, V], 64 bytes)"));
  EXPECT_THAT(describe(memory, v.data() - 12, 4),
              StrEq("12 bytes before the start of buffer v ([B, T, HV, V], 64 bytes)"));
  EXPECT_THAT(describe(memory, reinterpret_cast<const std::byte*>(8), 4), StrEq("8 bytes from a null pointer"));
}

TEST(HostMemory, RefusesBadLayouts) {
  HostMemory memory;
  EXPECT_THROW(memory.output({"o", "", 3}, 8), std::invalid_argument);
  EXPECT_THROW(memory.output({"o", "", 4, 24}, 8), std::invalid_argument);
  EXPECT_THROW(memory.output({"o", "", 4, 8192}, 8), std::invalid_argument);
  EXPECT_THROW(memory.output({"o", ""}, std::size_t{1} << 62), std::exception);
}

#if GTEST_HAS_DEATH_TEST && !defined(__SANITIZE_ADDRESS__)
TEST(HostMemoryDeathTest, PagesRoundABufferAreInaccessibleAndInputsReadOnly) {
  HostMemory memory;
  HostBuffer& k = memory.input({"k", ""}, counted(4096));
  EXPECT_EXIT(*static_cast<volatile std::byte*>(k.data() + 4096), testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(*static_cast<volatile std::byte*>(k.data() - 1), testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(k.data()[0] = std::byte{1}, testing::KilledBySignal(SIGSEGV), "");
}
#endif

}  // namespace
}  // namespace deltaproof
