// Which head's rows are read, and how states and outputs lie in memory.
#include <algorithm>
#include <utility>

#include "properties/defects/kernel_faults.hpp"
#include "properties/defects/tables.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof {
namespace {

using namespace faults;

// Key head of a value head; integer division is right.
using KeyHead = std::int64_t (*)(std::int64_t head, const Dimensions& dims);

MakeFault keys_of(KeyHead key_head) {
  return of_run([key_head](const Problem& problem, const Sequence& sequence, std::int64_t head, HeadInputs& run) {
    const Dimensions& d = problem.dims();
    // Some value head that reads that key head.
    const HeadInputs other = head_inputs(problem, sequence, key_head(head, d) * (d.HV / d.H));
    run.q = other.q;
    run.k = other.k;
  });
}

MakeFault of_next_head(Matrix HeadInputs::*rows) {
  return of_run([rows](const Problem& problem, const Sequence& sequence, std::int64_t head, HeadInputs& run) {
    run.*rows = head_inputs(problem, sequence, (head + 1) % problem.dims().HV).*rows;
  });
}

MakeFault initial_state_transposed() {
  return of_run([](const Problem&, const Sequence&, std::int64_t, HeadInputs& run) {
    run.initial_state.transposeInPlace();
  });
}

// The bytes of a K x V (vk: V x K) matrix read as if they were one of the other layout.
MakeFault initial_state_of_other_strides() {
  return of_run([](const Problem& problem, const Sequence&, std::int64_t, HeadInputs& run) {
    const Index K = run.K, V = run.V;
    if (problem.options().state_layout == StateLayout::kv) {
      run.initial_state = Eigen::Map<const Matrix>(run.initial_state.data(), V, K).transpose().eval();
    } else {
      const Matrix stored = run.initial_state.transpose();
      run.initial_state = Eigen::Map<const Matrix>(stored.data(), K, V);
    }
  });
}

// Of every row alike, also of those that no sequence has.
Outputs final_state_in_other_layout(const Problem& problem, const Kernel& right) {
  Outputs outputs = right.run(problem);
  Tensor& state = outputs.tensors.at("final_state");
  state.bytes = laws::transposed(state).bytes;
  return outputs;
}

// [B, HV, T, V] in memory.
Outputs heads_before_tokens(const Problem& problem, const Kernel& right) {
  Outputs outputs = right.run(problem);
  Tensor& o = outputs.tensors.at("o");
  const Dimensions& d = problem.dims();
  const Tensor stored = o;
  const std::size_t row = static_cast<std::size_t>(d.V) * dtype_size(o.dtype);
  for (std::int64_t b = 0; b < d.B; ++b) {
    for (std::int64_t t = 0; t < d.T; ++t) {
      for (std::int64_t h = 0; h < d.HV; ++h) {
        const auto from = static_cast<std::size_t>((b * d.T + t) * d.HV + h) * row;
        const auto to = static_cast<std::size_t>((b * d.HV + h) * d.T + t) * row;
        std::copy_n(stored.bytes.data() + from, row, o.bytes.data() + to);
      }
    }
  }
  return outputs;
}

}  // namespace

std::vector<Defect> layout_defects() {
  using enum Stage;
  constexpr Reach everywhere = Reach::everywhere;
  constexpr BugClass map = BugClass::layout;
  constexpr KeyHead tiled = [](std::int64_t h, const Dimensions& d) { return h % d.H; };
  constexpr KeyHead shifted = [](std::int64_t h, const Dimensions& d) { return (h / (d.HV / d.H) + 1) % d.H; };
  constexpr KeyHead first = [](std::int64_t, const Dimensions&) { return std::int64_t{0}; };
  constexpr Needs heads = Needs::grouped_heads;
  return {
      {"gva_tiled", layout, map, "value heads take key heads in turns", "key head h mod H for h / (HV/H)",
       keys_of(tiled), everywhere, heads},
      {"gva_shifted", layout, map, "value heads read the key head after theirs", "key head h / (HV/H) + 1",
       keys_of(shifted), everywhere, heads},
      {"gva_first", layout, map, "every value head reads the first key head", "key head 0", keys_of(first),
       everywhere, heads},
      {"v_of_head", layout, map, "a head takes the values of the next one", "v of head h + 1",
       of_next_head(&HeadInputs::v), everywhere, Needs::two_heads},
      {"beta_of_head", layout, map, "a head writes with the coefficients of the next one", "b of head h + 1",
       of_next_head(&HeadInputs::write), everywhere, Needs::two_heads | Needs::writes},
      {"initial_transposed", layout, map, "the initial state is read with key and value channels exchanged", "S0^T",
       initial_state_transposed(), everywhere, Needs::square_state | Needs::initial_state},
      {"initial_strides", layout, map, "the initial state is read with the strides of the other layout",
       "[K, V] as [V, K]", initial_state_of_other_strides(), everywhere, Needs::oblong_state | Needs::initial_state},
      {"final_layout", layout, map, "states are stored in the other layout", "[K, V] for [V, K] and back",
       final_state_in_other_layout, everywhere},
      {"o_heads_first", layout, map, "outputs are stored with heads before tokens", "[B, HV, T, V]",
       heads_before_tokens, everywhere, Needs::two_heads | Needs::two_tokens},
  };
}

}  // namespace deltaproof
