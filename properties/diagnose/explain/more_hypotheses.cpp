#include "properties/diagnose/explain/more_hypotheses.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "properties/defects/kernel_faults.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof {
namespace {

using namespace faults;

// The bytes of a K x V (vk: V x K) matrix taken as if they were one of the other layout.
template <class M>
M of_other_strides(const M& state, StateLayout layout) {
  const Index K = state.rows(), V = state.cols();
  if (layout == StateLayout::kv) return Eigen::Map<const M>(state.data(), V, K).transpose();
  const M stored = state.transpose();
  return Eigen::Map<const M>(stored.data(), K, V);
}

MakeFault states_of_other_layout() {
  Fault fault;
  fault.run_inputs = [](const Problem& problem, const Sequence&, std::int64_t, HeadInputs& run) {
    run.initial_state = of_other_strides(run.initial_state, problem.options().state_layout);
  };
  fault.kept = [](const HeadInputs& stored, Emulation& run) {
    for (MatrixF& state : run.states) state = of_other_strides(state, stored.options.state_layout);
  };
  return always(std::move(fault));
}

MakeFault rows_of_next_head() {
  return of_run([](const Problem& problem, const Sequence& sequence, std::int64_t head, HeadInputs& run) {
    const HeadInputs next = head_inputs(problem, sequence, (head + 1) % problem.dims().HV);
    run.q = next.q, run.k = next.k;
  });
}

MakeFault queries_for_keys() {
  return of_run([](const Problem&, const Sequence&, std::int64_t, HeadInputs& run) { std::swap(run.q, run.k); });
}

MakeFault default_scale() {
  return of_run([](const Problem&, const Sequence&, std::int64_t, HeadInputs& run) {
    run.options.scale = 1 / std::sqrt(static_cast<double>(run.K));
  });
}

DamageOutputs stored_in_other_layout() {
  return [](const Problem&, Outputs& outputs, Generator&) {
    for (const char* name : {"chunk_states", "final_state"}) {
      const auto state = outputs.tensors.find(name);
      if (state != outputs.tensors.end()) state->second.bytes = laws::transposed(state->second).bytes;
    }
  };
}

}  // namespace

const std::vector<Defect>& more_hypotheses() {
  constexpr Reach everywhere = Reach::everywhere;
  constexpr BugClass map = BugClass::layout;
  static const std::vector<Defect> all = {
      {"states_layout", Stage::layout, map, "every state is stored in the other layout", "[K, V] for [V, K] and back",
       stored_in_other_layout(), everywhere, Needs::oblong_state},
      {"state_layout_ignored", Stage::layout, map, "states are read and stored in the other layout",
       "[K, V] for [V, K] and back, of S0 and S_T", states_of_other_layout(), everywhere, Needs::initial_state},
      {"qk_of_head", Stage::layout, map, "a head takes the queries and keys of the next one", "q, k of head h + 1",
       rows_of_next_head(), everywhere, Needs::two_heads},
      {"qk_exchanged", Stage::layout, map, "queries are taken for keys and keys for queries", "q for k, k for q",
       queries_for_keys(), everywhere},
      {"scale_default", Stage::reading, map, "the scale that was asked for is ignored", "scale = 1/sqrt(K)",
       default_scale(), everywhere},
  };
  return all;
}

}  // namespace deltaproof
