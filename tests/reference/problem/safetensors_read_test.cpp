// Malformed files, made byte by byte: each ends in one line with file, tensor and value.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "reference/problem/safetensors.hpp"
#include "tests/reference/problem/support.hpp"

namespace deltaproof {
namespace {

using testing::expect_refused;
using testing::safetensors_bytes;

class SafetensorsReader : public ::testing::Test {
 protected:
  std::filesystem::path put(std::string_view bytes) {
    const auto path = folder_ / "bad.safetensors";
    testing::write_bytes(path, bytes);
    return path;
  }
  void expect_bytes_refused(std::string_view bytes, std::vector<std::string> parts) {
    parts.emplace_back("bad.safetensors");
    expect_refused([path = put(bytes)] { read_safetensors(path); }, parts);
  }
  void expect_header_refused(std::string_view header, std::size_t data,
                             std::vector<std::string> parts) {
    SCOPED_TRACE(header.substr(0, 200));
    expect_bytes_refused(safetensors_bytes(header, std::string(data, 'x')), std::move(parts));
  }
  testing::TempFolder folder_;
};

/// `"name":{...}` of a header.
std::string entry(const std::string& name, const std::string& dtype, const std::string& shape,
                  const std::string& offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape +
         ",\"data_offsets\":" + offsets + "}";
}

TEST_F(SafetensorsReader, ReadsTensorsOfEveryDtypeInAnyOrder) {
  const auto path = put(safetensors_bytes(
      "{" + entry("z", "I64", "[1]", "[0,8]") + "," + entry("b", "BF16", "[2]", "[12,16]") + "," +
          entry("a", "F32", "[1,1]", "[8,12]") + "," + entry("e", "F64", "[0,7]", "[16,16]") + "," +
          entry("s", "F16", "[]", "[16,18]") + ",\"__metadata__\":{\"x\":\"\\u00e9\"}}   ",
      std::string("\7\0\0\0\0\0\0\0\0\0\300\77\200\77\0\300\0\74", 18)));
  const Safetensors file = read_safetensors(path);
  EXPECT_EQ(file.metadata, (Metadata{{"x", "\xc3\xa9"}}));
  ASSERT_EQ(file.tensors.size(), 5u);
  EXPECT_EQ(file.tensors.at("z").integer(0), 7);
  EXPECT_EQ(file.tensors.at("a").value(0), 1.5);
  EXPECT_EQ(file.tensors.at("b").values(), (std::vector<double>{1, -2}));
  EXPECT_EQ(file.tensors.at("s").value(0), 1);
  EXPECT_EQ(file.tensors.at("e").size(), 0);
}

TEST_F(SafetensorsReader, RefusesWhatIsNoFile) {
  expect_refused([&] { read_safetensors(folder_ / "none.safetensors"); },
                 {"none.safetensors", "No such file"});
  expect_refused([&] { read_safetensors(folder_.path()); }, {"directory"});
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  expect_refused([&] { read_safetensors(folder_ / "pipe"); }, {"pipe", "not a regular file"});
}

TEST_F(SafetensorsReader, RefusesTruncatedFiles) {
  expect_bytes_refused("", {"0 bytes"});
  expect_bytes_refused("1234567", {"7 bytes"});
  const std::string whole =
      safetensors_bytes("{" + entry("q", "F32", "[2]", "[0,8]") + "}", "12345678");
  const auto path = put(whole);
  EXPECT_NO_THROW(read_safetensors(path));
  for (std::size_t length = 8; length < whole.size() - 8; ++length)
    expect_bytes_refused(whole.substr(0, length), {"header claims", "truncated"});
  for (std::size_t length = whole.size() - 8; length < whole.size(); ++length)
    expect_bytes_refused(whole.substr(0, length), {"'q'", "[0, 8]", "truncated"});
}

TEST_F(SafetensorsReader, RefusesHeadersThatAreNotJson) {
  for (const char* header : {"", "x", "{", "{]", "[]", "\"q\"", "{}x", "{\"q\":}", "\xef\xbb\xbf{}",
                             "{\"\xff\":{}}", "{\"a\nb\":{}}", "{,}", " {}", "null", "{'q':1}"})
    expect_header_refused(header, 0, {"header", "JSON"});
  expect_header_refused(std::string_view("{}\0{", 4), 0, {"header", "JSON"});
}

TEST_F(SafetensorsReader, RefusesNestingBombs) {
  expect_header_refused("{\"q\":" + std::string(1'000'000, '['), 0, {"'q'", "array"});
  std::string objects = "{";
  for (int i = 0; i < 100'000; ++i) objects += "\"q\":{";
  expect_header_refused(objects, 0, {"'q'", "unknown field"});
  expect_header_refused("{\"q\":{\"shape\":" + std::string(1'000'000, '['), 0, {"'q'", "array"});
}

TEST_F(SafetensorsReader, RefusesDuplicateKeys) {
  const std::string q = entry("q", "F32", "[1]", "[0,4]");
  expect_header_refused("{" + q + "," + q + "}", 4, {"'q'", "twice"});
  expect_header_refused("{\"__metadata__\":{\"rule\":\"a\",\"rule\":\"b\"}}", 0,
                        {"'rule'", "twice"});
  expect_header_refused("{\"__metadata__\":{},\"__metadata__\":{}}", 0,
                        {"'__metadata__'", "twice"});
  expect_header_refused("{\"q\":{\"shape\":[1],\"shape\":[1]}}", 0, {"'shape'", "twice"});
}

TEST_F(SafetensorsReader, RefusesUnknownDtypes) {
  expect_header_refused("{" + entry("q", "F8_E4M3", "[1]", "[0,1]") + "}", 1,
                        {"'q'", "'F8_E4M3'", "BF16"});
  expect_header_refused("{\"q\":{\"dtype\":7}}", 0, {"'q'", "'dtype'", "7"});
}

TEST_F(SafetensorsReader, RefusesShapesThatAreNotCounts) {
  for (const char* bad : {"-1", "1.0", "1e3", "99999999999999999999", "9223372036854775808"})
    expect_header_refused("{" + entry("q", "F32", std::string("[2,") + bad + "]", "[0,8]") + "}", 8,
                          {"'q'", "shape", bad});
  for (const char* bad : {"null", "true", "\"4\"", "{}", "[1]"})
    expect_header_refused("{" + entry("q", "F32", std::string("[") + bad + "]", "[0,8]") + "}", 8,
                          {"'q'", "'shape'"});
  expect_header_refused("{\"q\":{\"shape\":4}}", 0, {"'q'", "'shape'", "4"});
}

TEST_F(SafetensorsReader, RefusesShapesWhoseProductOverflows) {
  for (const char* shape : {"[4294967296,4294967296]", "[4611686018427387904,2]",
                            "[4611686018427387904,4,0]", "[3,3074457345618258603]"})
    expect_header_refused("{" + entry("q", "F32", shape, "[0,0]") + "}", 0,
                          {"'q'", "too many elements"});
}

TEST_F(SafetensorsReader, RefusesOffsetsOutOfPlace) {
  const auto refused = [&](const std::string& shape, const std::string& offsets, std::size_t data,
                           std::vector<std::string> parts) {
    parts.emplace_back("'q'");
    expect_header_refused("{" + entry("q", "F32", shape, offsets) + "}", data, parts);
  };
  refused("[2]", "[0,8]", 4, {"[0, 8]", "4 bytes of data"});
  refused("[2]", "[18446744073709551608,18446744073709551615]", 8, {"reach beyond"});
  refused("[2]", "[8,0]", 8, {"[8, 0]", "end before"});
  refused("[2]", "[0,4]", 8, {"[0, 4]", "4 bytes", "[2] takes 8"});
  refused("[1]", "[0,8]", 8, {"8 bytes", "[1] takes 4"});
  expect_header_refused("{" + entry("k", "F32", "[1]", "[0,4]") + "," + entry("q", "F32", "[2]", "[4,8]") + "}", 8,
                        {"'q'", "[4, 8] hold 4 bytes", "[2] takes 8"});
  refused("[1]", "[4,8]", 8, {"bytes 0 to 4", "no tensor"});
  refused("[1]", "[0]", 4, {"fewer than two"});
  refused("[1]", "[0,2,4]", 4, {"more than two"});
  refused("[1]", "[-1,3]", 4, {"data_offsets", "-1"});
  refused("[1]", "[0.0,4]", 4, {"data_offsets", "0.0"});
  refused("[1]", "[0,1e400]", 4, {"data_offsets", "1e400"});
}

TEST_F(SafetensorsReader, RefusesOverlapsAndHoles) {
  const std::string q = entry("q", "F32", "[2]", "[0,8]");
  expect_header_refused("{" + q + "," + entry("k", "F32", "[2]", "[4,12]") + "}", 12,
                        {"'k'", "[4, 12]", "overlap", "'q'"});
  expect_header_refused("{" + q + "," + entry("k", "F32", "[2]", "[0,8]") + "}", 8, {"overlap"});
  expect_header_refused("{" + q + "," + entry("k", "F32", "[1]", "[12,16]") + "}", 16,
                        {"'k'", "bytes 8 to 12", "no tensor"});
  expect_header_refused("{" + q + "}", 9, {"bytes 8 to 9", "no tensor"});
}

TEST_F(SafetensorsReader, RefusesMetadataThatIsNotText) {
  for (const char* value : {"1", "null", "true", "{}", "[]", "1.5", "-1"})
    expect_header_refused(std::string("{\"__metadata__\":{\"scale\":") + value + "}}", 0,
                          {"__metadata__", "'scale'", "string"});
  for (const char* value : {"1", "null", "[]", "\"x\""})
    expect_header_refused(std::string("{\"__metadata__\":") + value + "}", 0, {"__metadata__"});
}

TEST_F(SafetensorsReader, RefusesIncompleteEntries) {
  expect_header_refused("{\"q\":{}}", 0, {"'q'", "'dtype'"});
  expect_header_refused("{\"q\":{\"dtype\":\"F32\",\"shape\":[0]}}", 0, {"'q'", "'data_offsets'"});
  expect_header_refused("{\"q\":1}", 0, {"'q'", "1", "object"});
  expect_header_refused("{\"q\":{\"dtype\":\"F32\",\"strides\":[]}}", 0, {"'q'", "'strides'"});
}

TEST_F(SafetensorsReader, KeepsMessagesShortAndOnOneLine) {
  const std::string name = "a\\n" + std::string(100'000, 'n');
  const auto path = put(safetensors_bytes("{" + entry(name, "F4", "[1]", "[0,4]") + "}", "1234"));
  try {
    read_safetensors(path);
    FAIL();
  } catch (const std::exception& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("'a\\x0an"), std::string::npos);
    EXPECT_EQ(message.find('\n'), std::string::npos);
    EXPECT_LT(message.size(), 400u);
  }
}

}  // namespace
}  // namespace deltaproof
