#include <fmt/format.h>

#include <array>
#include <limits>

#include "properties/regimes/draw.hpp"
#include "properties/runs/solve_check.hpp"

namespace deltaproof {
namespace {

// L of one chunk: beta_i k_i . k_j in fp32, from a family's keys and coefficients; NaN on and above the diagonal.
void add_chunk(const Regime& regime, std::int64_t C, Generator& g, std::vector<float>& L) {
  RegimeShape shape;
  shape.tokens = C;
  shape.K = 32;
  const Matrix keys = draw::keys(regime, shape, g);
  const Matrix beta = draw::writes(regime, shape, 1, g);
  for (Index i = 0; i < C; ++i) {
    for (Index j = 0; j < C; ++j) {
      double dot = 0;
      for (Index c = 0; c < shape.K; ++c) dot += keys(i, c) * keys(j, c);
      L.push_back(j < i ? static_cast<float>(beta(i, 0) * dot) : std::numeric_limits<float>::quiet_NaN());
    }
  }
}

}  // namespace

SolveProblem solve_case(std::uint64_t seed, std::uint64_t index) {
  constexpr std::array<std::int64_t, 3> sizes{16, 32, 64};
  constexpr std::array<std::int64_t, 4> columns{1, 8, 33, 64};
  constexpr std::array families{"rand_b1_a1", "near_parallel", "typical", "b_1.98_a1", "equal_keys", "orthonormal"};
  Generator g(seed, {0x736f6c7665, index});
  const bool usual = index < static_cast<std::uint64_t>(usual_solve_cases);
  const Regime& regime = *find_regime(families[static_cast<std::size_t>(g.integer(0, usual ? 3 : 5))]);
  SolveProblem problem;
  problem.C = sizes[index / 2 % sizes.size()];
  problem.blocked_inverse = index % 2 == 1;
  problem.batch = g.integer(1, 3);
  problem.columns = columns[static_cast<std::size_t>(g.integer(0, 3))];
  for (std::int64_t b = 0; b < problem.batch; ++b) add_chunk(regime, problem.C, g, problem.L);
  for (std::int64_t i = 0; i < problem.batch * problem.C * problem.columns; ++i) {
    problem.R.push_back(static_cast<float>(g.normal()));
  }
  problem.name =
      fmt::format("{}-{} {} C{} {} columns", regime.name, index,
                  problem.blocked_inverse ? "blocked inverse" : "substitution", problem.C, problem.columns);
  return problem;
}

}  // namespace deltaproof
