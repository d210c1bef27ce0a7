#include "properties/defects/kill_rules.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "properties/accuracy/conclude.hpp"
#include "properties/accuracy/one_run.hpp"

namespace deltaproof {
namespace {

bool same_bytes(const Tensor& x, const Tensor& y, std::int64_t first, std::int64_t count) {
  const std::size_t size = dtype_size(x.dtype);
  const auto offset = static_cast<std::size_t>(first) * size;
  return std::memcmp(x.bytes.data() + offset, y.bytes.data() + offset, static_cast<std::size_t>(count) * size) == 0;
}

std::int64_t unequal_bits(const Matrix& x, const Matrix& y) {
  std::int64_t count = 0;
  for (Index i = 0; i < x.size(); ++i) {
    if (std::bit_cast<std::uint64_t>(x.data()[i]) != std::bit_cast<std::uint64_t>(y.data()[i])) ++count;
  }
  return count;
}

// Violations of one block, counted as every comparison counts them.
std::int64_t violations(const ComparedBlock& place, const Matrix& value, const Matrix& expected, const Matrix& bound,
                        const Matrix& radius) {
  ComparedBlock block = place;
  block.value = &value;
  block.expected = &expected;
  block.bound = &bound;
  block.radius = &radius;
  Comparison comparison;
  comparison.add(block);
  return comparison.violations;
}

Spread merged(const std::vector<Spread>& spreads) {
  Spread total;
  for (const Spread& spread : spreads) total.merge(spread);
  return total;
}

// Whether some slope is beyond its limit: with energies out of the question, and rarer alarms than the tier allows.
bool has_slope(const Spread& spread) {
  return !structures(spread.groups, std::numeric_limits<double>::infinity(), 1e-9).empty();
}

}  // namespace

bool Findings::killed_by(KillRule rule) const {
  switch (rule) {
    case KillRule::loc: return outside_loc > 0 || contradicts_itself;
    case KillRule::pin: return outside_pin > 0;
    case KillRule::sigma: return outside_sigma > 0;
    case KillRule::structured: return structured;
    case KillRule::bits: return unequal_bits > 0;
    case KillRule::rms: return !rms_accepts;
    case KillRule::rms_loose: return !rms_loose_accepts;
  }
  throw std::logic_error("unknown rule");
}

KillRules::KillRules(const CaseFile& recording)
    : problem_(recording.problem),
      recorded_(recording.outputs.value()),
      choice_(choose_bound(problem_.options().arithmetic, problem_)),
      declared_(built_in(problem_.options().arithmetic, problem_.options().rule).value()),
      published_(problem_) {
  if (!states_are_exact(choice_, recorded_)) throw std::logic_error("a recording without its states in fp32");
  units_ = plan_units(problem_, recorded_, choice_);
  for (const Unit& unit : units_) judge_recording(unit);
  add_spreads();
}

JudgeContext KillRules::context(const Outputs& outputs) const {
  return {problem_, outputs, problem_.options().arithmetic, choice_, tensor_core("any")};
}

// The advisory tier on the recording itself. A unit's spread is kept with its correlation, which does not depend on
// the values that are judged.
void KillRules::add_spreads() {
  const auto spread_of = [this](double limit, bool) {
    Spread total;
    for (Judged& judged : judged_) {
      judged.spread = unit_spread(context(recorded_), judged.unit, judged.head, limit, true);
      total.merge(judged.spread);
    }
    return total;
  };
  const AdvisoryReport report = judge_spread(context(recorded_), units_, spread_of);
  if (!report.off.empty() || report.units_off > 0) throw std::logic_error("the advisory tier is off: " + report.off);
}

void KillRules::judge_recording(const Unit& unit) {
  Judged judged;
  judged.unit = unit;
  judged.head = head_inputs(problem_, *unit.sequence, unit.head);
  judged.pieces = pieces_of(problem_, recorded_, unit);
  const auto keep_in = [](std::vector<Held>& list) {
    return [&list](const ComparedBlock& b) { list.push_back({*b.expected, *b.bound, *b.radius}); };
  };
  JudgeContext bound = context(recorded_);
  bound.observe = keep_in(judged.loc);
  const UnitResult result = judge_unit(bound, unit, judged.head);
  ConformityContext order = conformity_context(problem_, recorded_, declared_);
  order.observe = keep_in(judged.pin);
  const Conformity conformity = judge_unit_conformity(order, unit, inputs_of(order, unit, judged.head));
  if (result.comparison.violations + conformity.pin.violations + conformity.bits.unequal > 0 ||
      conformity.bits.compared == 0 || judged.loc.size() != judged.pieces.size() ||
      judged.pin.size() != judged.pieces.size()) {
    throw std::logic_error("the recording is not a run of the declared arithmetic, to the bit");
  }
  judged_.push_back(std::move(judged));
}

bool KillRules::begins_as_recorded(const Unit& unit, const Outputs& damaged) const {
  if (unit.known_state < 0) return true;
  const Tensor& states = recorded_.tensors.at("chunk_states");
  const std::int64_t row = chunk_state_row(states, *unit.sequence, unit.known_state);
  const std::int64_t size = problem_.dims().K * problem_.dims().V;
  return same_bytes(states, damaged.tensors.at("chunk_states"), (row * problem_.dims().HV + unit.head) * size, size);
}

// Rows of o, the state after the unit, and the final state, if it is the last.
bool KillRules::is_as_recorded(const Unit& unit, const Outputs& damaged) const {
  const Dimensions& d = problem_.dims();
  const Sequence& s = *unit.sequence;
  for (std::int64_t t = unit.begin; t < unit.begin + unit.length; ++t) {
    const std::int64_t first = ((s.batch * d.T + s.begin + t) * d.HV + unit.head) * d.V;
    if (!same_bytes(recorded_.tensors.at("o"), damaged.tensors.at("o"), first, d.V)) return false;
  }
  Unit next = unit;
  next.known_state = (unit.begin + unit.length - 1) / problem_.options().states_every;
  if (!begins_as_recorded(next, damaged)) return false;
  const std::int64_t size = d.K * d.V;
  return same_bytes(recorded_.tensors.at("final_state"), damaged.tensors.at("final_state"),
                    (s.state_row * d.HV + unit.head) * size, size);
}

// From the recorded state: the bounds and the emulation are those of the recording.
void KillRules::compare(const Judged& judged, const Outputs& damaged, Findings& findings) const {
  const std::vector<Piece> pieces = pieces_of(problem_, damaged, judged.unit);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Matrix& value = pieces[i].value;
    const ComparedBlock place =
        block_of(problem_, judged.unit, pieces[i].tensor, pieces[i].is_state, pieces[i].token);
    const Held& loc = judged.loc[i];
    const Held& pin = judged.pin[i];
    findings.outside_loc += violations(place, value, loc.expected, loc.bound, loc.radius);
    findings.outside_pin += violations(place, value, pin.expected, pin.bound, pin.radius);
    findings.unequal_bits += unequal_bits(value, judged.pieces[i].value);
  }
}

void KillRules::judge_again(const Judged& judged, const Outputs& damaged, Findings& findings) const {
  findings.outside_loc += judge_unit(context(damaged), judged.unit, judged.head).comparison.violations;
  const ConformityContext order = conformity_context(problem_, damaged, declared_);
  const Conformity conformity = judge_unit_conformity(order, judged.unit, inputs_of(order, judged.unit, judged.head));
  findings.outside_pin += conformity.pin.violations;
  findings.unequal_bits += conformity.bits.unequal;
}

// A unit as recorded has the spread of the recording. How errors are correlated limits energies alone and takes long
// to work out: where there is a slope, it is left out.
void KillRules::advise(const Outputs& damaged, Findings& findings) const {
  std::vector<Spread> spreads(judged_.size());
  const auto spread_of = [&](double limit, bool with_correlation) {
    if (with_correlation && has_slope(merged(spreads))) return merged(spreads);
    for (std::size_t i = 0; i < judged_.size(); ++i) {
      const Judged& judged = judged_[i];
      const bool same_start = begins_as_recorded(judged.unit, damaged);
      if (same_start && is_as_recorded(judged.unit, damaged)) {
        spreads[i] = judged.spread;
      } else if (!with_correlation || !same_start) {
        spreads[i] = unit_spread(context(damaged), judged.unit, judged.head, limit, with_correlation);
      }
      if (same_start) spreads[i].correlation = judged.spread.correlation;
    }
    return merged(spreads);
  };
  const AdvisoryReport report = judge_spread(context(damaged), units_, spread_of);
  findings.outside_sigma = report.sigma_outside;
  findings.structured = !report.structures.empty();
}

Findings KillRules::judge(const Outputs& damaged) const {
  Findings findings;
  for (const Judged& judged : judged_) {
    if (!begins_as_recorded(judged.unit, damaged)) {
      judge_again(judged, damaged, findings);
    } else if (!is_as_recorded(judged.unit, damaged)) {
      compare(judged, damaged, findings);
    }
  }
  advise(damaged, findings);
  findings.contradicts_itself = first_contradiction(problem_, damaged).has_value();
  findings.rms_accepts = published_.accept(PublishedRule::rms, damaged);
  findings.rms_loose_accepts = published_.accept(PublishedRule::rms_loose, damaged);
  return findings;
}

}  // namespace deltaproof
