#include "reports/text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cstdio>
#include <limits>
#include <string>

namespace deltaproof {
namespace {

TEST(NumberText, IsShortAndNamesWhatIsNotFinite) {
  EXPECT_EQ(number_text(0.123456), "0.123");
  EXPECT_EQ(number_text(1e-9), "1e-09");
  EXPECT_EQ(number_text(1.0 / 3, 9), "0.333333333");
  EXPECT_EQ(number_text(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(number_text(-std::numeric_limits<double>::quiet_NaN()), "nan");
}

TEST(XmlEscape, KeepsLegalCharactersOnly) {
  EXPECT_EQ(xml_escape("a<b>&\"'"), "a&#60;b&#62;&#38;&#34;&#39;");
  EXPECT_EQ(xml_escape("\xc3\xa9\xf0\x9f\x98\x80"), "&#233;&#128512;");
  EXPECT_EQ(xml_escape(std::string("\0\x08\x1f\x7f", 4)), "");
  EXPECT_EQ(xml_escape("\xed\xa0\x80"), "") << "surrogate";
  EXPECT_EQ(xml_escape("\xc0\x80\xe0\x80\x80\xff\xc3"), "") << "overlong, broken";
}

TEST(ShellQuote, LeavesPlainWordsAlone) {
  EXPECT_EQ(shell_quote("runs/gdn-1.safetensors"), "runs/gdn-1.safetensors");
  EXPECT_EQ(shell_quote(""), "''");
  EXPECT_EQ(shell_quote("it's $HOME"), "'it'\\''s $HOME'");
  EXPECT_EQ(shell_quote("\xc3\xa9'\\"), "$'\\xc3\\xa9\\'\\\\'");
}

/// What bash makes of `word`, through a pipe.
std::string bash_reads(const std::string& word) {
  const std::string script = "printf %s " + word;
  std::string command = "bash -c '";
  for (const char c : script) command += c == '\'' ? std::string("'\\''") : std::string(1, c);
  FILE* pipe = popen((command + "'").c_str(), "r");
  std::string text;
  std::array<char, 256> buffer{};
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    text.append(buffer.data(), n);
  }
  pclose(pipe);
  return text;
}

RC_GTEST_PROP(ShellQuote, BashReadsBackWhatWasQuoted, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::distinctFrom('\0'));
  const std::string quoted = shell_quote(text);
  for (const char c : quoted) RC_ASSERT(c >= ' ' && c <= '~');
  RC_ASSERT(bash_reads(quoted) == text);
}

}  // namespace
}  // namespace deltaproof
