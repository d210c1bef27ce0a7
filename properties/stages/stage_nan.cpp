#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "properties/regimes/generator.hpp"
#include "properties/runs/ended.hpp"
#include "properties/stages/stage_properties.hpp"

namespace deltaproof {
namespace {

struct Place {
  std::int64_t sequence, token, head;
};

std::string why_not(const StageTrial& trial) {
  const StageShape& d = trial.problem.shape();
  return d.B * d.T * d.HV == 0 ? "there is no score" : "";
}

// The first score of a sequence, the last of one, and any.
std::vector<std::pair<Place, std::int64_t>> places(const StageTrial& trial) {
  const std::int64_t heads = trial.problem.shape().HV;
  Generator g(trial.seed, {0x6e616e});
  std::vector<std::pair<Place, std::int64_t>> result;
  std::vector<StageSequence> sequences = sequences_of(trial.problem);
  std::erase_if(sequences, [](const StageSequence& each) { return each.length == 0; });
  for (int i = 0; i < 3; ++i) {
    const StageSequence& s = sequences[static_cast<std::size_t>(g.integer(0, static_cast<int>(sequences.size()) - 1))];
    const std::int64_t last = s.length - 1;
    const Place place{s.index, i == 0 ? 0 : i == 1 ? last : g.integer(0, static_cast<int>(last)),
                      g.integer(0, static_cast<int>(heads) - 1)};
    result.emplace_back(place, (s.first + place.token) * heads + place.head);
  }
  return result;
}

// Whether the text holds "token 7", and not as the begin of "token 71".
bool names(const std::string& text, const std::string& what) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    const std::size_t end = at + what.size();
    if (end == text.size() || text[end] < '0' || text[end] > '9') return true;
  }
  return false;
}

// Why the message does not say which score it is; empty if it does.
std::string missing_from(const std::string& message, const Place& place) {
  for (const std::string& what : {fmt::format("token {}", place.token), fmt::format("sequence {}", place.sequence),
                                  fmt::format("head {}", place.head)}) {
    if (!names(message, what)) return fmt::format("does not name '{}': {}", what, message);
  }
  return {};
}

// What is wrong with the call of which one score is NaN.
std::string fault_of(const StageTrial& trial, const Place& place, std::int64_t flat) {
  StageProblem problem = trial.problem;
  std::get<SelectInput>(problem.input).scores[static_cast<std::size_t>(flat)] = std::nanf("");
  try {
    trial.run(trial.device, problem);
  } catch (const KernelError& error) {
    const std::string missing = missing_from(error.what(), place);
    return missing.empty() ? "" : "is refused by a message that " + missing;
  }
  return "is not refused";
}

Verdict check(const StageTrial& trial, const Outputs&, Verdict verdict) {
  verdict.bound = "refusal";
  for (const auto& [place, flat] : places(trial)) {
    ++verdict.compared;
    const std::string fault = fault_of(trial, place, flat);
    if (fault.empty() || verdict.violations++ > 0) continue;
    verdict.has_first_bad = true;
    verdict.first_bad = {.tensor = "scores", .sequence = place.sequence, .token = place.token, .head = place.head};
    verdict.reason = fmt::format("a NaN score at {} {}", to_string(verdict.first_bad), fault);
  }
  verdict.status = verdict.violations == 0 ? Status::passed : Status::failed;
  return verdict;
}

}  // namespace

const StageProperty stage_nan{
    "stage_nan", "select: a call with a NaN score is refused by a message that names token, head and sequence",
    "select", &why_not, &check};

}  // namespace deltaproof
