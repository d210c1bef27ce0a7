#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <limits>

#include "reference/problem/safetensors.hpp"
#include "tests/reference/problem/support.hpp"

namespace deltaproof {
namespace {

using testing::expect_refused;

bool same(const Tensor& x, const Tensor& y) {
  return x.dtype == y.dtype && x.shape == y.shape && x.bytes == y.bytes;
}

/// One tensor of each dtype with all kinds of values, odd counts, an empty one and a scalar.
Safetensors every_kind() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> values{
      0.0, -0.0, 1, -3, nan, std::numeric_limits<double>::infinity(), 0x1p-149};
  Safetensors file;
  file.metadata = {{"note", "quote \" backslash \\ newline \n and \xc3\xa9"}, {"empty", ""}};
  for (const Dtype dtype : {Dtype::bf16, Dtype::f16, Dtype::f32, Dtype::f64})
    file.tensors["a " + std::string(dtype_name(dtype))] = Tensor::from(dtype, {7}, values);
  for (const Dtype dtype : {Dtype::i32, Dtype::i64})
    file.tensors["a " + std::string(dtype_name(dtype))] = Tensor::from(dtype, {1, 3}, {-1, 0, 7});
  file.tensors["empty"] = Tensor::from(Dtype::f32, {3, 0}, {});
  file.tensors["scalar"] = Tensor::from(Dtype::bf16, {}, {2});
  return file;
}

TEST(SafetensorsWriter, EveryDtypeComesBackToTheBit) {
  const testing::TempFolder folder;
  const Safetensors written = every_kind();
  write_safetensors(folder / "x.safetensors", written);
  const Safetensors read = read_safetensors(folder / "x.safetensors");
  EXPECT_EQ(read.metadata, written.metadata);
  ASSERT_EQ(read.tensors.size(), written.tensors.size());
  for (const auto& [name, tensor] : written.tensors)
    EXPECT_TRUE(same(read.tensors.at(name), tensor)) << name;
}

TEST(SafetensorsWriter, SameContentGivesSameBytes) {
  const testing::TempFolder folder;
  write_safetensors(folder / "x", every_kind());
  write_safetensors(folder / "y", every_kind());
  EXPECT_EQ(testing::read_bytes(folder / "x"), testing::read_bytes(folder / "y"));
}

TEST(SafetensorsWriter, DataBeginAtAMultipleOfEightAndKeepTheirAlignment) {
  const testing::TempFolder folder;
  for (int extra = 0; extra < 9; ++extra) {
    Safetensors file = every_kind();
    file.metadata["pad"] = std::string(static_cast<std::size_t>(extra), 'x');
    write_safetensors(folder / "x", file);
    const std::string bytes = testing::read_bytes(folder / "x");
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), sizeof length);
    EXPECT_EQ(length % 8, 0u);
    // Widest first, so the odd number of bf16 values cannot shift the wider ones.
    const std::string header = bytes.substr(8, length);
    EXPECT_LT(header.find("a F64"), header.find("a I64"));
    EXPECT_LT(header.find("a I64"), header.find("a F32"));
    EXPECT_LT(header.find("a I32"), header.find("a BF16"));
  }
}

TEST(SafetensorsWriter, ReplacesAFileAndLeavesNothingElse) {
  const testing::TempFolder folder;
  testing::write_bytes(folder / "x", "old");
  write_safetensors(folder / "x", every_kind());
  EXPECT_EQ(read_safetensors(folder / "x").tensors.size(), every_kind().tensors.size());
  const auto files = std::filesystem::directory_iterator(folder.path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST(SafetensorsWriter, RefusesWhereItCannotWrite) {
  const testing::TempFolder folder;
  expect_refused([&] { write_safetensors(folder / "none/x.safetensors", {}); },
                 {"none/x.safetensors: cannot write: No such file"});
  std::filesystem::create_directory(folder / "taken");
  expect_refused([&] { write_safetensors(folder / "taken", every_kind()); },
                 {"taken: cannot write"});
  const auto files = std::filesystem::directory_iterator(folder.path());
  EXPECT_EQ(std::distance(begin(files), end(files)), 1) << "a temporary file stayed";
}

// A rename would put a regular file in the place of a device or a pipe.
TEST(SafetensorsWriter, NeverReplacesWhatIsNoRegularFile) {
  const testing::TempFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  expect_refused([&] { write_safetensors(folder / "pipe", every_kind()); },
                 {"pipe: cannot write: it exists and is not a regular file"});
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
}

TEST(SafetensorsWriter, WritesThroughASymbolicLink) {
  const testing::TempFolder folder;
  testing::write_bytes(folder / "real", "old");
  std::filesystem::create_symlink("real", folder / "link");
  write_safetensors(folder / "link", every_kind());
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read_safetensors(folder / "real").tensors.size(), every_kind().tensors.size());
}

TEST(SafetensorsWriter, RefusesTextThatIsNotUtf8) {
  const testing::TempFolder folder;
  expect_refused(
      [&] {
        write_safetensors(folder / "x", {{{"note", "\xff"}}, {}});
      },
      {"x: cannot write", "UTF-8"});
  EXPECT_FALSE(std::filesystem::exists(folder / "x"));
}

TEST(SafetensorsWriter, RefusesTensorsThatDoNotHoldTheirShape) {
  const testing::TempFolder folder;
  Safetensors file = every_kind();
  file.tensors["scalar"].bytes.pop_back();
  EXPECT_THROW(write_safetensors(folder / "x", file), std::logic_error);
}

}  // namespace
}  // namespace deltaproof
