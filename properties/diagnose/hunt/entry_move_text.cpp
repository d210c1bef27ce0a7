#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include "properties/diagnose/hunt/entry_move.hpp"
#include "reference/problem/input_error.hpp"
#include "reference/problem/message.hpp"

namespace deltaproof {
namespace {

using Kind = EntryMove::Kind;

constexpr std::array<std::pair<std::string_view, Kind>, 9> names = {{{"negate", Kind::negate},
                                                                    {"zero", Kind::zero},
                                                                    {"scale", Kind::scale},
                                                                    {"copy", Kind::copy},
                                                                    {"nudge", Kind::nudge},
                                                                    {"set", Kind::set},
                                                                    {"ask", Kind::ask},
                                                                    {"cancel", Kind::cancel},
                                                                    {"turn", Kind::turn}}};
constexpr std::array<std::string_view, 7> tensors = {"q", "k", "v", "g", "beta", "eta", "initial_state"};
constexpr std::int64_t largest = std::int64_t{1} << 24;  // of every number: more tokens than any problem has

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

bool read_number(std::string_view word, std::int64_t least, std::int64_t& value) {
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc{} && stop == word.data() + word.size() && value >= least && value <= largest;
}

}  // namespace

std::string to_text(const EntryMove& move) {
  const auto name = std::find_if(names.begin(), names.end(), [&](const auto& each) { return each.second == move.kind; });
  return fmt::format("{} {} {} {} {}", name->first, move.tensor, move.first, move.stride, move.other);
}

EntryMove parse_entry_move(std::string_view text) {
  const auto refuse = [&] { throw InputError(fmt::format("{} is no change of entries", in_quotes(text))); };
  const std::vector<std::string_view> words = words_of(text);
  if (words.size() != 5) refuse();
  const auto name = std::find_if(names.begin(), names.end(), [&](const auto& each) { return each.first == words[0]; });
  EntryMove move;
  if (name == names.end() || std::find(tensors.begin(), tensors.end(), words[1]) == tensors.end() ||
      !read_number(words[2], 0, move.first) || !read_number(words[3], 0, move.stride) ||
      !read_number(words[4], -largest, move.other)) {
    refuse();
  }
  move.kind = name->second;
  move.tensor = words[1];
  return move;
}

}  // namespace deltaproof
