#include "properties/accuracy/advisory.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "properties/accuracy/over_units.hpp"
#include "reference/arithmetic/built_in.hpp"
#include "reference/bounds/chunk_noise.hpp"

namespace deltaproof {
namespace {

// Probability that anything of this tier alarms for a correct kernel, in one verdict: half for single values, half
// for structured error.
constexpr double false_alarm = 1e-6;

// Why the tier says nothing about this run; empty if it does.
std::string why_off(const JudgeContext& context) {
  const Problem& problem = context.problem;
  if (context.choice.kind == BoundChoice::Kind::fp64) return "an fp64 recurrence has no roundings to a narrower type";
  if (context.choice.kind == BoundChoice::Kind::token) {
    return "the order of the sums of an fp32 recurrence is not declared";
  }
  if (problem.options().qk_l2norm != L2Norm::none) {
    return "the kernel normalises rows itself, in a way that is not known to the bit";
  }
  const auto formats = chunk_formats(context.arithmetic, rule_info(problem.options().rule), coarsest_input(problem),
                                     problem.options().chunk_size);
  if (!formats) return "there is no chunk";
  return no_noise(*formats, rule_info(problem.options().rule));
}

// A sub-Gaussian value is beyond l standard deviations with probability at most 2 e^{-l^2 / 2}.
double sigma_limit(std::int64_t values, double alarm) {
  return std::sqrt(2 * std::log(2 * static_cast<double>(std::max<std::int64_t>(values, 1)) / alarm));
}

Spread over_units(const JudgeContext& context, const std::vector<Unit>& units, Rows rows, double limit,
                  bool with_correlation, int threads) {
  const auto head_of = [&](const Unit& unit) {
    return with_rows(head_inputs(context.problem, *unit.sequence, unit.head), rows, coarsest_input(context.problem));
  };
  const auto judge = [&](const Unit& unit, const HeadInputs& head) {
    return unit_spread(context, unit, head, limit, with_correlation);
  };
  const auto merge = [](Spread& total, const Spread& result) { total.merge(result); };
  return OverUnits<Spread>(units, head_of, judge, merge).run(threads);
}

bool any_energy(const std::vector<Structure>& found) {
  return std::any_of(found.begin(), found.end(), [](const Structure& s) { return s.statistic == "energy"; });
}

std::string name(const Structure& s) {
  const std::string where = s.index < 0 ? s.group : fmt::format("{} {}", s.group, s.index);
  return fmt::format("{} of {}, {}: {:.3g} (limit {:.3g})", s.statistic, s.tensor, where, s.value, s.limit);
}

std::string what_was_found(const AdvisoryReport& report) {
  std::string text;
  if (report.sigma_outside > 0) {
    text = fmt::format("{} of {} values are more than {:.1f} standard deviations off, the worst {:.3g} at {}",
                       report.sigma_outside, report.sigma_compared, report.sigma_limit, report.sigma_largest,
                       to_string(report.sigma_worst));
  }
  if (report.structures.empty()) return text;
  if (!text.empty()) text += "; ";
  text += "the error has structure: " + name(report.structures.front());
  const std::size_t more = report.structures.size() - 1;
  return more == 0 ? text : text + fmt::format(" and {} more", more);
}

}  // namespace

AdvisoryReport judge_spread(const JudgeContext& context, const std::vector<Unit>& units, Rows rows, int threads) {
  return judge_spread(context, units, [&](double limit, bool with_correlation) {
    return over_units(context, units, rows, limit, with_correlation, threads);
  });
}

AdvisoryReport judge_spread(const JudgeContext& context, const std::vector<Unit>& units,
                            const SpreadOfUnits& spread_of) {
  AdvisoryReport report;
  report.off = why_off(context);
  if (!report.off.empty()) return report;
  std::int64_t values = 0;
  for (const Unit& unit : units) values += compared_values(context, unit);
  report.sigma_limit = sigma_limit(values, false_alarm / 2);
  Spread spread = spread_of(report.sigma_limit, false);
  report.structures = structures(spread.groups, 1, false_alarm / 2);
  if (any_energy(report.structures)) {  // only then does it matter how the errors are correlated
    spread = spread_of(report.sigma_limit, true);
    report.structures = structures(spread.groups, spread.correlation, false_alarm / 2);
  }
  report.units = spread.judged;
  report.units_off = spread.left_out;
  report.why_units_off = spread.why_left_out;
  report.sigma_compared = spread.compared;
  report.sigma_outside = spread.outside;
  report.sigma_largest = spread.largest;
  report.sigma_worst = spread.worst;
  report.statistics = 2 * static_cast<std::int64_t>(spread.groups.size());
  return report;
}

std::string declared_truncation(const Declared& declared, Rule rule) {
  const Declared usual = nearest_built_in(declared, rule).declared;
  Declared biased = usual;
  for (std::size_t i = 0; i < point_count; ++i) {
    const auto point = static_cast<Point>(i);
    const PointRounding& rounding = declared[point];
    const bool is_operand = point != Point::u && point != Point::o;
    const bool cut = rounding.mode == PointMode::truncated || (is_operand && rounding.format == PointFormat::f32);
    if (cut) biased[point] = rounding;
  }
  return difference(usual, biased);
}

void advise(AdvisoryReport report, Verdict& verdict) {
  const std::string found = what_was_found(report);
  verdict.advisory = std::move(report);
  if (found.empty() || verdict.status != Status::passed) return;
  const bool every_bit = verdict.conformity && verdict.conformity->bits_compared == verdict.compared &&
                         verdict.conformity->bits_unequal == 0 && verdict.compared > 0;
  if (every_bit) {
    verdict.notes.push_back("every bit is that of the declared order of roundings, so that the model of chance does "
                            "not fit these inputs, rather than the kernel: " + found);
    return;
  }
  verdict.status = Status::suspect;
  verdict.reason = found;
}

}  // namespace deltaproof
