#include "reports/markdown_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/text.hpp"

namespace deltaproof::markdown {
namespace {

/// The longest run of backticks: a fence around it must be longer.
std::size_t backticks_in(std::string_view text) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

std::string short_text(std::string_view text, std::size_t most) {
  const bool cut = text.size() > most;
  std::string shown = printable(text.substr(0, most));
  if (!cut && shown.size() <= most) return shown;
  shown.resize(std::min(shown.size(), most - 2));
  return shown + "..";
}

std::string code(std::string_view text, std::size_t most) {
  const std::string shown = short_text(text, most);
  if (shown.find_first_not_of(' ') == std::string::npos) return "(no name)";
  const std::string fence(backticks_in(shown) + 1, '`');
  // A backtick at either end would join the fence; one space on each side is taken off again by every reader.
  const bool pad = shown.front() == '`' || shown.back() == '`' || (shown.front() == ' ' && shown.back() == ' ');
  const char* space = pad ? " " : "";
  return fmt::format("{}{}{}{}{}", fence, space, shown, space, fence);
}

std::string code_block(const std::vector<std::string>& lines, std::string_view language) {
  std::size_t longest = 2;
  for (const std::string& line : lines) longest = std::max(longest, backticks_in(line));
  const std::string fence(longest + 1, '`');
  std::string text = fmt::format("{}{}\n", fence, language);
  for (const std::string& line : lines) {
    text += line;
    text += '\n';
  }
  return text + fence + "\n";
}

std::string closed_block(std::string_view title, const std::vector<std::string>& lines) {
  return fmt::format("<details><summary>{}</summary>\n\n{}\n</details>\n", title, code_block(lines, "text"));
}

}  // namespace deltaproof::markdown
