#include "kernels/simt/fault_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace deltaproof {
namespace {

constexpr std::string_view kernel_mark = "kernel ", block_mark = ", block (", thread_mark = ", thread (",
                           at_mark = ", at ", launched_mark = ", launched at ", what_mark = ": ";

std::string place_text(const std::string& file, int line) {
  return line > 0 ? fmt::format("{}:{}", file, line) : file;
}

std::string index_text(std::string_view mark, const std::optional<simt_index>& index) {
  return index ? fmt::format("{}{}, {}, {})", mark, index->x, index->y, index->z) : std::string();
}

// The digits that `text` begins with, taken away from it.
template <class Number>
bool take_number(std::string_view& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take(std::string_view& text, std::string_view words) {
  if (!text.starts_with(words)) return false;
  text.remove_prefix(words.size());
  return true;
}

// ", block (x, y, z)" at the start of `text`, taken away from it.
std::optional<simt_index> take_index(std::string_view& text, std::string_view mark) {
  std::string_view rest = text;
  simt_index index{};
  if (!take(rest, mark) || !take_number(rest, index.x) || !take(rest, ", ") || !take_number(rest, index.y) ||
      !take(rest, ", ") || !take_number(rest, index.z) || !take(rest, ")")) {
    return std::nullopt;
  }
  text = rest;
  return index;
}

// "FILE:LINE", or a file alone.
void set_place(std::string_view place, LaunchFault& fault) {
  const std::size_t colon = place.rfind(':');
  if (colon != std::string_view::npos) {
    std::string_view digits = place.substr(colon + 1);
    int line = 0;
    if (take_number(digits, line) && digits.empty() && line > 0) {
      fault.line = line;
      place = place.substr(0, colon);
    }
  }
  fault.file = place;
}

std::optional<LaunchFault> parse_at(std::string_view text) {
  const std::size_t end = text.find(what_mark);
  if (end == std::string_view::npos) return std::nullopt;
  LaunchFault fault;
  fault.what = text.substr(end + what_mark.size());
  std::string_view head = text.substr(0, end);
  std::size_t name = head.size();
  for (const std::string_view mark : {block_mark, thread_mark, at_mark, launched_mark}) {
    name = std::min(name, head.find(mark));
  }
  fault.kernel = head.substr(0, name);
  head.remove_prefix(name);
  fault.block = take_index(head, block_mark);
  fault.thread = take_index(head, thread_mark);
  fault.launched = take(head, launched_mark);
  if (fault.launched || take(head, at_mark)) {
    set_place(head, fault);
  } else if (!head.empty()) {
    return std::nullopt;
  }
  return fault;
}

bool is_path_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./+~@").find(c) != std::string_view::npos;
}

bool is_source(std::string_view file) {
  constexpr std::array<std::string_view, 9> endings = {".cu",  ".cuh", ".cpp", ".hpp", ".cc",
                                                       ".cxx", ".h",   ".inc", ".inl"};
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view e) { return file.ends_with(e); });
}

struct Place {
  std::string file;
  int line;
  bool operator==(const Place&) const = default;
};

// Every "FILE:LINE" of a source in a text.
std::vector<Place> places_in(std::string_view text) {
  std::vector<Place> places;
  for (std::size_t colon = text.find(':'); colon != std::string_view::npos; colon = text.find(':', colon + 1)) {
    std::size_t begin = colon;
    while (begin > 0 && is_path_character(text[begin - 1])) --begin;
    const std::string_view file = text.substr(begin, colon - begin);
    std::string_view digits = text.substr(colon + 1);
    int line = 0;
    if (!is_source(file) || !take_number(digits, line) || line <= 0) continue;
    places.push_back({std::string(file), line});
  }
  return places;
}

}  // namespace

std::string to_string(const LaunchFault& fault) {
  std::string text(kernel_mark);
  text += fault.kernel;
  text += index_text(block_mark, fault.block);
  text += index_text(thread_mark, fault.thread);
  if (!fault.file.empty()) {
    text += fault.launched ? launched_mark : at_mark;
    text += place_text(fault.file, fault.line);
  }
  text += what_mark;
  return text + fault.what;
}

std::optional<LaunchFault> parse_launch_fault(std::string_view text) {
  for (std::size_t at = 0; (at = text.find(kernel_mark, at)) != std::string_view::npos; at += kernel_mark.size()) {
    const bool begins = at == 0 || text.substr(0, at).ends_with(what_mark);
    if (!begins) continue;
    if (std::optional<LaunchFault> fault = parse_at(text.substr(at + kernel_mark.size()))) return fault;
  }
  return std::nullopt;
}

std::vector<SourceFinding> source_findings(std::string_view text) {
  const std::optional<LaunchFault> fault = parse_launch_fault(text);
  if (!fault) return {};
  std::vector<Place> places;
  if (fault->line > 0) places.push_back({fault->file, fault->line});
  for (Place& place : places_in(fault->what)) {
    if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(std::move(place));
  }
  LaunchFault nameless = *fault;  // a finding has its place beside its message
  nameless.file.clear();
  const std::string message = to_string(nameless), kind = kind_of_fault(*fault);
  std::vector<SourceFinding> findings;
  for (const Place& place : places) {
    std::string words = message;
    if (!findings.empty()) {
      words = fmt::format("takes part in what is at {}: {}", place_text(places[0].file, places[0].line), message);
    }
    findings.push_back({kind, std::move(words), place.file, place.line});
  }
  return findings;
}

}  // namespace deltaproof
