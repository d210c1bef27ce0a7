// Packed sequences: boundaries that are ignored, moved or passed.
#include <algorithm>
#include <utility>

#include "properties/defects/tables.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof {
namespace {

std::vector<double> boundaries(const Problem& problem) {
  std::vector<double> ends{0};
  for (const Sequence& s : problem.sequences()) ends.push_back(static_cast<double>(s.begin + s.length));
  return ends;
}

/// The same tokens cut elsewhere.
Outputs run_with_boundaries(const Problem& problem, const Kernel& right, const std::vector<double>& ends) {
  TensorMap inputs = problem.tensors();
  inputs["cu_seqlens"] = Tensor::from(Dtype::i64, {static_cast<std::int64_t>(ends.size())}, ends);
  return right.run(problem.with_inputs(std::move(inputs)));
}

/// The run with each boundary between two sequences moved by `move` of it, but not past its neighbours.
template <class Move>
Outputs run_with_moved(const Problem& problem, const Kernel& right, Move move) {
  std::vector<double> ends = boundaries(problem);
  for (std::size_t n = 1; n + 1 < ends.size(); ++n) ends[n] = std::max(ends[n - 1], move(ends[n]));
  return run_with_boundaries(problem, right, ends);
}

Outputs early_boundaries(const Problem& problem, const Kernel& right) {
  return run_with_moved(problem, right, [](double end) { return end - 1; });
}

Outputs boundaries_on_chunk_grid(const Problem& problem, const Kernel& right) {
  const std::int64_t chunk = problem.options().chunk_size;
  return run_with_moved(problem, right, [chunk](double end) {
    return static_cast<double>(static_cast<std::int64_t>(end) / chunk * chunk);
  });
}

Outputs last_token_missing(const Problem& problem, const Kernel& right) {
  std::vector<double> ends = boundaries(problem);
  const double most = ends.back() - 1;
  for (double& end : ends) end = std::min(end, most);
  return run_with_boundaries(problem, right, ends);
}

/// One sequence of a packed problem alone, from a state of its own ([1, HV, ..]).
Outputs run_alone(const Problem& problem, const Sequence& sequence, const Tensor& state, const Kernel& right) {
  TensorMap inputs;
  for (const auto& [name, tensor] : problem.tensors()) {
    if (name == "cu_seqlens" || name == "state_indices" || name == "initial_state") continue;
    inputs[name] = laws::taken(tensor, 1, laws::range(sequence.begin, sequence.length));
  }
  inputs["initial_state"] = state;
  return right.run(problem.with_inputs(std::move(inputs)));
}

/// Writes `part` over rows of `whole` from `row` on; `axes`: how many a row number counts over.
void put(const Tensor& part, std::int64_t row, std::size_t axes, Tensor& whole) {
  std::size_t bytes = dtype_size(whole.dtype);
  for (std::size_t i = axes; i < whole.shape.size(); ++i) bytes *= static_cast<std::size_t>(whole.shape[i]);
  std::copy_n(part.bytes.data(), part.bytes.size(), whole.bytes.data() + static_cast<std::size_t>(row) * bytes);
}

Outputs state_carried_on(const Problem& problem, const Kernel& right) {
  Outputs outputs = right.run(problem);
  Tensor& o = outputs.tensors.at("o");
  Tensor& states = outputs.tensors.at("final_state");
  const Tensor* initial = problem.find("initial_state");
  Tensor state;
  for (const Sequence& s : problem.sequences()) {
    if (s.state_row < 0 || s.length == 0) continue;
    if (state.shape.empty()) {
      state = laws::taken(initial == nullptr ? laws::filled(states, 0) : *initial, 0, {s.state_row});
    }
    const Outputs alone = run_alone(problem, s, state, right);
    put(alone.tensors.at("o"), s.begin, 2, o);
    state = alone.tensors.at("final_state");
    put(state, s.state_row, 1, states);
  }
  return outputs;
}

Outputs boundaries_ignored(const Problem& problem, const Kernel& right) {
  Outputs outputs = right.run(problem);
  const Sequence& first = problem.sequences().front();
  if (first.state_row < 0) return outputs;
  Sequence all = first;
  all.length = problem.sequences().back().begin + problem.sequences().back().length - first.begin;
  const Tensor& states = outputs.tensors.at("final_state");
  const Tensor* initial = problem.find("initial_state");
  const Tensor state = laws::taken(initial == nullptr ? laws::filled(states, 0) : *initial, 0, {first.state_row});
  const Outputs one = run_alone(problem, all, state, right);
  put(one.tensors.at("o"), all.begin, 2, outputs.tensors.at("o"));
  put(one.tensors.at("final_state"), first.state_row, 1, outputs.tensors.at("final_state"));
  return outputs;
}

Outputs state_of_empty_lost(const Problem& problem, const Kernel& right) {
  Outputs outputs = right.run(problem);
  Tensor& states = outputs.tensors.at("final_state");
  for (const Sequence& s : problem.sequences()) {
    if (s.state_row < 0 || s.length > 0) continue;
    put(laws::filled(laws::taken(states, 0, {s.state_row}), 0), s.state_row, 1, states);
  }
  return outputs;
}

}  // namespace

std::vector<Defect> sequence_defects() {
  using enum Stage;
  constexpr Reach everywhere = Reach::everywhere;
  constexpr BugClass varlen = BugClass::sequences;
  constexpr Needs two = Needs::two_sequences;
  return {
      {"varlen_carried", sequences, varlen, "the state of a sequence is carried into the next one",
       "S0 of sequence n + 1 = S_T of sequence n", state_carried_on, everywhere, two},
      {"varlen_ignored", sequences, varlen, "packed sequences are run as one", "no boundary", boundaries_ignored,
       everywhere, two},
      {"varlen_short", sequences, varlen, "the last token of the packed run is left out", "cu_seqlens ends at T - 1",
       last_token_missing, everywhere, two},
      {"varlen_early", sequences, varlen, "sequences begin one token early", "cu_seqlens[n] - 1", early_boundaries,
       everywhere, two},
      {"varlen_grid", sequences, varlen, "sequences begin at the chunk that holds their boundary",
       "C floor(cu_seqlens[n] / C)", boundaries_on_chunk_grid, everywhere, two},
      {"varlen_empty_lost", sequences, varlen, "the state of an empty sequence is lost", "S_T = 0 where T = 0",
       state_of_empty_lost, everywhere, Needs::empty_sequence | Needs::initial_state},
  };
}

}  // namespace deltaproof
