// Input that cannot be judged: one clear line that names file, tensor and value, exit status 2, no
// report. One test for each way of being bad.
#include <array>
#include <bit>
#include <limits>

#include "tests/cli/case_text.hpp"
#include "tests/cli/run.hpp"

namespace deltaproof {
namespace {

using Json = nlohmann::json;
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

class BadInput : public CliTest {
 protected:
  void refused(const std::string& bytes, std::initializer_list<std::string> parts) const {
    write("bad.safetensors", bytes);
    const Finished finished = run("check bad.safetensors --report report");
    expect_refusal(finished, parts);
    EXPECT_NE(finished.err.find("bad.safetensors"), std::string::npos) << finished.err;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "report"));
  }
  CaseText text_;
};

// The control: undamaged, the case is read and judged.
TEST_F(BadInput, NotThisOne) {
  write("good.safetensors", text_.bytes());
  const Finished finished = run("check good.safetensors");
  EXPECT_NE(finished.status, 2) << finished.err;
  EXPECT_EQ(finished.err, "");
}

TEST_F(BadInput, MissingFile) {
  expect_refusal(run("check nowhere.safetensors"), {"nowhere.safetensors"});
}
TEST_F(BadInput, Folder) { expect_refusal(run("check ."), {"."}); }
TEST_F(BadInput, EmptyFile) { refused("", {}); }

TEST_F(BadInput, TruncatedAnywhere) {
  const std::string bytes = text_.bytes();
  for (const std::size_t length :
       {std::size_t{1}, std::size_t{7}, std::size_t{8}, std::size_t{100}, bytes.size() - 1}) {
    refused(bytes.substr(0, length), {});
  }
}

TEST_F(BadInput, HeaderIsNotJson) { refused(safetensors_bytes("{]", ""), {"JSON"}); }

TEST_F(BadInput, HeaderLongerThanTheFile) {
  std::string bytes(16, '\0');
  bytes[7] = '\x10';  // 2^60 bytes of header
  refused(bytes, {"1152921504606846976"});
}

TEST_F(BadInput, TensorOfTwoToTheSixtyBytes) {
  refused(text_.bytes([](Json& header) {
    header["q"]["shape"] = {1LL << 30, 1LL << 28};
    header["q"]["data_offsets"] = {0, 1LL << 60};
  }),
          {"'q'"});
}

TEST_F(BadInput, OverlappingOffsets) {
  refused(text_.bytes(
              [](Json& header) { header["k"]["data_offsets"] = header["beta"]["data_offsets"]; }),
          {"'k'"});
}

TEST_F(BadInput, OffsetsOutOfRange) {
  refused(text_.bytes([](Json& header) { header["v"]["data_offsets"][1] = 1000000; }),
          {"'v'", "1000000"});
}

TEST_F(BadInput, UnknownDtype) {
  refused(text_.bytes([](Json& header) { header["k"]["dtype"] = "F8_E4M3"; }), {"'k'", "F8_E4M3"});
}

TEST_F(BadInput, WrongRank) {
  text_.tensors["v"].shape = {4, 2, 2};
  refused(text_.bytes(), {"'v'", "[4, 2, 2]"});
}

TEST_F(BadInput, MismatchedDimensions) {
  text_.add("k", {1, 4, 2, 5}, 0.25f);
  refused(text_.bytes(), {"'k'", "[1, 4, 2, 5]"});
}

TEST_F(BadInput, ValueHeadsThatAreNoMultipleOfKeyHeads) {
  text_.add("v", {1, 4, 3, 2}, 1);
  text_.add("g", {1, 4, 3}, 0);
  text_.add("beta", {1, 4, 3}, 1);
  text_.add("o", {1, 4, 3, 2}, 0);
  refused(text_.bytes(), {"3", "2"});
}

TEST_F(BadInput, PositiveGate) {
  text_.tensors["g"].values[3] = 0.5f;
  refused(text_.bytes(), {"'g'", "0.5", "[0, 1, 1]"});
}

TEST_F(BadInput, NanGate) {
  text_.tensors["g"].values[0] = nan;
  refused(text_.bytes(), {"'g'", "nan"});
}

TEST_F(BadInput, NonFiniteInput) {
  text_.tensors["k"].values[5] = infinity;
  refused(text_.bytes(), {"'k'", "inf", "[0, 0, 1, 2]"});
}

TEST_F(BadInput, NonMonotonicSequences) {
  text_.add("cu_seqlens", {4}, 0);
  const std::array<std::int32_t, 4> starts{0, 3, 1, 4};
  for (std::size_t i = 0; i < starts.size(); ++i) {
    text_.tensors["cu_seqlens"].values[i] = std::bit_cast<float>(starts[i]);
  }
  refused(text_.bytes([](Json& header) { header["cu_seqlens"]["dtype"] = "I32"; }),
          {"'cu_seqlens'", "3", "1"});
}

TEST_F(BadInput, MissingTensor) {
  text_.tensors.erase("beta");
  refused(text_.bytes(), {"'beta'"});
}

TEST_F(BadInput, UnknownRule) {
  text_.metadata["rule"] = "delta_gated";
  refused(text_.bytes(), {"delta_gated"});
}

TEST_F(BadInput, UnknownArithmetic) {
  text_.metadata["arithmetic"] = "fast";
  refused(text_.bytes(), {"fast"});
}

TEST_F(BadInput, ScaleThatIsNoNumber) {
  for (const char* scale : {"abc", "", "nan", "inf", "1.0x"}) {
    text_.metadata["scale"] = scale;
    refused(text_.bytes(), {"scale", scale});
  }
}

TEST_F(BadInput, OneLineForEachBadFileAndNoneIsJudged) {
  write("good.safetensors", text_.bytes());
  write("bad1.safetensors", "");
  text_.metadata["rule"] = "nothing";
  write("bad2.safetensors", text_.bytes());
  const Finished finished =
      run("check bad1.safetensors good.safetensors bad2.safetensors --report report");
  EXPECT_EQ(finished.status, 2);
  EXPECT_EQ(finished.out, "");
  EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 2) << finished.err;
  EXPECT_LT(finished.err.find("bad1"), finished.err.find("bad2"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "report"));
}

TEST_F(BadInput, AnswerRefusesToo) {
  write("bad.safetensors", "");
  expect_refusal(run("answer bad.safetensors --out answer.safetensors"), {"bad.safetensors"});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "answer.safetensors"));
}

TEST_F(BadInput, ADeclarationIsRefusedOnceForAllCases) {
  write("one.safetensors", text_.bytes());
  write("two.safetensors", text_.bytes());
  write("own.json", R"({"format": "deltaproof.arithmetic/1", "text": "fla-chunk", "scans": "pairs"})");
  expect_refusal(run("check one.safetensors two.safetensors --arithmetic own.json"), {"own.json", "\"scans\""});
}

}  // namespace
}  // namespace deltaproof
