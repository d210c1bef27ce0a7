// Odd sizes between guard zones: a kernel that reads or writes whole tiles where only part of one is there touches
// what is not its own. Asked of kernels whose buffers lie between guard zones (kernels/built_in/device.hpp); a zone
// that is broken is a fault of the kernel, `error`. Each value channel is computed as it was among the others.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "properties/laws/parts.hpp"
#include "properties/laws/second_run.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

Problem first_columns(const Problem& problem, std::int64_t count) {
  return problem.with_inputs(with_columns(problem, range(0, count)));
}

// The largest number of channels below `columns` that the kernel computes; 0 if there is none. Kernels want multiples
// of a small power of two.
std::int64_t fewer_columns(const Trial& trial, std::int64_t columns) {
  for (std::int64_t step = 1; step < columns && step <= 64; step *= 2) {
    const std::int64_t count = (columns - 1) / step * step;
    if (count == 0) break;
    if (trial.kernel.refusal(first_columns(trial.problem, count)).empty()) return count;
  }
  return 0;
}

std::string why_not(const Trial& trial) {
  if (!trial.kernel.poisons_outputs()) return "the kernel's buffers have no guard zones";
  return fewer_columns(trial, trial.problem.dims().V) == 0 ? "the kernel computes no smaller number of channels" : "";
}

void check(const Trial& trial, Verdict& verdict) {
  const Problem& problem = trial.problem;
  const Outputs all = trial.kernel.run(problem);
  // A last tile that is not full, and the fewest channels that there can be.
  const std::int64_t most = fewer_columns(trial, problem.dims().V);
  std::int64_t least = most;
  for (std::int64_t count = most; count > 0; count = fewer_columns(trial, std::min<std::int64_t>(count, 9))) {
    least = count;
  }
  for (const std::int64_t count : {most, least}) {
    const Problem second = first_columns(problem, count);
    const std::optional<Outputs> got = second_run(trial, second, verdict);
    if (!got) return;
    expect_bits(second, with_columns(problem, all, range(0, count)), *got,
                fmt::format("the first {} value channels alone give other bits", count), verdict,
                answered(second, of_columns(problem)));
  }
}

}  // namespace

const Property guard_zones{"guard_zones",
                           "fewer value channels give the same bits, and no guard zone around a buffer is broken",
                           &why_not, &check};

}  // namespace deltaproof::laws
