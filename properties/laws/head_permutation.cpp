// Key heads change places together with their value heads, and value heads within their group.
#include "properties/laws/draws.hpp"
#include "properties/laws/second_run.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) { return trial.problem.dims().HV == 1 ? "there is one value head" : ""; }

void check_order(const Trial& trial, const Outputs& first, const Indices& keys, const Indices& values,
                 Verdict& verdict) {
  const Problem second = trial.problem.with_inputs(with_heads(trial.problem, keys, values));
  expect_second_run(trial, second, with_heads(first, values),
                    "with the heads in another order one of them has other bits "
                    "(its place is that of the second run)",
                    verdict);
}

// Each on its own: a head map that is wrong may be the same again when both orders are reversed.
void check(const Trial& trial, Verdict& verdict) {
  const std::int64_t H = trial.problem.dims().H, group = trial.problem.dims().HV / H;
  Generator draw(trial.seed, {0x6865616473});
  const Outputs first = trial.kernel.run(trial.problem);
  const Indices keys = shuffled(H, draw);
  Indices with_their_keys, in_their_groups;
  for (std::int64_t key = 0; key < H; ++key) {
    for (std::int64_t i = 0; i < group; ++i)
      with_their_keys.push_back(keys[static_cast<std::size_t>(key)] * group + i);
    for (const std::int64_t i : shuffled(group, draw)) in_their_groups.push_back(key * group + i);
  }
  if (H > 1) check_order(trial, first, keys, with_their_keys, verdict);
  if (group > 1) check_order(trial, first, range(0, H), in_their_groups, verdict);
}

}  // namespace

const Property head_permutation{
    "head_permutation", "key heads in another order, with their value heads, give the same bits", &why_not, &check};

}  // namespace deltaproof::laws
