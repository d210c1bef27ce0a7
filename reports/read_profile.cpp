#include "reports/read_profile.hpp"

#include <fmt/format.h>

#include <cmath>

namespace deltaproof {
namespace {

using Field = const JsonField&;

// Far more than is ever written, and what a page can still draw.
constexpr std::size_t most_cells = 4096, most_buckets = 4096;
constexpr std::int64_t most_tokens = std::int64_t{1} << 53;  // a script counts no further

std::int64_t count_of(Field json) { return json.count(); }

std::size_t cells_of(Field json, const TensorProfile& profile) {
  if (profile.tokens > most_tokens) json["tokens"].refuse(fmt::format("{} at most", most_tokens));
  const std::int64_t tokens = profile.tokens, a_cell = profile.tokens_a_cell;
  const auto cells = static_cast<std::size_t>(tokens / a_cell + (tokens % a_cell != 0));
  if (cells > most_cells) {
    json["tokens_a_cell"].refuse(fmt::format("so many of {} tokens that it is {} cells at most", tokens, most_cells));
  }
  return cells;
}

/// A list of that many numbers.
std::vector<double> numbers_of(Field json, std::size_t count, std::string_view what) {
  std::vector<double> numbers = json.list([](Field entry) { return entry.number(); });
  if (numbers.size() != count) json.refuse(fmt::format("{} entries, {}", count, what));
  return numbers;
}

void read_histogram(Field json, TensorProfile& profile) {
  profile.histogram_from = json["histogram_from"].number();
  profile.histogram_step = json["histogram_step"].number();
  profile.histogram = json["histogram"].list(count_of);
  if (!std::isfinite(profile.histogram_from)) json["histogram_from"].refuse("a finite number");
  if (!std::isfinite(profile.histogram_step) || profile.histogram_step < 0) {
    json["histogram_step"].refuse("a finite number of at least 0");
  }
  if (profile.histogram_step > 0 && profile.histogram.empty()) json["histogram"].refuse("counts of buckets");
  if (profile.histogram.size() > most_buckets) json["histogram"].refuse(fmt::format("{} counts at most", most_buckets));
}

}  // namespace

TensorProfile read_profile(Field json) {
  TensorProfile profile;
  profile.tensor = json["tensor"].text();
  profile.heads = json["heads"].list(count_of);
  profile.tokens = json["tokens"].count();
  profile.tokens_a_cell = json["tokens_a_cell"].count(1);
  const std::size_t cells = cells_of(json, profile);
  const std::string each = fmt::format("one for each {} of {} tokens", profile.tokens_a_cell, profile.tokens);
  profile.ratio = json["ratio"].list([&](Field row) { return numbers_of(row, cells, each); });
  if (profile.ratio.size() != profile.heads.size()) {
    json["ratio"].refuse(fmt::format("a row for each of {} heads", profile.heads.size()));
  }
  profile.error = numbers_of(json["error"], cells, each);
  profile.allowed = numbers_of(json["allowed"], cells, each);
  profile.chunk_size = json["chunk_size"].count();
  profile.position = json["position"].list([](Field entry) { return entry.number(); });
  if (!profile.position.empty() && static_cast<std::int64_t>(profile.position.size()) != profile.chunk_size) {
    json["position"].refuse(fmt::format("{} entries, as `chunk_size` says, or none", profile.chunk_size));
  }
  read_histogram(json, profile);
  return profile;
}

}  // namespace deltaproof
