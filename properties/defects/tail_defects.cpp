// The last chunk of a sequence, where it is not full.
#include <algorithm>
#include <utility>

#include "properties/defects/kernel_faults.hpp"
#include "properties/defects/tables.hpp"

namespace deltaproof {
namespace {

using namespace faults;

MakeFault of_chunks(Fault fault) {
  fault.kernels = Kernels::chunk;
  return always(std::move(fault));
}

Index tail_of(const HeadInputs& stored) { return stored.tokens % stored.options.chunk_size; }

// Rows beyond the end of a sequence: those of its tokens from the first on, or zeros, or the last one over and over.
enum class Beyond { tokens, zeros, last };

void fill_up(Matrix& rows, Index count, Beyond beyond) {
  if (rows.size() == 0) return;
  const Index n = rows.rows();
  const Matrix stored = rows;
  rows.conservativeResize(n + count, Eigen::NoChange);
  for (Index t = n; t < n + count; ++t) {
    rows.row(t).setZero();
    if (beyond == Beyond::tokens) rows.row(t) = stored.row(t % n);
    if (beyond == Beyond::last) rows.row(t) = stored.row(n - 1);
  }
}

/// The tail run as a full chunk: what is beyond its end has rows of other tokens, or the last token's gates alone.
MakeFault tail_filled_up(bool gates_alone) {
  Fault fault;
  fault.run_inputs = [gates_alone](const Problem&, const Sequence&, std::int64_t, HeadInputs& run) {
    if (tail_of(run) == 0) return;
    const Index count = run.options.chunk_size - tail_of(run);
    const Beyond beyond = gates_alone ? Beyond::zeros : Beyond::tokens;
    for (Matrix* rows : {&run.q, &run.k, &run.v, &run.write}) fill_up(*rows, count, beyond);
    fill_up(run.g, count, gates_alone ? Beyond::last : Beyond::tokens);
    run.tokens += count;
  };
  return of_chunks(std::move(fault));
}

MatrixF state_before_tail(const HeadInputs& stored, const Emulation& run) {
  return run.states.size() > 1 ? run.states[run.states.size() - 2] : MatrixF(stored.initial_state.cast<float>());
}

MakeFault tail_left_out() {
  Fault fault;
  fault.kept = [](const HeadInputs& stored, Emulation& run) {
    if (tail_of(stored) == 0) return;
    run.o.bottomRows(tail_of(stored)).setZero();
    run.states.back() = state_before_tail(stored, run);
  };
  return of_chunks(std::move(fault));
}

MakeFault tail_outputs_not_stored() {
  Fault fault;
  fault.kept = [](const HeadInputs& stored, Emulation& run) { run.o.bottomRows(tail_of(stored)).setZero(); };
  return of_chunks(std::move(fault));
}

/// The run ends one token early, and that token's row of o is not written.
MakeFault last_token_left_out() {
  Fault fault;
  fault.run_inputs = [](const Problem&, const Sequence&, std::int64_t, HeadInputs& run) {
    if (run.tokens > 0) run = run.slice(0, run.tokens - 1, run.initial_state);
  };
  fault.kept = [](const HeadInputs& stored, Emulation& run) {
    if (stored.tokens == 0) return;
    run.o.conservativeResize(stored.tokens, stored.V);
    run.o.bottomRows(1).setZero();
    const Index chunks = (stored.tokens - 1) / stored.options.chunk_size + 1;
    if (std::ssize(run.states) == chunks) return;
    run.states.push_back(run.states.empty() ? MatrixF(stored.initial_state.cast<float>()) : run.states.back());
  };
  return always(std::move(fault));
}

}  // namespace

std::vector<Defect> tail_defects() {
  using enum Stage;
  constexpr Reach everywhere = Reach::everywhere;
  constexpr BugClass varlen = BugClass::sequences;
  return {
      {"tail_garbage", tail, BugClass::uninitialised,
       "what lies beyond the end of a sequence is written to its state", "a full chunk, with rows of other tokens",
       tail_filled_up(false), everywhere, Needs::tail},
      {"tail_decay", tail, varlen, "the state decays as over a full chunk", "gamma_C for gamma_n",
       tail_filled_up(true), everywhere, Needs::tail | Needs::gates},
      {"tail_skipped", tail, varlen, "a last chunk that is not full is not run", "o = 0, S_T = S before it",
       tail_left_out(), everywhere, Needs::tail},
      {"tail_o_lost", tail, varlen, "outputs of a last chunk that is not full are not stored", "o = 0",
       tail_outputs_not_stored(), everywhere, Needs::tail},
      {"last_token_lost", tail, varlen, "the last token of a sequence is left out", "t < T - 1",
       last_token_left_out()},
  };
}

}  // namespace deltaproof
