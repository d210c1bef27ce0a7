// What the RMSNorm read is for: with gamma = 1 and without eps its logits are K times those of the flat read, so a flat
// read at K tau is the same read. In bits where the declared order, read to the bit, says so (K a power of 4).
#include "kernels/bits.hpp"
#include "properties/accuracy/emulated_outputs.hpp"
#include "properties/laws/cache.hpp"
#include "properties/laws/promises.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) {
  if (std::string why = without_cache(trial.problem); !why.empty()) return why;
  return declared_of(trial.kernel, trial.problem) ? "" : "the kernel declares no order of roundings";
}

Problem reading(const Problem& problem, CacheRead read, double tau) {
  Options options = problem.options();
  options.hola.read = read;
  options.hola.tau = tau;
  options.hola.read_eps = options.qk_l2norm_eps = 0;
  TensorMap inputs = problem.tensors();
  const Tensor ones = filled({Dtype::f32, {problem.dims().HV, problem.dims().K}, {}}, 1);
  for (const char* gamma : {"gamma_q", "gamma_k"}) {
    inputs.erase(gamma);
    if (read == CacheRead::rmsnorm) inputs[gamma] = ones;
  }
  return problem.with_options(std::move(options), std::move(inputs));
}

// True if the declared order of roundings, read to the bit, gives both the same.
bool promises_bits(const Declared& declared, const Problem& sharp, const Problem& flat) {
  if (!no_emulation(declared, sharp.state_part()).empty()) return false;
  const Outputs one = emulated_outputs(sharp, declared, false), other = emulated_outputs(flat, declared, false);
  return compare_judged_bits(flat, one, other).unequal == 0;
}

void check(const Trial& trial, Verdict& verdict) {
  const double tau = trial.problem.options().hola.tau;
  const Problem sharp = reading(trial.problem, CacheRead::rmsnorm, tau);
  const Problem flat = reading(trial.problem, CacheRead::l2, tau * static_cast<double>(trial.problem.dims().K));
  const std::optional<Outputs> first = second_run(trial, sharp, verdict);
  if (!first) return;
  const std::optional<Outputs> got = second_run(trial, flat, verdict);
  if (!got) return;
  if (!promises_bits(declared_of(trial.kernel, sharp).value(), sharp, flat)) {
    return skip(verdict, "the declared order of roundings does not promise bits");
  }
  expect_bits(flat, *first, *got, "a flat read at K tau differs from the RMSNorm read at tau", verdict, answered(flat));
}

}  // namespace

const Property cache_sharpening{
    "cache_sharpening", "the RMSNorm read with gamma = 1 is the flat read with tau times K", &why_not, &check};

}  // namespace deltaproof::laws
