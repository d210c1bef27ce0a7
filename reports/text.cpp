#include "reports/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace deltaproof {
namespace {

bool is_printable(char c) { return c >= ' ' && c <= '~'; }

std::string hex_byte(char c) { return fmt::format("\\x{:02x}", static_cast<unsigned char>(c)); }

struct Decoded {
  std::uint32_t code = 0;
  std::size_t length = 0;  ///< 0: not UTF-8
};

/// One character of UTF-8 at the start of `text`, which is not empty.
Decoded decode_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const std::uint32_t lead = byte(0);
  const std::size_t length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (length == 1) return {lead, 1};
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
  std::uint32_t code = lead & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3f);
  }
  const std::uint32_t least = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
  return code < least ? Decoded{} : Decoded{code, length};
}

bool allowed_in_xml(std::uint32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return code != 0x7f && !surrogate && (code & 0xfffe) != 0xfffe && code <= 0x10ffff;
}

bool shell_safe(char c) {
  const bool alphanumeric =
      (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return alphanumeric || std::string_view("_@%+=:,./-").find(c) != std::string_view::npos;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (is_printable(c)) {
      result += c;
    } else {
      result += hex_byte(c);
    }
  }
  return result;
}

std::string xml_escape(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const Decoded next = decode_utf8(text);
    text.remove_prefix(std::max<std::size_t>(next.length, 1));
    if (next.length == 0 || !allowed_in_xml(next.code)) continue;
    const bool plain =
        next.code >= 0x20 && next.code < 0x7f &&
        std::string_view("<>&\"'").find(static_cast<char>(next.code)) == std::string_view::npos;
    if (plain) {
      result += static_cast<char>(next.code);
    } else {
      result += fmt::format("&#{};", next.code);
    }
  }
  return result;
}

std::string number_text(double value, int digits) {
  if (std::isnan(value)) return "nan";
  return fmt::format("{:.{}g}", value, digits);
}

std::string shell_quote(std::string_view text) {
  if (!text.empty() && std::all_of(text.begin(), text.end(), shell_safe)) return std::string(text);
  const bool ascii = std::all_of(text.begin(), text.end(), is_printable);
  std::string result = ascii ? "'" : "$'";
  for (const char c : text) {
    if (!is_printable(c)) {
      result += hex_byte(c);
    } else if (ascii && c == '\'') {
      result += "'\\''";
    } else if (!ascii && (c == '\'' || c == '\\')) {
      result += '\\';
      result += c;
    } else {
      result += c;
    }
  }
  return result + "'";
}

}  // namespace deltaproof
