#include "properties/accuracy/units.hpp"

#include <algorithm>
#include <random>

namespace deltaproof {

bool states_hold_fp32(const Outputs& outputs) {
  const Tensor* states = outputs.find("chunk_states");
  return states != nullptr && (states->dtype == Dtype::f32 || states->dtype == Dtype::f64);
}

bool states_are_exact(const BoundChoice& choice, const Outputs& outputs) {
  return choice.exact_states && states_hold_fp32(outputs);
}

std::string bound_name(const BoundChoice& choice, bool teacher_forced) {
  switch (choice.kind) {
    case BoundChoice::Kind::none: return "none";
    case BoundChoice::Kind::fp64: return "fp64";
    case BoundChoice::Kind::token: return "ADJ (token recurrence)";
    case BoundChoice::Kind::chunk: break;
  }
  const std::string kind = teacher_forced ? "LOC" : "ADJ";
  return choice.assumed ? kind + " (generic, assumed)" : kind;
}

std::vector<Unit> plan_units(const Problem& problem, const Outputs& outputs, const BoundChoice& choice) {
  const bool teacher = states_are_exact(choice, outputs);
  const std::int64_t every = problem.options().states_every;
  std::vector<Unit> units;
  for (const Sequence& sequence : problem.sequences()) {
    if (sequence.state_row < 0) continue;
    for (std::int64_t head = 0; head < problem.dims().HV; ++head) {
      const std::int64_t step = teacher ? every : std::max<std::int64_t>(sequence.length, 1);
      for (std::int64_t begin = 0; begin == 0 || begin < sequence.length; begin += step) {
        const std::int64_t length = std::min(step, sequence.length - begin);
        const std::int64_t known = begin / every - 1;
        units.push_back({&sequence, head, begin, length, known});
      }
    }
  }
  return units;
}

const Unit* unit_at(const std::vector<Unit>& units, const Location& where) {
  for (const Unit& unit : units) {
    if (unit.sequence->index != where.sequence || unit.head != where.head) continue;
    const std::int64_t first = unit.begin, end = unit.begin + unit.length;
    const bool inside = where.row >= 0 ? where.token > first && where.token <= end
                                       : where.token >= first && where.token < end;
    if (inside) return &unit;
  }
  return nullptr;
}

std::vector<Unit> sample_units(const std::vector<Unit>& units, double share, std::uint64_t seed) {
  if (share >= 1) return units;
  std::mt19937_64 random(seed);
  std::vector<Unit> chosen;
  for (std::size_t i = 0; i < units.size();) {
    std::size_t end = i;
    while (end < units.size() && units[end].sequence == units[i].sequence &&
           units[end].head == units[i].head) {
      ++end;
    }
    const std::size_t forced = i + random() % (end - i);
    for (; i < end; ++i) {
      const double draw = static_cast<double>(random() >> 11) * 0x1p-53;
      if (i == forced || draw < share) chosen.push_back(units[i]);
    }
  }
  return chosen;
}

}  // namespace deltaproof
