#include "properties/accuracy/judge_units.hpp"

#include <algorithm>

#include "properties/accuracy/over_units.hpp"

namespace deltaproof {

UnitResult judge_units(const JudgeContext& context, const std::vector<Unit>& units,
                       const AccuracyOptions& options, Rows rows) {
  const auto head_of = [&](const Unit& unit) {
    return with_rows(head_inputs(context.problem, *unit.sequence, unit.head), rows,
                     coarsest_input(context.problem));
  };
  const auto judge = [&](const Unit& unit, const HeadInputs& head) { return judge_unit(context, unit, head); };
  const auto merge = [](UnitResult& total, const UnitResult& result) {
    total.comparison.merge(result.comparison);
    total.bits = std::max(total.bits, result.bits);
  };
  return OverUnits<UnitResult>(units, head_of, judge, merge).run(options.threads, options.progress);
}

}  // namespace deltaproof
