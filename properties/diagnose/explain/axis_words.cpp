#include "properties/diagnose/explain/axis_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace deltaproof {
namespace {

using Places = std::vector<std::int64_t>;

// A list longer than this is for a machine.
constexpr std::size_t listed = 8;

std::string plural(const std::string& axis) { return axis + "s"; }

// Where `some` begin among `places`, if they are neighbours there; -1 if not.
std::ptrdiff_t run_in(const Places& some, const Places& places) {
  const auto begin = std::lower_bound(places.begin(), places.end(), some.front());
  if (places.end() - begin < static_cast<std::ptrdiff_t>(some.size())) return -1;
  return std::equal(some.begin(), some.end(), begin) ? begin - places.begin() : -1;
}

std::string run_words(const std::string& axis, const Places& some, const Places& places, std::ptrdiff_t begin) {
  const bool to_end = begin + static_cast<std::ptrdiff_t>(some.size()) == static_cast<std::ptrdiff_t>(places.size());
  if (to_end) return fmt::format("{} from {} on", plural(axis), some.front());
  if (begin == 0) return fmt::format("{} up to {}", plural(axis), some.back());
  return fmt::format("{} {} to {}", plural(axis), some.front(), some.back());
}

}  // namespace

std::string ordinal(std::int64_t n) {
  const std::int64_t tens = n / 10 % 10, ones = n % 10;
  const char* suffix = tens == 1 ? "th" : ones == 1 ? "st" : ones == 2 ? "nd" : ones == 3 ? "rd" : "th";
  return fmt::format("{}{}", n, suffix);
}

std::int64_t stride_of(const Places& some, const Places& places) {
  if (some.size() < 3) return 0;
  const std::int64_t step = some[1] - some[0];
  if (step < 2) return 0;
  Places progression;
  for (const std::int64_t place : places) {
    if (place % step == some.front() % step) progression.push_back(place);
  }
  return progression == some ? step : 0;
}

std::string axis_words(const std::string& axis, const Places& some, const Places& places) {
  if (places.size() < 2 || some.empty()) return "";
  const std::string count = fmt::format(" ({} of {})", some.size(), places.size());
  if (some.size() == places.size()) return fmt::format("all {} {}", places.size(), plural(axis));
  if (some.size() == 1) return fmt::format("{} {} alone (1 of {})", axis, some.front(), places.size());
  if (const std::int64_t step = stride_of(some, places); step > 0) {
    return fmt::format("every {} {} from {} on{}", ordinal(step), axis, some.front(), count);
  }
  if (some.size() <= 3) return fmt::format("{} {}{}", plural(axis), fmt::join(some, ", "), count);
  if (const std::ptrdiff_t begin = run_in(some, places); begin >= 0) return run_words(axis, some, places, begin) + count;
  if (some.size() <= listed) return fmt::format("{} {}{}", plural(axis), fmt::join(some, ", "), count);
  return fmt::format("{} of {} {}, between {} and {}", some.size(), places.size(), plural(axis), some.front(), some.back());
}

}  // namespace deltaproof
