#include "properties/diagnose/explain/hypotheses_trial.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "properties/accuracy/emulated_hola.hpp"
#include "properties/in_parallel.hpp"
#include "reference/problem/schema.hpp"

namespace deltaproof {
namespace {

double slack_of(const MeasuredBlock& block, Index row, const Matrix& right) {
  double most = 0;
  for (Index i = 0; i < right.rows(); ++i) {
    for (Index j = 0; j < right.cols(); ++j) {
      const double off = std::abs(right(i, j) - block.expected(row + i, j));
      if (std::isfinite(off)) most = std::max(most, off);
    }
  }
  return most;
}

}  // namespace

HypothesisTrial::HypothesisTrial(const RecordedRun& run, const HypothesisKernel& kernel, std::vector<Window> windows, int threads)
    : run_(run), kernel_(kernel), windows_(std::move(windows)) {
  run_right(threads);
  for (std::size_t w = 0; w < windows_.size(); ++w) {
    Window& window = windows_[w];
    std::vector<Tally>& tallies = right_parts_.emplace_back();
    for (BlockPart& part : window.parts) {
      const std::optional<Matrix> values = right_values(window, part);
      const bool is_number = !is_of_cache(part.block->place);
      if (values && is_number && !kernel_.exact) part.slack = slack_of(*part.block, part.row, *values);
      tallies.push_back(values ? tally(*part.block, part.row, *values, part.slack) : Tally{});
    }
  }
}

// Rule hola needs all heads: one may be given what another keeps.
void HypothesisTrial::run_right(int threads) {
  const bool cached = run_.problem.options().rule == Rule::hola;
  std::vector<Window> heads;
  if (cached) {
    for (const Sequence& s : kernel_.state.sequences()) {
      if (s.state_row < 0) continue;
      for (std::int64_t head = 0; head < kernel_.state.dims().HV; ++head) {
        heads.push_back({&s, head, 0, std::numeric_limits<Index>::max(), {}});
      }
    }
  } else {
    std::ranges::copy_if(windows_, std::back_inserter(heads), [](const Window& w) { return w.sequence != nullptr; });
  }
  std::vector<Emulation> runs(heads.size());
  in_parallel(heads.size(), threads, [&](std::size_t i) { runs[i] = this->run({}, heads[i], nullptr); });
  for (std::size_t i = 0; i < heads.size(); ++i) right_[{heads[i].sequence->index, heads[i].head}] = std::move(runs[i]);
  if (cached) right_of_cache_ = cache_run({}, {});
}

HeadPart HypothesisTrial::part_of(const Sequence& sequence, std::int64_t head, Index first, Index end) const {
  HeadPart part;
  part.end = end;
  if (const Tensor* o = run_.outputs.find("o"); o != nullptr && kernel_.exact) part.stored = dtype_format(o->dtype);
  if (!run_.from_recorded_states) return part;
  part.first = first;
  const Tensor* states = run_.outputs.find("chunk_states");
  const std::int64_t size = run_.problem.options().chunk_size, every = run_.problem.options().states_every;
  if (every != size) part.first = first * size / every * every / size;  // the last one that is known
  part.known_state = [this, &sequence, head, states, size, every](Index chunk) -> std::optional<MatrixF> {
    if (chunk == 0 || chunk * size % every != 0) return std::nullopt;
    const std::int64_t at = chunk * size / every - 1;
    if (at >= state_count(sequence.length, every)) return std::nullopt;
    return state_of(*states, run_.problem, chunk_state_row(*states, sequence, at), head).cast<float>();
  };
  return part;
}

// The sequence of the kernel's own problem: that of the run may have other inputs.
Emulation HypothesisTrial::run(const Fault& fault, const Window& window, const Emulation* right) const {
  const Sequence& sequence = kernel_.state.sequences()[static_cast<std::size_t>(window.sequence->index)];
  return run_head(fault, kernel_.state, kernel_.declared, sequence, window.head, right,
                  part_of(sequence, window.head, window.first, window.end));
}

Outputs HypothesisTrial::cache_run(const HolaFault& of_cache, const Fault& of_state) const {
  const Problem& part = kernel_.state;
  if (of_cache.written) return emulated_hola(kernel_.problem, of_cache, hola_state(part, kernel_.declared, of_cache), true);
  const auto state = [&](const Sequence& sequence, std::int64_t head) {
    const bool elsewhere = (of_state.head >= 0 && of_state.head != head) ||
                           (of_state.sequence >= 0 && of_state.sequence != sequence.index);
    const Emulation& right = right_.at({sequence.index, head});
    if (elsewhere || !is_in(of_state, kernel_.declared)) return right;
    return run_head(of_state, part, kernel_.declared, sequence, head);  // scores need the writes of all chunks
  };
  return emulated_hola(kernel_.problem, of_cache, state, true);
}

const Emulation& HypothesisTrial::right_run(const Window& window) const {
  return right_.at({window.sequence->index, window.head});
}

Outputs HypothesisTrial::right_outputs() const {
  if (right_of_cache_) return *right_of_cache_;
  const auto right = [this](const Sequence& sequence, std::int64_t head) { return right_.at({sequence.index, head}); };
  return assembled_outputs(kernel_.state, right, run_.outputs.find("chunk_states") != nullptr);
}

std::optional<Matrix> HypothesisTrial::right_values(const Window& window, const BlockPart& part) const {
  if (right_of_cache_) return values_of(*right_of_cache_, run_.problem, run_.outputs, window, part);
  static const Emulation none;
  return values_of(window.sequence == nullptr ? none : right_run(window), run_.problem, run_.outputs, window, part);
}

Tally HypothesisTrial::right() const {
  Tally sum;
  for (const auto& parts : right_parts_) {
    for (const Tally& part : parts) sum.add(part);
  }
  return sum;
}

template <class Run>
Held HypothesisTrial::held(const Run& run, std::size_t window) const {
  Held sum;
  const Window& w = windows_[window];
  for (std::size_t i = 0; i < w.parts.size(); ++i) {
    const BlockPart& part = w.parts[i];
    const std::optional<Matrix> values = values_of(run, run_.problem, run_.outputs, w, part);
    const Tally& right = right_parts_[window][i];
    if (!values || right.compared == 0) continue;
    sum.add({tally(*part.block, part.row, *values, part.slack), right});
  }
  return sum;
}

Held HypothesisTrial::hold(const Fault& fault, std::size_t window) const {
  const Window& w = windows_[window];
  if (w.sequence == nullptr) return held(Emulation{}, window);
  return held(run(fault, w, &right_run(w)), window);
}

Held HypothesisTrial::hold(const Fault& fault) const {
  if (right_of_cache_) return hold(cache_run({}, fault));
  Held sum;
  for (std::size_t w = 0; w < windows_.size(); ++w) sum.add(hold(fault, w));
  return sum;
}

Held HypothesisTrial::hold(const HolaFault& fault) const { return hold(cache_run(fault, {})); }

Held HypothesisTrial::hold(const Outputs& outputs) const {
  Held sum;
  for (std::size_t w = 0; w < windows_.size(); ++w) sum.add(held(outputs, w));
  return sum;
}

}  // namespace deltaproof
