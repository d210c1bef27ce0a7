// With b = 1/|k|^2 a write is the projection of S~ onto {S : S^T k = v}. Its two conditions of optimality, exact in
// the kernel's S_t = exact + d, |d| <= bound:
//   S_t^T k = v                            off by |k^T d| <= sum_i |k_i| bound_ic,
//   S_t - S~ = k l^T,  l = (S_t - S~)^T k / |k|^2, i.e. nothing changes across k:
//                                          (I - k k^T/|k|^2) d, at most bound_ic + |k_i|/|k|^2 sum_j |k_j| bound_jc.
// For k = 0 the projection is undefined, an error of the caller's and no NaN: a problem with a zero key is skipped with
// that reason.
#include "properties/laws/applies.hpp"
#include "properties/laws/full_step.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) { return no_full_step(trial); }

void check_write(const Write& write, Bounded& bounded) {
  if (!has_full_step(write)) return;
  const std::vector<Mpfr>& k = write.step.k;
  const std::vector<Mpfr> zeros(write.after.size(), Mpfr(0));
  const std::vector<Mpfr> read = write.read(k, zeros), moved = write.read(k, write.step.decayed);
  const std::vector<double> along = write.read_bound(k);
  for (Index c = 0; c < write.V; ++c) {
    const auto column = static_cast<std::size_t>(c);
    bounded.about("what the state reads back at its newest key against the value");
    compare(bounded, write.at("read back", c), read[column], write.step.v[column], along[column],
            write.step.v[column] - write.e[column]);
    bounded.about("what a projection changes across its key");
    for (Index i = 0; i < write.K; ++i) {
      const auto row = static_cast<std::size_t>(i), at = static_cast<std::size_t>(i * write.V + c);
      const Mpfr share = k[row] / write.key_square;
      const double size = std::max(std::abs(lower(share)), std::abs(upper(share)));
      compare(bounded, write.at("across the key", c, i),
              write.after[at] - write.step.decayed[at] - share * moved[column], Mpfr(0),
              write.bound[at] + size * along[column] * (1 + 0x1p-30), write.e[column]);
    }
  }
}

void check(const Trial& trial, Verdict& verdict) {
  Generator draw = draws_of(trial, "projection");
  verdict.bound = "the bound of the token's state, along and across the key";
  Bounded bounded(verdict);
  check_one_write(
      trial, draw, bounded, [&](const Write& write) { check_write(write, bounded); },
      [](const Problem& alone) { return with_full_steps(alone, 1); });
}

}  // namespace

const Property projection{"projection",
                          "a write with b = 1/|k|^2 is the projection onto S^T k = v: it reads the value back and "
                          "changes nothing across the key, within the bound of one token",
                          &why_not, &check};

}  // namespace deltaproof::laws
