#include "properties/claims/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "embedded_deltaproof_claims.hpp"

namespace deltaproof::claims {
namespace {

using Figures = std::map<std::string, Figure>;

Figures read(std::string_view file) {
  Figures figures;
  const nlohmann::json json = nlohmann::json::parse(file);
  for (const auto& [key, entry] : json.at("figures").items()) {
    Figure figure = printed(entry.at("value").get<std::string>());
    figure.what = entry.at("what").get<std::string>();
    figure.place = entry.at("place").get<std::string>();
    figures.emplace(key, std::move(figure));
  }
  return figures;
}

const Figures& figures_of(const std::string& paper) {
  static const std::map<std::string, Figures> all{{"kla", read(embedded::kla_figures())},
                                                  {"hola", read(embedded::hola_figures())}};
  return all.at(paper);
}

}  // namespace

Range operator+(const Range& a, const Range& b) { return {a.low + b.low, a.high + b.high}; }
Range operator-(const Range& a, const Range& b) { return {a.low - b.high, a.high - b.low}; }
Range operator*(const Range& a, const Range& b) {
  const std::array<Rational, 4> ends{a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  return {*std::min_element(ends.begin(), ends.end()), *std::max_element(ends.begin(), ends.end())};
}
Range operator/(const Range& a, const Range& b) {
  if (b.low <= 0 && b.high >= 0) throw std::domain_error("division by a figure that may be 0");
  return a * Range{1 / b.high, 1 / b.low};
}
Range exactly(const Rational& value) { return {value, value}; }

Figure printed(const std::string& text) {
  std::string digits = text;
  Figure figure;
  figure.text = text;
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.erase(0, 1);
  const auto point = digits.find('.');
  if (point != std::string::npos) {
    figure.places = static_cast<int>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    throw std::invalid_argument("'" + text + "' is no decimal number");
  }
  // A leading 0 would make it octal.
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  using boost::multiprecision::cpp_int;
  const cpp_int unit = boost::multiprecision::pow(cpp_int(10), static_cast<unsigned>(figure.places));
  figure.value = Rational(cpp_int(digits), unit);
  if (negative) figure.value = -figure.value;
  const Rational half = Rational(1, 2) / Rational(unit);
  figure.range = {figure.value - half, figure.value + half};
  return figure;
}

Figure figure(const std::string& paper, const std::string& key) {
  const Figures& figures = figures_of(paper);
  const auto found = figures.find(key);
  if (found == figures.end()) throw std::out_of_range(fmt::format("no figure {} of {}", key, paper));
  return found->second;
}

std::vector<std::string> figure_keys(const std::string& paper) {
  std::vector<std::string> keys;
  for (const auto& entry : figures_of(paper)) keys.push_back(entry.first);
  return keys;
}

Result follows(const Figure& result, const Rational& value, const Range& range, const std::string& what) {
  Result found;
  found.cases = 1;
  const int places = result.places + 2;
  const std::string low = decimal(range.low, places), high = decimal(range.high, places);
  found.numbers = {{"worked out", decimal(value, places)}, {"printed", result.text}, {"possible", low + " to " + high}};
  found.finding = fmt::format("{} = {}, stated as {}", what, decimal(value, places), result.text);
  // A half may have been rounded either way.
  if (result.range.low <= value && value <= result.range.high) {
    found.outcome = Outcome::holds;
    return found;
  }
  found.counterexample = Counterexample{{{what, decimal(value, places)}},
                                        fmt::format("the figures as printed give {}, not {}", decimal(value, places), result.text)};
  if (range.high >= result.range.low && range.low <= result.range.high) {
    found.outcome = Outcome::conditional;
    found.condition = fmt::format("it was worked out from figures with more digits than are printed (they allow {} to {})", low, high);
    return found;
  }
  found.outcome = Outcome::refuted;
  found.finding.append(fmt::format("; whatever the unprinted digits, it is between {} and {}", low, high));
  return found;
}

}  // namespace deltaproof::claims
