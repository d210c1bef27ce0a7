#include "cli/numbers.hpp"

#include <fmt/format.h>

#include <charconv>

#include "cli/arguments.hpp"
#include "reports/text.hpp"

namespace deltaproof::cli {
namespace {

template <class Number>
Number parse_number(const char* option, const std::string& text, const char* wanted) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) {
    throw UsageError(fmt::format("{}: {} is not {}", option, shell_quote(text), wanted));
  }
  return value;
}

}  // namespace

std::uint64_t parse_seed(const std::string& text) {
  return parse_number<std::uint64_t>("--seed", text, "a whole number from 0");
}

std::int64_t parse_count(const char* option, const std::string& text, std::int64_t least, std::int64_t most) {
  const std::string wanted = fmt::format("a whole number from {} to {}", least, most);
  const auto count = parse_number<std::int64_t>(option, text, wanted.c_str());
  if (count < least || count > most) {
    throw UsageError(fmt::format("{}: {} is not {}", option, shell_quote(text), wanted));
  }
  return count;
}

double parse_seconds(const char* option, const std::string& text) {
  constexpr const char* wanted = "a number of seconds above 0 and at most 86400";
  const auto seconds = parse_number<double>(option, text, wanted);
  if (!(seconds > 0 && seconds <= 86400)) {
    throw UsageError(fmt::format("{}: {} is not {}", option, shell_quote(text), wanted));
  }
  return seconds;
}

double parse_sample(const std::string& text) {
  constexpr const char* wanted = "a number above 0 and at most 1";
  const auto sample = parse_number<double>("--sample", text, wanted);
  if (!(sample > 0 && sample <= 1)) {
    throw UsageError(fmt::format("--sample: {} is not {}", shell_quote(text), wanted));
  }
  return sample;
}

}  // namespace deltaproof::cli
