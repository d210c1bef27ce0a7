// The same call, over and over: a race, an atomic sum or memory that was not initialised shows as other bits.
#include <fmt/format.h>

#include "properties/laws/compare.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

constexpr int runs = 30;

std::string why_not(const Trial&) { return {}; }

void check(const Trial& trial, Verdict& verdict) {
  const Outputs first = trial.kernel.run(trial.problem);
  for (int run = 2; run <= runs; ++run) {
    expect_bits(trial.problem, first, trial.kernel.run(trial.problem),
                fmt::format("the kernel is not deterministic: run {} of {} gives other bits than run 1", run, runs),
                verdict);
  }
}

}  // namespace

const Property repeatable{"repeatable", "30 runs of one problem give the same bits", &why_not, &check};

}  // namespace deltaproof::laws
