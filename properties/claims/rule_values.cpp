#include "properties/claims/rule_values.hpp"

#include <fmt/format.h>

namespace deltaproof::claims {
namespace {

std::string list(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += fmt::format("{}{:.9g}", text.empty() ? "" : ", ", value);
  return "(" + text + ")";
}

}  // namespace

Accepts published(PublishedRule rule) {
  return [rule](const JudgedValues& values) { return accepts(rule, values); };
}

JudgedValues values_of(std::vector<double> run, std::vector<double> reference) {
  JudgedValues values;
  values.run = std::move(run);
  values.baseline = reference;
  values.reference = std::move(reference);
  return values;
}

Counterexample shown(const JudgedValues& values, std::string shows) {
  return {{{"right answer", list(values.reference)}, {"run", list(values.run)}}, std::move(shows)};
}

}  // namespace deltaproof::claims
