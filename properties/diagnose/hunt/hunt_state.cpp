#include "properties/diagnose/hunt/hunt_state.hpp"

#include <algorithm>

namespace deltaproof {
namespace {

bool is_like(const Finding& finding, const Evaluated& evaluated) {
  return finding.status == evaluated.result.status && cell_of(finding.candidate) == cell_of(evaluated.candidate);
}

}  // namespace

void HuntState::take(const Evaluated& evaluated) {
  const Evaluation& result = evaluated.result;
  ++statuses[status_name(result.status)];
  for (std::size_t i = 0; i < objectives.size(); ++i) {
    if (result.values[i]) archives[i].add(objectives[i], {evaluated.candidate, *result.values[i], evaluations});
  }
  const auto alike = static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(), [&](const Finding& each) { return is_like(each, evaluated); }));
  if (result.is_finding() && alike < kept_findings_per_kind) {
    findings.push_back({evaluated.candidate, result.status, result.reason, evaluations});
  }
  ++evaluations;
}

void HuntState::take_typical(const Evaluated& evaluated) {
  ++typical_problems;
  const std::string type(dtype_name(evaluated.candidate.spec.shape.input));
  for (std::size_t i = 0; i < objectives.size(); ++i) {
    const std::optional<double>& value = evaluated.result.values[i];
    if (!value) continue;
    TypicalValues& all = typical[i][type];
    ++all.problems;
    all.sum += *value;
    all.largest = std::max(all.largest, *value);
  }
}

HuntState HuntState::settled() const {
  HuntState whole = *this;
  for (const Evaluated& each : pending) whole.take(each);
  whole.pending.clear();
  return whole;
}

const TypicalValues* HuntState::typical_of(Objective objective, Dtype type) const {
  const auto& of_types = typical[static_cast<std::size_t>(objective)];
  const auto found = of_types.find(std::string(dtype_name(type)));
  return found == of_types.end() ? nullptr : &found->second;
}

}  // namespace deltaproof
