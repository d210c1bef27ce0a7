#include "properties/diagnose/shrink/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace deltaproof {
namespace {

std::string kind_of(const std::string& tensor) {
  const bool state = tensor.starts_with("final_") || tensor == "chunk_states";
  return state ? "state" : tensor;
}

// The reason up to where it tells of places and of what would fit; without numbers, and without the bound.
std::string without_numbers(const std::string& reason, const std::string& bound) {
  std::string text = reason.substr(0, std::min({reason.find(", the first"), reason.find(';'), reason.find('(')}));
  if (const std::size_t at = text.find(bound); !bound.empty() && at != std::string::npos) text.erase(at, bound.size());
  std::erase_if(text, [](unsigned char c) { return std::isdigit(c) != 0; });
  return text;
}

// "LOC" and "ADJ" as one.
std::string of_one_unit(const std::string& bound) {
  return bound.starts_with("ADJ") && !bound.starts_with("ADJ (token") ? "LOC" + bound.substr(3) : bound;
}

}  // namespace

Location first_place(const Verdict& verdict) {
  if (verdict.has_first_bad) return verdict.first_bad;
  if (!verdict.conformity) return {};
  const ConformityReport& report = *verdict.conformity;
  if (report.has_pin_first_bad) return report.pin_first_bad;
  return report.bits_unequal > 0 ? report.bits_first : Location{};
}

Failure failure_of(const Verdict& verdict) {
  Failure failure;
  failure.status = verdict.status;
  failure.property = verdict.property;
  failure.bound = verdict.bound;
  failure.what = without_numbers(verdict.reason, verdict.bound);
  failure.tensor = kind_of(first_place(verdict).tensor);
  return failure;
}

bool alike(const Failure& x, const Failure& y, bool one_unit) {
  const bool same_bound = x.bound == y.bound || (one_unit && of_one_unit(x.bound) == of_one_unit(y.bound));
  return same_bound && x.status == y.status && x.property == y.property && x.what == y.what && x.tensor == y.tensor;
}

std::string to_string(const Failure& failure) {
  std::string text = fmt::format("{} {}", failure.property, status_name(failure.status));
  if (!failure.bound.empty()) text += fmt::format(" by {}", failure.bound);
  if (failure.stage != FailureStage::none) text += fmt::format(", stage {}", failure_stage_name(failure.stage));
  if (!failure.tensor.empty()) text += fmt::format(", first in {}", failure.tensor);
  return text;
}

}  // namespace deltaproof
