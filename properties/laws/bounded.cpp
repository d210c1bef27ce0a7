#include "properties/laws/bounded.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "kernels/bits.hpp"
#include "properties/accuracy/divergence.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// Infinite where a right kernel's value, stored as `dtype`, may be infinite.
void widen_out_of_range(const Tensor& expected, Dtype dtype, Tensor& bound) {
  const double most = largest_finite(dtype);
  for (std::int64_t i = 0; i < bound.size(); ++i) {
    if (!(std::abs(expected.value(i)) + bound.value(i) <= most)) set_value(bound, i, infinite);
  }
}

}  // namespace

void Bounded::value(const Location& where, double value, double expected, double allowed, double wrong) {
  if (!std::isfinite(allowed)) {
    if (unbounded_++ == 0) first_unbounded_ = where;
    return;
  }
  ++verdict_.compared;
  auto& [offered, first] = wrongs_[{what_, where.tensor, where.sequence, where.head, where.chunk}];
  if (!offered.differs && wrong != expected) first = where;
  offered.differs |= wrong != expected;
  offered.rejected |= !(std::abs(wrong - expected) <= allowed);
  const double error = std::abs(value - expected);
  // A bound of 0 is kept by an error of 0 alone.
  const double ratio = error == 0 ? 0 : std::isfinite(value) ? error / allowed : infinite;
  if (ratio >= verdict_.worst_ratio) {
    verdict_.worst_ratio = ratio, verdict_.worst = where;
    verdict_.value = value, verdict_.expected = expected;
    verdict_.error = error, verdict_.bound_value = allowed;
  }
  if (ratio <= 1) return;
  ++verdict_.violations;
  if (verdict_.status == Status::failed) return;
  verdict_.status = Status::failed;
  verdict_.has_first_bad = true;
  verdict_.first_bad = where;
  verdict_.reason = fmt::format("{}: {:.9g} is {:.3g} from {:.9g}, more than {:.3g}; the first at {}", what_, value,
                                error, expected, allowed, to_string(where));
}

void Bounded::outputs(const Problem& problem, const Outputs& expected, const Outputs& allowed, const Outputs& got,
                      const About& about) {
  for (const char* name : {"o", "final_state"}) {
    const std::vector<double> right = expected.tensors.at(name).values(), bound = allowed.tensors.at(name).values(),
                              values = got.tensors.at(name).values();
    if (right.size() != values.size() || bound.size() != values.size()) {
      throw std::logic_error("runs of other shapes are compared");
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Location where = place_of(problem, name, static_cast<std::int64_t>(i));
      if (!is_judged(problem, where) || (about && !about(where))) continue;
      value(where, values[i], right[i], bound[i]);
    }
  }
}

void Bounded::conclude() {
  if (verdict_.bound.empty()) verdict_.bound = "the bounds of both runs";
  if (verdict_.status != Status::passed) return;
  if (unbounded_ > 0) {
    verdict_.status = Status::uninformative;
    verdict_.reason = fmt::format("{} of {} values have no finite bound, the first at {}", unbounded_,
                                  unbounded_ + verdict_.compared, to_string(first_unbounded_));
    return;
  }
  for (const auto& [place, wrong] : wrongs_) {
    const auto& [offered, first] = wrong;
    if (!offered.differs || offered.rejected) continue;
    verdict_.status = Status::uninformative;
    verdict_.reason =
        fmt::format("{}: the bound would also accept a wrong answer throughout a chunk of a head, from {}",
                    std::get<0>(place), to_string(first));
    return;
  }
}

RunBound bound_in_range(const Problem& problem, const Kernel& kernel, const Outputs& outputs) {
  RunBound bound = run_bound(problem, kernel, outputs);
  const BoundChoice choice = choose_bound(kernel.arithmetic(), problem);
  const std::vector<Unit> units = plan_units(problem, outputs, choice);
  std::set<std::pair<std::int64_t, std::int64_t>> leaves;
  for (const Unit& unit : units) leaves.insert({unit.sequence->index, unit.head});
  for (const Unit& unit : units_in_range(problem, outputs, choice, units).units) {
    leaves.erase({unit.sequence->index, unit.head});
  }
  for (auto& [name, tensor] : bound.bound.tensors) {
    widen_out_of_range(bound.expected.tensors.at(name), outputs.tensors.at(name).dtype, tensor);
    for (std::int64_t i = 0; !leaves.empty() && i < tensor.size(); ++i) {
      const Location where = place_of(problem, name, i);
      if (leaves.contains({where.sequence, where.head})) set_value(tensor, i, infinite);
    }
  }
  return bound;
}

Outputs none_allowed(Outputs bound) {
  for (auto& [name, tensor] : bound.tensors) {
    for (std::int64_t i = 0; i < tensor.size(); ++i) {
      if (std::isfinite(tensor.value(i))) set_value(tensor, i, 0);
    }
  }
  return bound;
}

Outputs distance_of(const Outputs& a, const Outputs& b) {
  Outputs distance;
  for (const char* name : {"o", "final_state"}) {
    const std::vector<double> y = b.tensors.at(name).values();
    std::vector<double> x = a.tensors.at(name).values();
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::nextafter(std::abs(x[i] - y[i]), infinite);
    distance.tensors[name] = Tensor::from(Dtype::f64, a.tensors.at(name).shape, x);
  }
  return distance;
}

}  // namespace deltaproof::laws
