// A write is a proximal step: S_t minimises 1/2 |S - S~|^2 + mu/2 |S^T k - v|^2 with mu = b / (1 - b |k|^2), for
// `kla` mu = eta / ((1 - eta) |k|^2 + eps). There the gradient S - S~ + mu k (S^T k - v)^T vanishes. The kernel's S_t
// is off by d, |d| <= bound, so its gradient is d + mu k (k^T d): at most bound_ic + mu |k_i| sum_j |k_j| bound_jc.
// mu must be finite and not negative: b >= 0 and b |k|^2 < 1. Else there is no such problem, and the head is left
// out.
#include "properties/laws/applies.hpp"
#include "properties/laws/one_step.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) { return without_residual(trial.problem); }

bool is_kaczmarz(const Options& options) {
  return options.rule == Rule::kla && options.variant == KlaVariant::standard;
}

Mpfr weight_of(const Write& write) {
  const Options& options = write.head->options;
  if (!is_kaczmarz(options)) return write.b / (Mpfr(1) - write.b * write.key_square);
  return proximal_weight(Mpfr(write.head->write(0, 0)), write.key_square, Mpfr(options.eps));
}

void check_write(const Write& write, Bounded& bounded) {
  if (write.b < 0 || !(write.b * write.key_square < 1)) return;
  const Mpfr mu = weight_of(write);
  const std::vector<Mpfr>& k = write.step.k;
  const std::vector<Mpfr> zeros(write.after.size(), Mpfr(0)), read = write.read(k, zeros);
  const std::vector<double> along_key = write.read_bound(k);
  for (Index i = 0; i < write.K; ++i) {
    const Mpfr weight = mu * k[static_cast<std::size_t>(i)];
    const double size = std::max(std::abs(lower(weight)), std::abs(upper(weight)));
    for (Index c = 0; c < write.V; ++c) {
      const auto at = static_cast<std::size_t>(i * write.V + c), column = static_cast<std::size_t>(c);
      const Mpfr moved = write.after[at] - write.step.decayed[at],
                 pull = weight * (write.step.v[column] - read[column]);
      // The gradient as 'moved = pull'; who stays at S~ is pulled by mu k e^T, and must be told.
      compare(bounded, write.at("gradient", c, i), moved - pull, Mpfr(0),
              write.bound[at] + size * along_key[column] * (1 + 0x1p-30), -weight * write.e[column]);
    }
  }
}

void check(const Trial& trial, Verdict& verdict) {
  Generator draw = draws_of(trial, "proximal");
  verdict.bound = "the bound of the token's state, in the gradient";
  Bounded bounded(verdict);
  bounded.about("the gradient of the proximal problem that a write solves");
  check_one_write(trial, draw, bounded, [&](const Write& write) { check_write(write, bounded); });
}

}  // namespace

const Property proximal{
    "proximal",
    "a write with b |k|^2 < 1 minimises 1/2 |S - S~|^2 + mu/2 |S^T k - v|^2, mu = b / (1 - b |k|^2): "
    "the gradient vanishes within the bound of one token",
    &why_not, &check};

}  // namespace deltaproof::laws
