#include "reference/problem/message.hpp"

#include <fmt/format.h>

namespace deltaproof {
namespace {

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f)
      line += fmt::format("\\x{:02x}", byte);
    else
      line += c;
  }
  return line;
}

}  // namespace

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kShown = 60;
  if (text.size() <= kShown) return fmt::format("'{}'", one_line(text));
  std::size_t cut = kShown;  // not inside a UTF-8 sequence
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xc0) == 0x80) --cut;
  return fmt::format("'{}...' ({} bytes)", one_line(text.substr(0, cut)), text.size());
}

void refuse(std::string_view file, std::string_view what) {
  throw InputError(fmt::format("{}: {}", one_line(file), what));
}

void refuse_tensor(std::string_view file, std::string_view tensor, std::string_view what) {
  refuse(file, fmt::format("tensor {}: {}", in_quotes(tensor), what));
}

}  // namespace deltaproof
