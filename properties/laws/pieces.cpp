#include "properties/laws/pieces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/stepwise.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

std::size_t row_bytes(const Tensor& tensor) {
  std::size_t bytes = dtype_size(tensor.dtype);
  for (std::size_t i = 2; i < tensor.shape.size(); ++i) bytes *= static_cast<std::size_t>(tensor.shape[i]);
  return bytes;
}

// Of pieces: what each was to be and may be, and what all of them were to be and may be together.
struct Together {
  Outputs got, expected, bound;
};

Together blank(const Outputs& whole, const RunBound& bound) {
  Together all;
  for (const char* name : {"o", "final_state"}) {
    all.got.tensors[name] = whole.tensors.at(name);
    all.expected.tensors[name] = bound.expected.tensors.at(name);
    all.bound.tensors[name] = filled(bound.bound.tensors.at(name), 0);
  }
  return all;
}

void add(const Problem& problem, const Piece& piece, const RunBound& bound, Together& all) {
  place_rows(piece.outputs.tensors.at("o"), problem, piece.begin, piece.count, all.got.tensors.at("o"));
  place_rows(bound.expected.tensors.at("o"), problem, piece.begin, piece.count, all.expected.tensors.at("o"));
  place_rows(bound.bound.tensors.at("o"), problem, piece.begin, piece.count, all.bound.tensors.at("o"));
  all.got.tensors["final_state"] = piece.outputs.tensors.at("final_state");
  all.expected.tensors["final_state"] = bound.expected.tensors.at("final_state");
  all.bound.tensors["final_state"] = bound.bound.tensors.at("final_state");
}

// No token, no rounding: what goes in comes out.
RunBound bound_of(const Kernel& kernel, const Piece& piece) {
  if (piece.problem.dims().T > 0) return bound_in_range(piece.problem, kernel, piece.outputs);
  RunBound bound;
  bound.expected = piece.outputs;
  bound.expected.tensors["final_state"] = *piece.problem.find("initial_state");
  for (const char* name : {"o", "final_state"}) {
    const Tensor& like = bound.expected.tensors.at(name);
    bound.bound.tensors[name] = filled({Dtype::f64, like.shape, {}}, 0);
  }
  return bound;
}

}  // namespace

bool finite_states(const Problem& problem, const Tensor& states) {
  const std::int64_t size = states.size() / std::max<std::int64_t>(states.shape[0], 1);
  for (const Sequence& sequence : problem.sequences()) {
    for (std::int64_t i = 0; sequence.state_row >= 0 && i < size; ++i) {
      if (!std::isfinite(states.value(sequence.state_row * size + i))) return false;
    }
  }
  return true;
}

Problem first_tokens(const Problem& problem, std::int64_t count) {
  return longest_answered(problem) <= count ? problem : tokens_of(problem, 0, count, states_before(problem));
}

std::vector<Piece> run_in_pieces(const Kernel& kernel, const Problem& problem,
                                 const std::vector<std::int64_t>& cuts) {
  std::vector<Piece> pieces;
  Tensor states = states_before(problem);
  for (std::size_t i = 0; i + 1 < cuts.size() && finite_states(problem, states); ++i) {
    Piece piece{cuts[i], cuts[i + 1] - cuts[i], tokens_of(problem, cuts[i], cuts[i + 1] - cuts[i], states), {}};
    piece.outputs = kernel.run(piece.problem);
    states = piece.outputs.tensors.at("final_state");
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

void place_rows(const Tensor& piece, const Problem& problem, std::int64_t begin, std::int64_t count, Tensor& whole) {
  const std::size_t row = row_bytes(whole);
  const std::byte* from = piece.bytes.data();
  for (const Sequence& sequence : problem.sequences()) {
    const auto bytes = static_cast<std::size_t>(std::clamp<std::int64_t>(sequence.length - begin, 0, count)) * row;
    if (bytes == 0) continue;
    const std::int64_t to = sequence.batch * problem.dims().T + sequence.begin + begin;
    std::memcpy(whole.bytes.data() + static_cast<std::size_t>(to) * row, from, bytes);
    from += bytes;
  }
}

void agree_in_pieces(const Trial& trial, const Problem& problem, const std::vector<std::int64_t>& cuts,
                     Verdict& verdict) {
  const Outputs whole = trial.kernel.run(problem);
  const RunBound of_whole = bound_in_range(problem, trial.kernel, whole);
  Together all = blank(whole, of_whole);
  Bounded bounded(verdict);
  for (const Piece& piece : run_in_pieces(trial.kernel, problem, cuts)) {
    const RunBound bound = bound_of(trial.kernel, piece);
    bounded.about(fmt::format("the state after token {}", piece.begin + piece.count));
    bounded.outputs(piece.problem, bound.expected, bound.bound, piece.outputs,
                    [](const Location& where) { return where.tensor == "final_state"; });
    add(problem, piece, bound, all);
  }
  if (verdict.status == Status::passed) {  // else later pieces began with a state that is not right
    bounded.about("a run in pieces against one run");
    const Outputs allowed = sum_of(sum_of(all.bound, of_whole.bound), distance_of(all.expected, of_whole.expected));
    bounded.outputs(problem, whole, allowed, all.got);
  }
  bounded.conclude();
}

}  // namespace deltaproof::laws
