// The same tokens in the same memory, named in two ways.
#include "properties/laws/parts.hpp"
#include "properties/laws/second_run.hpp"
#include "properties/laws/table.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial& trial) {
  if (trial.problem.find("cu_seqlens") != nullptr) return "the sequences are packed as they are";
  return trial.problem.dims().B == 1 ? "there is one batch row" : "";
}

void check(const Trial& trial, Verdict& verdict) {
  const Problem packed_problem = trial.problem.with_inputs(packed(trial.problem));
  const Outputs rows = trial.kernel.run(trial.problem);
  expect_second_run(trial, packed_problem, packed(rows), "batch rows, packed with cu_seqlens, give other bits",
                    verdict);
}

}  // namespace

const Property packed_rows{"packed_rows", "batch rows packed with cu_seqlens give the same bits", &why_not, &check};

}  // namespace deltaproof::laws
