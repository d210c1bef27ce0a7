// sigmoid(-200) = 1.4e-87 is below every number of fp32: the layer is then its state, and o does not hang on the cache at
// all. And a sink above every logit by more than fp32 has exponents leaves all weights 0: o is the state's, too.
#include <algorithm>
#include <cmath>
#include <vector>

#include "properties/laws/cache.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

constexpr double deep_sink = 8192;  ///< every type holds it

std::string why_not(const Trial& trial) { return without_cache(trial.problem); }

double largest(const Tensor* tensor) {
  double most = 1;
  for (const double x : tensor == nullptr ? std::vector<double>{} : tensor->values()) most = std::max(most, std::abs(x));
  return most;
}

// |q~|, |k~| <= sqrt(K) max gamma; of the flat read 1.
double largest_logit(const Problem& problem) {
  const HolaOptions& hola = problem.options().hola;
  const double root = std::sqrt(static_cast<double>(problem.dims().K));
  if (hola.read == CacheRead::l2) return std::abs(hola.tau) / root;
  return std::abs(hola.tau) * root * largest(problem.find("gamma_q")) * largest(problem.find("gamma_k"));
}

void expect_o(const Trial& trial, const Problem& problem, const Outputs& closed, const char* what, Verdict& verdict) {
  const std::optional<Outputs> got = second_run(trial, problem, verdict);
  if (!got) return;
  const auto about = answered(trial.problem, [](const Location& where) {
    return where.tensor == "o" || where.tensor == "final_state";
  });
  Outputs expected;
  for (const char* name : {"o", "final_state"}) expected.tensors[name] = closed.tensors.at(name);
  expect_bits(trial.problem, without_signs_of_zero(expected), without_signs_of_zero(*got), what, verdict, about);
}

void check(const Trial& trial, Verdict& verdict) {
  const Problem problem = with_parameter(trial.problem, "cache_gate", closed_gate);
  const HolaOptions& hola = problem.options().hola;
  const Outputs closed = trial.kernel.run(problem);
  expect_o(trial, with_cache(problem, 0, hola.cache_block), closed,
           "behind a closed gate o hangs on the size of the cache", verdict);
  expect_o(trial, with_cache(problem, hola.cache_size, hola.cache_block + 3), closed,
           "behind a closed gate o hangs on the blocks", verdict);
  expect_o(trial, with_parameter(with_parameter(problem, "sink", 3), "gamma_q", 2), closed,
           "behind a closed gate o hangs on what the cache is read with", verdict);
  if (largest_logit(problem) > deep_sink / 2 || !all_finite(problem, closed, answered(problem))) return;
  expect_o(trial, with_parameter(trial.problem, "sink", deep_sink), closed,
           "a sink that takes all leaves something to the cache", verdict);
}

}  // namespace

const Property cache_closed_gate{
    "cache_closed_gate",
    "a gate of -200, and a sink above every logit, leave o to the state: nothing of the cache is seen", &why_not, &check};

}  // namespace deltaproof::laws
