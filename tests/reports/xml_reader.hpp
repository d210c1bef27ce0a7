#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace deltaproof {

struct XmlElement {
  std::string name, text;
  std::map<std::string, std::string> attributes;
  std::vector<XmlElement> children;
};

/// A reader of as much XML as a JUnit report needs, and strict about it: nothing if the text is not
/// well formed, or holds anything but ASCII.
class XmlReader {
 public:
  static std::optional<XmlElement> read(std::string_view text) {
    XmlReader reader(text);
    for (const char c : text) {
      if ((c < ' ' && c != '\n') || c > '~') return std::nullopt;
    }
    if (!reader.take("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")) return std::nullopt;
    reader.skip_space();
    auto root = reader.element();
    reader.skip_space();
    return reader.rest_.empty() ? root : std::nullopt;
  }

 private:
  explicit XmlReader(std::string_view text) : rest_(text) {}

  bool take(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  void skip_space() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n')) rest_.remove_prefix(1);
  }
  std::string until(std::string_view stops) {
    const std::size_t end = std::min(rest_.find_first_of(stops), rest_.size());
    const std::string text(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return text;
  }
  /// Character data up to one of `stops`; references to code points below 128 are resolved.
  std::optional<std::string> data(std::string_view stops) {
    std::string text;
    const std::string raw = until(stops);
    for (std::size_t i = 0; i < raw.size(); ++i) {
      if (raw[i] != '&') {
        text += raw[i];
        continue;
      }
      const std::size_t end = raw.find(';', i);
      if (end == std::string::npos || raw[i + 1] != '#') return std::nullopt;
      const int code = std::stoi(raw.substr(i + 2, end - i - 2));
      text += code < 128 ? static_cast<char>(code) : '?';
      i = end;
    }
    return text;
  }
  bool attributes(XmlElement& element) {
    for (skip_space(); !rest_.empty() && rest_[0] != '/' && rest_[0] != '>'; skip_space()) {
      const std::string name = until("=");
      if (!take("=\"")) return false;
      const auto value = data("\"<");
      if (!value || !take("\"") || !element.attributes.emplace(name, *value).second) return false;
    }
    return true;
  }
  std::optional<XmlElement> element() {
    XmlElement result;
    if (!take("<")) return std::nullopt;
    result.name = until(" />");
    if (!attributes(result)) return std::nullopt;
    if (take("/>")) return result;
    if (!take(">")) return std::nullopt;
    while (!rest_.empty() && !rest_.starts_with("</")) {
      const auto text = data("<");
      if (!text) return std::nullopt;
      result.text += *text;
      if (rest_.starts_with("</")) break;
      auto child = element();
      if (!child) return std::nullopt;
      result.children.push_back(*child);
    }
    if (!take("</" + result.name + ">")) return std::nullopt;
    return result;
  }

  std::string_view rest_;
};

}  // namespace deltaproof
