// What one write changes for other keys: k'^T (S_t - S~) = b (k . k') e for every k'. Each other key is read back
// exactly from the kernel's S_t, which is off by d, |d| <= bound: by |k'^T d| <= sum_i |k'_i| bound_ic.
#include "properties/laws/applies.hpp"
#include "properties/laws/one_step.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) { return not_to_be_cut(trial.problem); }

// A random direction: multiples of 1/4 in [-1, 1].
std::vector<Mpfr> other_key(Index K, Generator& draw) {
  std::vector<Mpfr> key;
  for (Index i = 0; i < K; ++i) key.push_back(Mpfr(draw.integer(-4, 4)) / Mpfr(4));
  return key;
}

void check_write(const Write& write, Generator& draw, Bounded& bounded) {
  const std::vector<Mpfr> key = other_key(write.K, draw);
  const std::vector<Mpfr> read = write.read(key, write.step.decayed);
  const std::vector<double> allowed = write.read_bound(key);
  Mpfr overlap(0);
  for (Index i = 0; i < write.K; ++i) {
    overlap += write.step.k[static_cast<std::size_t>(i)] * key[static_cast<std::size_t>(i)];
  }
  for (Index c = 0; c < write.V; ++c) {
    const auto at = static_cast<std::size_t>(c);
    compare(bounded, write.at("interference", c), read[at], write.b * overlap * write.e[at], allowed[at], Mpfr(0));
  }
}

void check(const Trial& trial, Verdict& verdict) {
  Generator draw = draws_of(trial, "interference");
  verdict.bound = "the bound of the token's state, along another key";
  Bounded bounded(verdict);
  bounded.about("what a write changes for another key k' against b (k . k') e");
  check_one_write(trial, draw, bounded, [&](const Write& write) { check_write(write, draw, bounded); });
}

}  // namespace

const Property interference{
    "interference",
    "another key k' reads back a change of b (k . k') e from a write, within the bound of one "
    "token",
    &why_not, &check};

}  // namespace deltaproof::laws
