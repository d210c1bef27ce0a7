// Weights of a softmax with a sink sum to at most 1: with v = 1 everywhere what is read is in [0, 1], and
//     0 <= o - o_S <= s,   s = sigmoid(gate),
// o_S the run behind a closed gate. In fp32: the n <= w + C weights are the same numbers in the sum of what is read and
// in that of the weights, each within (1 + u)^(n + 3) of exact (u = 2^-24), so that the read is at most 1 + (2n + 8) u;
// s is within 2^-20 of itself; s read + o_S rounds to fp32, and o to its type.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/bits.hpp"
#include "properties/laws/cache.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

constexpr double least_gate = -20;  ///< below, s is lost beside o in most types

std::string why_not(const Trial& trial) {
  if (std::string why = without_cache(trial.problem); !why.empty()) return why;
  const std::vector<double> gates = trial.problem.find("cache_gate")->values();
  return *std::max_element(gates.begin(), gates.end()) < least_gate ? "every gate is closed" : "";
}

Problem with_ones(const Problem& problem) {
  TensorMap inputs = problem.tensors();
  inputs.at("v") = filled(inputs.at("v"), 1);
  return problem.with_inputs(std::move(inputs));
}

void check(const Trial& trial, Verdict& verdict) {
  const Problem open = with_ones(trial.problem), closed = with_parameter(open, "cache_gate", closed_gate);
  const std::optional<Outputs> got = second_run(trial, open, verdict), state = second_run(trial, closed, verdict);
  if (!got || !state) return;
  verdict.bound = "1 for the sum of weights";
  const HolaOptions& hola = open.options().hola;
  const auto entries = static_cast<double>(
      std::min(hola.cache_size + hola.cache_block, longest_answered(open)));
  const Tensor &o = got->tensors.at("o"), &o_state = state->tensors.at("o"), &gates = *open.find("cache_gate");
  for (std::int64_t i = 0; i < o.size(); ++i) {
    const Location where = place_of(open, "o", i);
    const double gate = is_judged(open, where) ? gates.value(where.head) : -1e9;
    if (gate < least_gate || !std::isfinite(o_state.value(i))) continue;
    const double s = 1 / (1 + std::exp(-gate)) * (1 + 0x1p-20);
    const double size = std::max(std::abs(o.value(i)), std::abs(o_state.value(i)) + s);
    const double rounding = (half_ulp(dtype_format(o.dtype), size) + half_ulp(formats::f32, size)) * (1 + 0x1p-20);
    const double most = s * (1 + (2 * entries + 8) * 0x1p-24) + rounding;
    if (most > 1.75 * s) continue;  // a read of 2 would pass
    ++verdict.compared;
    const double read = o.value(i) - o_state.value(i);
    if (read >= -rounding && read <= most) continue;
    broken(verdict, where, fmt::format("values of 1 are read as {} behind a gate of {}", read, s));
  }
}

}  // namespace

const Property cache_weights{
    "cache_weights", "weights sum to at most 1: with v = 1 the cache adds between 0 and sigmoid(gate) to o", &why_not,
    &check};

}  // namespace deltaproof::laws
