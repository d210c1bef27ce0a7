#include "properties/claims/kla_figure_checks.hpp"

#include <fmt/format.h>

#include "properties/claims/kla_search.hpp"

namespace deltaproof::claims {
namespace {

using Row = std::vector<std::string>;

Figure of(const std::string& key) { return figure("kla", key); }

/// What a row of figures says, for people.
std::vector<Named> figures_named(const Row& keys) {
  std::vector<Named> all;
  for (const std::string& key : keys) {
    const Figure each = of(key);
    all.push_back({each.what, each.text});
  }
  return all;
}

bool surely_below(const Figure& a, const Figure& b) { return a.range.high <= b.range.low && a.value < b.value; }

}  // namespace

const char* const figure_method =
    "exact arithmetic on the printed figures; a printed number stands for every number that rounds "
    "to it";

Result difference_is(const Effort&, std::string a, std::string b, std::string result) {
  const Figure x = of(a), y = of(b);
  return follows(printed(result), x.value - y.value, x.range - y.range, fmt::format("{} - {}", x.text, y.text));
}

Result ratio_is(const Effort&, std::string a, std::string b, std::string result) {
  const Figure x = of(a), y = of(b);
  return follows(printed(result), x.value / y.value, x.range / y.range, fmt::format("{} / {}", x.text, y.text));
}

Result percent_more_is(const Effort&, std::string a, std::string b, std::string result) {
  const Figure x = of(a), y = of(b);
  const Range hundred = exactly(100);
  return follows(printed(result), 100 * (x.value / y.value - 1), hundred * (x.range / y.range - exactly(1)),
                 fmt::format("100 ({} / {} - 1)", x.text, y.text));
}

Result product_is(const Effort&, std::string a, std::string b, std::string result) {
  const Figure x = of(a), y = of(b);
  const Rational value = x.value * y.value;
  return follows(printed(result), value, exactly(value), fmt::format("{} x {}", x.text, y.text));
}

Result milliseconds_are(const Effort&, std::string a, std::string result) {
  const Figure x = of(a);
  return follows(printed(result), 1000 / x.value, exactly(1000) / x.range, fmt::format("1000 / {}", x.text));
}

Result ascending(const Effort&, std::vector<std::string> keys) {
  std::vector<Row> pairs;
  for (std::size_t i = 1; i < keys.size(); ++i) pairs.push_back({keys[i - 1], keys[i]});
  return search(
      pairs,
      [](const Row& pair) -> Fault {
        const Figure x = of(pair[0]), y = of(pair[1]);
        if (surely_below(x, y)) return std::nullopt;
        return fmt::format("{} is not below {}", x.text, y.text);
      },
      figures_named);
}

Result first_is_best(const Effort&, std::vector<std::vector<std::string>> rows, Better better) {
  return search(
      rows,
      [&](const Row& row) -> Fault {
        const Figure first = of(row[0]);
        for (const std::string& key : row) {
          if (key == row[0]) continue;
          const Figure other = of(key);
          if (better == Better::lower ? surely_below(first, other) : surely_below(other, first)) continue;
          return fmt::format("{} is not better than {}", first.text, other.text);
        }
        return std::nullopt;
      },
      figures_named);
}

Result differences_within(const Effort&, std::vector<std::vector<std::string>> rows, std::string low,
                          std::string high) {
  const Rational least = printed(low).value, most = printed(high).value;
  Result found = search(
      rows,
      [&](const Row& row) -> Fault {
        const Rational difference = of(row[0]).value - of(row[1]).value;
        if (least <= difference && difference <= most) return std::nullopt;
        return fmt::format("the difference is {}", decimal(difference, 2));
      },
      figures_named);
  for (const Row& row : rows) {
    found.numbers.push_back({fmt::format("{} - {}", of(row[0]).text, of(row[1]).text),
                             decimal(of(row[0]).value - of(row[1]).value, of(row[0]).places)});
  }
  return found;
}

Result all_are(const Effort&, std::vector<std::string> keys, std::string value) {
  std::vector<Row> rows;
  for (const std::string& key : keys) rows.push_back({key});
  return search(
      rows,
      [&](const Row& row) -> Fault {
        const Figure each = of(row[0]);
        if (each.value == printed(value).value) return std::nullopt;
        return fmt::format("it is {}", each.text);
      },
      figures_named);
}

}  // namespace deltaproof::claims
