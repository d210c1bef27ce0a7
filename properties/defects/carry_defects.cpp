// The state from chunk to chunk, before the first and after the last.
#include <cmath>
#include <utility>

#include "properties/defects/kernel_faults.hpp"
#include "properties/defects/tables.hpp"

namespace deltaproof {
namespace {

using namespace faults;

Fault chunked(Fault fault) {
  fault.kernels = Kernels::chunk;
  return fault;
}

MakeFault state_two_chunks_old() {
  Fault fault;
  fault.entering = [](std::span<const MatrixF> states) { return states[states.size() < 2 ? 0 : states.size() - 2]; };
  return always(chunked(std::move(fault)));
}

MakeFault state_handed_on_transposed() {
  Fault fault;
  fault.next_state = [](const ChunkStep&, MatrixF& S) { S.transposeInPlace(); };
  return always(std::move(fault));
}

MakeFault initial_state_times(double factor) {
  return of_run([factor](const Problem&, const Sequence&, std::int64_t, HeadInputs& run) {
    run.initial_state *= factor;
  });
}

MakeFault initial_state_of_first_head() {
  return of_run([](const Problem& problem, const Sequence& sequence, std::int64_t, HeadInputs& run) {
    run.initial_state = head_inputs(problem, sequence, 0).initial_state;
  });
}

MakeFault initial_state_of_first_sequence() {
  return of_run([](const Problem& problem, const Sequence&, std::int64_t head, HeadInputs& run) {
    for (const Sequence& first : problem.sequences()) {
      if (first.state_row < 0) continue;
      run.initial_state = head_inputs(problem, first, head).initial_state;
      return;
    }
  });
}

MatrixF state_before_last_chunk(const HeadInputs& stored, const Emulation& run) {
  const std::size_t chunks = run.states.size();
  return chunks > 1 ? run.states[chunks - 2] : MatrixF(stored.initial_state.cast<float>());
}

MakeFault last_chunk_left_out_of_final_state() {
  Fault fault;
  fault.kept = [](const HeadInputs& stored, Emulation& run) {
    if (!run.states.empty()) run.states.back() = state_before_last_chunk(stored, run);
  };
  return always(chunked(std::move(fault)));
}

MakeFault tail_left_out_of_final_state() {
  Fault fault;
  fault.kept = [](const HeadInputs& stored, Emulation& run) {
    const bool has_tail = stored.tokens % stored.options.chunk_size != 0;
    if (has_tail && !run.states.empty()) run.states.back() = state_before_last_chunk(stored, run);
  };
  return always(chunked(std::move(fault)));
}

MakeFault final_state_decayed_once_more() {
  Fault fault;
  fault.kept = [](const HeadInputs& stored, Emulation& run) {
    if (run.states.empty()) return;
    MatrixF& last = run.states.back();
    const Eigen::RowVectorXd g = stored.g.bottomRows(1);
    for (Index i = 0; i < last.rows(); ++i) last.row(i) *= static_cast<float>(std::exp(g(g.size() > 1 ? i : 0)));
  };
  return always(std::move(fault));
}

}  // namespace

std::vector<Defect> carry_defects() {
  using enum Stage;
  constexpr Reach everywhere = Reach::everywhere;
  return {
      {"carry_stale", state, BugClass::races, "every chunk starts from the state that is one chunk older",
       "S_{n-2} for S_{n-1}", state_two_chunks_old(), everywhere, Needs::two_chunks},
      {"carry_transposed", state, BugClass::layout, "the state is handed on with key and value channels exchanged",
       "S^T after each chunk", state_handed_on_transposed(), everywhere, Needs::square_state},
      {"initial_ignored", state, BugClass::initial_state, "the initial state is ignored", "S0 = 0",
       initial_state_times(0), everywhere, Needs::initial_state},
      {"initial_twice", state, BugClass::initial_state, "the initial state is added twice", "2 S0",
       initial_state_times(2), everywhere, Needs::initial_state},
      {"initial_of_head_0", state, BugClass::initial_state, "every head starts from the state of the first",
       "S0 of head 0", initial_state_of_first_head(), everywhere, Needs::initial_state | Needs::two_heads},
      {"initial_of_seq_0", state, BugClass::initial_state, "every sequence starts from the state of the first",
       "S0 of sequence 0", initial_state_of_first_sequence(), everywhere, Needs::initial_state},
      {"final_early", state, BugClass::checkpoints, "the final state is the one before the last chunk", "S_{NC-1}",
       last_chunk_left_out_of_final_state()},
      {"final_no_tail", state, BugClass::sequences, "the final state lacks the tokens after the last full chunk",
       "S after the last full chunk", tail_left_out_of_final_state(), everywhere, Needs::tail},
      {"final_decayed", state, BugClass::checkpoints, "the final state decays once more before it is stored",
       "alpha_T S_T", final_state_decayed_once_more(), everywhere, Needs::gates},
  };
}

}  // namespace deltaproof
