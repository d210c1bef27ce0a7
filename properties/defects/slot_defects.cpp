// A pool of states: other rows read, written, cleared.
#include <algorithm>
#include <utility>

#include "properties/defects/kernel_faults.hpp"
#include "properties/defects/tables.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof {
namespace {

/// The right run with other rows of the pool.
template <class Row>
Outputs run_with_rows(const Problem& problem, const Kernel& right, Row row_of) {
  std::vector<double> rows;
  for (const Sequence& s : problem.sequences()) rows.push_back(static_cast<double>(row_of(s)));
  TensorMap inputs = problem.tensors();
  inputs["state_indices"] = Tensor::from(Dtype::i32, {problem.dims().N}, rows);
  return right.run(problem.with_inputs(std::move(inputs)));
}

Outputs next_row(const Problem& problem, const Kernel& right) {
  const std::int64_t rows = problem.dims().pool;
  return run_with_rows(problem, right,
                       [rows](const Sequence& s) { return s.state_row < 0 ? -1 : (s.state_row + 1) % rows; });
}

// The first sequence of padding; if another has row 0 two would write it at once, and nothing is changed.
Outputs padding_in_row_0(const Problem& problem, const Kernel& right) {
  bool taken = std::ranges::any_of(problem.sequences(), [](const Sequence& s) { return s.state_row == 0; });
  return run_with_rows(problem, right, [&](const Sequence& s) {
    if (s.state_row >= 0 || taken) return s.state_row;
    taken = true;
    return std::int64_t{0};
  });
}

std::byte* row_of(Tensor& states, std::int64_t row, std::size_t& bytes) {
  bytes = states.bytes.size() / static_cast<std::size_t>(states.shape[0]);
  return states.bytes.data() + static_cast<std::size_t>(row) * bytes;
}

void copy_row(const Tensor& from, std::int64_t row, Tensor& to, std::int64_t to_row) {
  std::size_t bytes = 0;
  std::byte* target = row_of(to, to_row, bytes);
  std::copy_n(from.bytes.data() + static_cast<std::size_t>(row) * bytes, bytes, target);
}

/// The right run whose states are stored in other rows, one after the other; the other rows stay as they were.
template <class Row>
Outputs stored_in(const Problem& problem, const Kernel& right, Row row) {
  Outputs outputs = right.run(problem);
  const Tensor states = outputs.tensors.at("final_state");
  Tensor stored = *problem.find("initial_state");
  for (const Sequence& s : problem.sequences()) {
    if (s.state_row >= 0) copy_row(states, s.state_row, stored, row(s));
  }
  outputs.tensors["final_state"] = stored;
  return outputs;
}

Outputs all_in_row_0(const Problem& problem, const Kernel& right) {
  return stored_in(problem, right, [](const Sequence&) { return std::int64_t{0}; });
}

Outputs in_row_of_sequence(const Problem& problem, const Kernel& right) {
  return stored_in(problem, right, [](const Sequence& s) { return s.index; });
}

Outputs not_stored(const Problem& problem, const Kernel& right) {
  Outputs outputs = right.run(problem);
  outputs.tensors["final_state"] = *problem.find("initial_state");
  return outputs;
}

Outputs unused_rows_cleared(const Problem& problem, const Kernel& right) {
  Outputs outputs = right.run(problem);
  const Tensor states = outputs.tensors.at("final_state");
  Tensor& cleared = outputs.tensors.at("final_state");
  cleared = laws::filled(states, 0);
  for (const Sequence& s : problem.sequences()) {
    if (s.state_row >= 0) copy_row(states, s.state_row, cleared, s.state_row);
  }
  return outputs;
}

MakeFault read_from_row_of_sequence() {
  return faults::of_run([](const Problem& problem, const Sequence& sequence, std::int64_t head, HeadInputs& run) {
    run.initial_state = state_of(*problem.find("initial_state"), problem, sequence.index, head);
  });
}

}  // namespace

std::vector<Defect> slot_defects() {
  using enum Stage;
  constexpr Reach everywhere = Reach::everywhere;
  constexpr BugClass slot = BugClass::slots;
  constexpr Needs pool = Needs::pool;
  return {
      {"slot_off1", slots, slot, "states lie one row further in the pool", "row i + 1 mod P", next_row, everywhere,
       pool},
      {"slot_padding", slots, slot, "a sequence that is padding is run in row 0", "row 0 for -1", padding_in_row_0,
       everywhere, pool | Needs::padding},
      {"slot_all_0", slots, slot, "every sequence stores its state in row 0", "row 0", all_in_row_0, everywhere,
       pool},
      {"slot_of_sequence", slots, slot, "states are stored in the row of the sequence's number",
       "row n for state_indices[n]", in_row_of_sequence, everywhere, pool},
      {"slot_read_of_sequence", slots, slot, "states are read from the row of the sequence's number", "S0 of row n",
       read_from_row_of_sequence(), everywhere, pool},
      {"slot_not_stored", slots, slot, "the pool is not written", "S_T lost", not_stored, everywhere, pool},
      {"slot_cleared", slots, slot, "rows of the pool that no sequence has are cleared", "0 in unused rows",
       unused_rows_cleared, everywhere, pool | Needs::unused_row},
  };
}

}  // namespace deltaproof
