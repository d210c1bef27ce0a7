// A pool holds the states of sequences that are not in the batch: they are others'. A sequence with -1 is padding of
// the batch: nothing of it is written.
#include <fmt/format.h>

#include "properties/laws/draws.hpp"
#include "properties/laws/pools.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"
#include "properties/laws/untouched.hpp"

namespace deltaproof::laws {
namespace {

std::string why_not(const Trial&) { return {}; }

// The states in a pool with a row that no sequence has; and, of several sequences, a drawn one is skipped.
Problem with_others(const Problem& problem, Generator& draw) {
  TensorMap inputs = in_a_pool(problem);
  std::vector<std::int64_t> row = inputs.at("initial_state").shape;
  row[0] = 1;
  inputs = with_pool_row(std::move(inputs), drawn_states(row, draw));
  const Indices computed = computed_sequences(problem, 0);
  if (computed.size() > 1) {
    Tensor& rows = inputs.at("state_indices");
    std::vector<double> now;
    for (std::int64_t n = 0; n < rows.size(); ++n) now.push_back(static_cast<double>(rows.integer(n)));
    now[static_cast<std::size_t>(one_of(computed, draw))] = -1;
    rows = Tensor::from(rows.dtype, rows.shape, now);
  }
  return problem.with_inputs(std::move(inputs));
}

Location row_of_pool(std::int64_t row) { return {.tensor = "final_state", .row = row}; }

void check(const Trial& trial, Verdict& verdict) {
  Generator draw(trial.seed, {0x756e6c6973746564});
  const Problem second = with_others(trial.problem, draw);
  const std::optional<Outputs> got = second_run(trial, second, verdict);
  if (!got) return;
  verdict.bound = "bits";
  std::int64_t listed = 0;
  for (const Sequence& s : second.sequences()) listed += s.state_row >= 0;
  verdict.compared += (second.dims().pool - listed) * (got->tensors.at("final_state").size() / second.dims().pool);
  if (const auto row = changed_pool_row(second, *got)) {
    broken(verdict, row_of_pool(*row), fmt::format("row {} of the pool, which no sequence has, was changed", *row));
  }
  if (!trial.kernel.poisons_outputs()) return;
  if (const auto sequence = written_skipped_rows(second, *got)) {
    broken(verdict, {.tensor = "o", .sequence = *sequence}, "rows of o of a skipped sequence were written");
  }
}

}  // namespace

const Property unlisted_rows{
    "unlisted_rows", "rows of a pool that no sequence has keep their bits, and a skipped sequence writes nothing",
    &why_not, &check};

}  // namespace deltaproof::laws
