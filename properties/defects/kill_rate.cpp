#include "properties/defects/kill_rate.hpp"

namespace deltaproof {
namespace {

constexpr std::uint64_t seed = 1;

void count(const Findings& findings, KillRate& rate) {
  ++rate.places;
  bool any = false;
  for (const KillRule rule : all_kill_rules) {
    const bool killed = findings.killed_by(rule);
    rate.kills[static_cast<std::size_t>(rule)] += killed ? 1 : 0;
    any = any || (killed && rule <= KillRule::structured);
  }
  rate.killed_by_any += any ? 1 : 0;
}

}  // namespace

DefectBench::DefectBench(const CaseFile& recording)
    : recording_(recording),
      rules_(recording),
      kernel_(recording.problem,
              built_in(recording.problem.options().arithmetic, recording.problem.options().rule).value()) {}

std::string DefectBench::why_not(const Defect& defect) const {
  return deltaproof::why_not(defect, recording_.problem, *recording_.outputs);
}

Outputs DefectBench::outputs(const Defect& defect, std::uint64_t place) const {
  return with_defect(defect, recording_.problem, *recording_.outputs, kernel_, seed, place);
}

KillRate DefectBench::rate(const Defect& defect, std::int64_t places) const {
  KillRate rate;
  const std::int64_t tried = defect.reach == Reach::everywhere ? 1 : places;
  for (std::int64_t place = 0; place < tried; ++place) {
    const Outputs damaged = outputs(defect, static_cast<std::uint64_t>(place));
    count(rules_.judge(damaged), rate);
    rate.changes_nothing += same_bits(damaged, *recording_.outputs) ? 1 : 0;
  }
  return rate;
}

}  // namespace deltaproof
