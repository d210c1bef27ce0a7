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
  std::string what;  ///< "the right answer leaves the range of F32"
};

std::string answer_leaves(Dtype type) { return fmt::format("the right answer leaves the range of {}", dtype_name(type)); }

// Written so that a NaN counts as beyond.
bool within(const Matrix& values, double limit) { return (values.array().abs() <= limit).all(); }

// Whether fp32 holds |x|^2 + eps, which a kernel divides by the root of, about as well as `normalise_error` says: that
// has room for 2^-23, and flushed squares and sums take (3 K + 2) 2^-126 of it. A row of zeros stays one.
bool normalises_in_fp32(const Matrix& rows, Index t, double eps) {
  const double squares = rows.row(t).squaredNorm(), sum = squares + eps;
  if (squares == 0) return true;
  return sum <= 0x1p127 && (3 * static_cast<double>(rows.cols()) + 2) * 0x1p-126 <= sum * 0x1p-26;
}

// Which of the rows of a token, if any, a kernel cannot normalise.
const char* lost_row(const HeadInputs& head, Index t) {
  const L2Norm norm = head.options.qk_l2norm;
  const double eps = head.options.qk_l2norm_eps;
  if ((norm == L2Norm::q || norm == L2Norm::both) && !normalises_in_fp32(head.q, t, eps)) return "q";
  if ((norm == L2Norm::k || norm == L2Norm::both) && !normalises_in_fp32(head.k, t, eps)) return "k";
  return nullptr;
}

// The first token at which the exact run of one head is out of range, or fp32 loses a row that the kernel normalises.
std::optional<Leaves> leaves_range(const HeadInputs& head, Dtype o_type, Dtype state_type) {
  const double o_limit = largest_finite(o_type), state_limit = largest_finite(state_type);
  // Every state of a short run; of a long one as many as memory takes.
  constexpr Index most_values = Index{1} << 25;
  const Index every = std::max<Index>(1, head.tokens * head.K * head.V / most_values);
  const HeadAnswer answer = answer_double(head, {.every = every, .trace = false, .u = false});
  for (Index t = 0; t < head.tokens; ++t) {
    if (const char* row = state_type == Dtype::f32 ? lost_row(head, t) : nullptr) {
      return Leaves{t, fmt::format("|{0}|^2 of a row of {0} that the kernel normalises leaves the range of F32", row)};
    }
    if (!within(answer.o.row(t), o_limit)) return Leaves{t, answer_leaves(o_type)};
    if ((t + 1) % every != 0 && t + 1 != head.tokens) continue;
    if (!within(answer.states[static_cast<std::size_t>(t / every)], state_limit)) {
      return Leaves{t, answer_leaves(state_type)};
    }
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
      result.first = fmt::format("{} at sequence {}, head {}, token {}", leaves->what, unit.sequence->index, unit.head,
                                 leaves->token);
    }
  }
  return result;
}

}  // namespace deltaproof
