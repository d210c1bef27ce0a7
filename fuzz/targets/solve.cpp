#include "fuzz/targets/solve.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "fuzz/host.hpp"
#include "fuzz/number_reader.hpp"
#include "properties/runs/solve_properties.hpp"

namespace deltaproof::fuzz {
namespace {

float finite(float x) {
  constexpr float largest = std::numeric_limits<float>::max();
  if (std::isnan(x)) return 0;
  return std::isinf(x) ? std::copysign(largest, x) : x;
}

}  // namespace

SolveProblem read_solve(Bytes bytes) {
  ByteReader reader(bytes);
  reader.set_tail_seed(reader.raw<std::uint16_t>());
  SolveProblem problem;
  problem.name = "fuzz";
  problem.C = reader.pick(std::array<std::int64_t, 3>{16, 32, 64});
  problem.columns = reader.pick(std::array<std::int64_t, 3>{1, 3, 8});
  problem.batch = reader.from_to(1, 2);
  const unsigned way = reader.byte();
  problem.blocked_inverse = (way & 1) != 0;
  const float factor = std::ldexp(1.0f, -4 * static_cast<int>(way >> 1 & 3));  // of L: most solves with large ones overflow
  const Mix left = read_mix(reader), right = read_mix(reader);
  for (std::int64_t e = 0; e < problem.batch * problem.C * problem.C; ++e) {
    const bool below = e % problem.C < e / problem.C % problem.C;
    problem.L.push_back(below ? factor * finite(read_float(reader, left)) : std::numeric_limits<float>::quiet_NaN());
  }
  for (std::int64_t e = 0; e < problem.batch * problem.C * problem.columns; ++e) {
    problem.R.push_back(finite(read_float(reader, right)));
  }
  return problem;
}

void check_solve_target(Bytes bytes, const std::function<void(std::vector<float>& X)>& solved) {
  const SolveProblem problem = read_solve(bytes);
  const std::shared_ptr<const Device> device = host(Schedule::random);
  SolveChecks checks;
  checks.schedules.push_back({"schedule reverse", host(Schedule::reverse)});
  std::vector<float> X = solve(*device, problem);
  if (solved) solved(X);
  const SolveTrial trial{problem, *device, checks};
  for (const SolveProperty* property : {&solve_accuracy, &solve_residual, &solve_equivalence, &solve_schedules}) {
    const Verdict verdict = check_solved(*property, trial, X);
    if (verdict.status != Status::failed && verdict.status != Status::error) continue;
    throw Finding(fmt::format("{} of a solve is {}: {}; worst {}: {} where {} is right, off by {:.3g}, allowed {:.3g}",
                              property->name, status_name(verdict.status), verdict.reason, to_string(verdict.worst),
                              verdict.value, verdict.expected, verdict.error, verdict.bound_value));
  }
}

}  // namespace deltaproof::fuzz
