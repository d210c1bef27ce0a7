#include "properties/accuracy/divergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "reference/problem/format.hpp"

namespace deltaproof {
namespace {

struct Leaves {
  std::int64_t token = 0;
  Dtype type = Dtype::f32;
};

// Written so that a NaN counts as beyond.
bool within(const Matrix& values, double limit) { return (values.array().abs() <= limit).all(); }

// The first token at which the exact run of one head is out of range.
std::optional<Leaves> leaves_range(const HeadInputs& head, Dtype o_type, Dtype state_type) {
  const double o_limit = largest_finite(o_type), state_limit = largest_finite(state_type);
  // Every state of a short run; of a long one as many as memory takes.
  constexpr Index most_values = Index{1} << 25;
  const Index every = std::max<Index>(1, head.tokens * head.K * head.V / most_values);
  const HeadAnswer answer = answer_double(head, {.every = every, .trace = false, .u = false});
  for (Index t = 0; t < head.tokens; ++t) {
    if (!within(answer.o.row(t), o_limit)) return Leaves{t, o_type};
    if ((t + 1) % every != 0 && t + 1 != head.tokens) continue;
    if (!within(answer.states[static_cast<std::size_t>(t / every)], state_limit)) return Leaves{t, state_type};
  }
  return std::nullopt;
}

}  // namespace

double largest_finite(Dtype dtype) {
  const Format& format = dtype_format(dtype);
  return std::ldexp(2 - std::ldexp(1.0, 1 - format.significant_bits), format.max_exponent);
}

InRange units_in_range(const Problem& problem, const Outputs& outputs, const BoundChoice& choice,
                       const std::vector<Unit>& units) {
  InRange result;
  if (rule_info(problem.options().rule).system != System::update_family) return {units, {}};
  const Tensor* o = outputs.find("o");
  const Dtype o_type = o == nullptr ? Dtype::f64 : o->dtype;
  const Dtype state_type = choice.kind == BoundChoice::Kind::fp64 ? Dtype::f64 : Dtype::f32;
  std::map<std::pair<std::int64_t, std::int64_t>, std::optional<Leaves>> of_head;
  for (const Unit& unit : units) {
    const auto [found, fresh] = of_head.try_emplace({unit.sequence->index, unit.head});
    if (fresh) found->second = leaves_range(head_inputs(problem, *unit.sequence, unit.head), o_type, state_type);
    const std::optional<Leaves>& leaves = found->second;
    if (!leaves || leaves->token >= unit.begin + unit.length) {
      result.units.push_back(unit);
    } else if (result.first.empty()) {
      result.first = fmt::format("the right answer leaves the range of {} at sequence {}, head {}, token {}",
                                 dtype_name(leaves->type), unit.sequence->index, unit.head, leaves->token);
    }
  }
  return result;
}

}  // namespace deltaproof
