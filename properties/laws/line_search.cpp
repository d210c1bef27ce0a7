// Along S~ + tau k e^T the loss 1/2 |S^T k - v|^2 = 1/2 (1 - tau |k|^2)^2 |e|^2 is least at tau = 1/|k|^2. The kernel
// writes with b = tau and with b = tau (1 +- 1/4), from one state of its own; the residual it leaves, exact in its
// state, must not be longer at tau than at its neighbours. With a the bound of a residual (sum_i |k_i| bound_ic),
//   |e+(tau)| <= |exact at tau| + |a|  <= |exact at a neighbour| + |a| <= |e+(neighbour)| + |a_neighbour| + |a|,
// 2-norms over the columns. A neighbour leaves |e|/4: if that is not more than the bounds, nothing could be told.
// If e = 0, every tau gives the same state: from a zero state, values of zero leave zeros at each tau.
#include <cmath>

#include "properties/laws/applies.hpp"
#include "properties/laws/full_step.hpp"
#include "properties/laws/made.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

constexpr double step_lengths[] = {1, 1.25, 0.75};  // eta = tau |k|^2; exact in every type

std::string why_not(const Trial& trial) { return no_full_step(trial); }

struct Left {
  Location where;
  double length = 0, bound = 0, before = 0;  ///< |e+|, |a|, |e|
  bool known = true;                         ///< its step is a number of fp32
};

double upwards(double x) { return x * (1 + 0x1p-30); }

Left left_by(const Write& write) {
  const std::vector<Mpfr> zeros(write.after.size(), Mpfr(0)), read = write.read(write.step.k, zeros);
  Mpfr square(0), before(0);
  double bound = 0;
  const std::vector<double> along = write.read_bound(write.step.k);
  for (std::size_t c = 0; c < read.size(); ++c) {
    const Mpfr e = write.step.v[c] - read[c];
    square += e * e;
    before += write.e[c] * write.e[c];
    bound = std::hypot(bound, along[c]);
  }
  using std::sqrt;
  return {write.at("residual", -1), to_double(Mpfr(sqrt(square))), upwards(bound), to_double(Mpfr(sqrt(before))),
          true};
}

// What every head leaves at a step length.
std::vector<Left> left_at(const Trial& trial, const Problem& alone, std::int64_t token, double eta) {
  const Problem problem = with_full_steps(alone, eta);
  std::vector<Left> all;
  for_writes(trial.kernel, problem, trial.kernel.run(problem), token, [&](const Write& write) {
    all.push_back(left_by(write));
    all.back().known = has_full_step(write);
  });
  return all;
}

void check_lengths(const Trial& trial, const Problem& alone, std::int64_t token, Bounded& bounded) {
  const std::vector<Left> least = left_at(trial, alone, token, step_lengths[0]);
  for (const double eta : {step_lengths[1], step_lengths[2]}) {
    const std::vector<Left> other = left_at(trial, alone, token, eta);
    for (std::size_t i = 0; i < least.size(); ++i) {
      if (!least[i].known || !other[i].known) continue;
      // The excess over the neighbour; a write at the neighbour's neighbour would have |e|/2 - |e|/4 of it.
      const double both = least[i].length + other[i].length;
      const double excess = std::isfinite(both) ? std::max(0.0, least[i].length - other[i].length) : NAN;
      bounded.value(least[i].where, excess, 0,
                    upwards(least[i].bound + other[i].bound) + (std::isfinite(both) ? 0x1p-52 * both : 0),
                    least[i].before / 4);
    }
  }
}

void check_no_residual(const Trial& trial, const Problem& alone, Bounded& bounded) {
  Made made(alone);
  made.fill("v", 0);
  made.fill_states([] { return 0.0; });
  const Problem problem = made.problem();
  for (const double eta : step_lengths) {
    const Problem at = with_full_steps(problem, eta);
    const Outputs outputs = trial.kernel.run(at);
    Outputs zeros;
    for (const char* name : {"o", "final_state"}) {
      zeros.tensors[name] = filled({Dtype::f64, outputs.tensors.at(name).shape, {}}, 0);
    }
    bounded.outputs(at, zeros, none_allowed(bound_in_range(at, trial.kernel, outputs).bound), outputs);
  }
}

bool has_tiny_key(const Problem& alone) {
  const Tensor& k = *alone.find("k");
  const std::int64_t K = alone.dims().K;
  for (std::int64_t row = 0; row < k.size() / K; ++row) {
    double square = 0;
    for (std::int64_t i = 0; i < K; ++i) square += k.value(row * K + i) * k.value(row * K + i);
    if (square <= 0x1p-100) return true;
  }
  return false;
}

void check(const Trial& trial, Verdict& verdict) {
  const WorkingPrecision precision(step_bits);
  Generator draw = draws_of(trial, "line_search");
  verdict.bound = "the bounds of the token's states, along the key";
  Bounded bounded(verdict);
  const std::int64_t token = drawn_token(trial.problem, draw);
  if (const auto alone = one_token(trial.kernel, trial.problem, token, bounded)) {
    bounded.about("the residual that b = 1/|k|^2 leaves, beyond what b = (1 +- 1/4)/|k|^2 leaves");
    check_lengths(trial, *alone, token, bounded);
    bounded.about("a write without a residual");
    if (!has_tiny_key(*alone)) check_no_residual(trial, *alone, bounded);
  }
  bounded.conclude();
}

}  // namespace

const Property line_search{"line_search",
                           "along k e^T no step leaves a shorter residual than b = 1/|k|^2, beyond the bounds of one "
                           "token; without a residual every step leaves the state",
                           &why_not, &check};

}  // namespace deltaproof::laws
