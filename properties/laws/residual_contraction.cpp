// The residual law of one write: what is left of the error that the write corrects,
//   e+ = v - S_t^T k = (1 - b |k|^2) e,     e = v - S~^T k,
// so for 0 <= b |k|^2 <= 2 it does not grow, and for `kla` with its own coefficient the factor lies in [0, 1).
// e+ is taken exactly from the kernel's S_t = exact + d, |d| <= bound: it is off by |d^T k| <= sum_i |k_i| bound_ic.
#include <fmt/format.h>

#include "properties/laws/applies.hpp"
#include "properties/laws/one_step.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) { return without_residual(trial.problem); }

bool is_kaczmarz(const Options& options) {
  return options.rule == Rule::kla && options.variant == KlaVariant::standard;
}

// Of `kla` from its own formula, which does not go through b.
Mpfr factor_of(const Write& write) {
  const Options& options = write.head->options;
  if (!is_kaczmarz(options) || may_be_zero(write.key_square)) return Mpfr(1) - write.b * write.key_square;
  return residual_factor(Mpfr(write.head->write(0, 0)), write.key_square, Mpfr(options.eps));
}

void check_write(const Write& write, Bounded& bounded) {
  const Mpfr factor = factor_of(write);
  const std::vector<Mpfr> zeros(write.after.size(), Mpfr(0)), read = write.read(write.step.k, zeros);
  const std::vector<double> allowed = write.read_bound(write.step.k);
  for (Index c = 0; c < write.V; ++c) {
    const auto at = static_cast<std::size_t>(c);
    // Unless the key is zero, an answer that did not write must be told.
    compare(bounded, write.at("residual", c), write.step.v[at] - read[at], factor * write.e[at], allowed[at],
            write.e[at]);
  }
}

void check(const Trial& trial, Verdict& verdict) {
  Generator draw = draws_of(trial, "residual_contraction");
  verdict.bound = "the bound of the token's state, along the key";
  Bounded bounded(verdict);
  bounded.about("the residual after a write against (1 - b |k|^2) times the residual before it");
  check_one_write(trial, draw, bounded, [&](const Write& write) { check_write(write, bounded); });
}

}  // namespace

const Property residual_contraction{
    "residual_contraction",
    "a write leaves (1 - b |k|^2) of the residual that it corrects, within the bound of "
    "one token",
    &why_not, &check};

}  // namespace deltaproof::laws
