#include "properties/accuracy/one_run.hpp"

#include <cstring>

#include "reference/problem/head.hpp"

namespace deltaproof {
namespace {

// -0 and 0, and different NaN, differ too: bits are compared.
bool same_bits(double x, double y) { return std::memcmp(&x, &y, sizeof x) == 0; }

std::optional<Location> first_difference(const Matrix& last, const Matrix& final, const Sequence& sequence,
                                         std::int64_t head, std::int64_t chunk_size) {
  for (Index i = 0; i < last.rows(); ++i) {
    for (Index j = 0; j < last.cols(); ++j) {
      if (same_bits(last(i, j), final(i, j))) continue;
      Location where;
      where.tensor = "final_state";
      where.sequence = sequence.index;
      where.token = sequence.length;
      where.chunk = (sequence.length - 1) / chunk_size;
      where.head = head;
      where.row = i;
      where.column = j;
      return where;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Location> first_contradiction(const Problem& problem, const Outputs& outputs) {
  const Tensor* states = outputs.find("chunk_states");
  const Tensor* final = outputs.find("final_state");
  if (states == nullptr || final == nullptr || states->dtype != final->dtype) return std::nullopt;
  for (const Sequence& sequence : problem.sequences()) {
    if (sequence.state_row < 0 || sequence.length == 0) continue;
    const std::int64_t count = state_count(sequence.length, problem.options().states_every);
    const std::int64_t row = chunk_state_row(*states, sequence, count - 1);
    for (std::int64_t head = 0; head < problem.dims().HV; ++head) {
      const auto found = first_difference(state_of(*states, problem, row, head),
                                          state_of(*final, problem, sequence.state_row, head), sequence,
                                          head, problem.options().chunk_size);
      if (found) return found;
    }
  }
  return std::nullopt;
}

}  // namespace deltaproof
