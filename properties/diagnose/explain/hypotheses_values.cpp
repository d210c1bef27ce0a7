#include "properties/diagnose/explain/hypotheses_values.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "properties/accuracy/conformity.hpp"
#include "reference/problem/head.hpp"
#include "reference/problem/schema.hpp"

namespace deltaproof {
namespace {

bool is_pool_row(const ComparedBlock& place) { return place.sequence < 0; }

// Sets of one head: blocks x w, -1 behind.
Matrix sets_of(const Tensor& selected, const Problem& problem, const Sequence& s, std::int64_t head) {
  const Dimensions& d = problem.dims();
  const std::int64_t size = problem.options().hola.cache_block, rows = selected.shape[1];
  const std::int64_t blocks = (s.length + size - 1) / size;
  Matrix sets(blocks, d.cache);
  for (Index n = 0; n < blocks; ++n) {
    const std::int64_t at = ((s.batch * rows + s.first_block + n) * d.HV + head) * d.cache;
    for (Index i = 0; i < d.cache; ++i) sets(n, i) = static_cast<double>(selected.integer(at + i));
  }
  return sets;
}

// A row of the pool is put where a state's tokens are put, for what is compared of it.
MeasuredBlock pool_row(const Problem& problem, const Outputs& outputs, std::int64_t row, std::int64_t head,
                       double allowed) {
  MeasuredBlock block;
  block.place.tensor = "final_state";
  block.place.sequence = -1, block.place.head = head;
  block.place.is_state = true;
  block.place.first_token = row;
  block.place.chunk_size = problem.options().chunk_size;
  block.value = state_of(outputs.tensors.at("final_state"), problem, row, head);
  block.expected = state_of(*problem.find("initial_state"), problem, row, head);
  block.allowed = Matrix::Constant(block.value.rows(), block.value.cols(), allowed);
  return block;
}

void add_pool_rows(const Problem& problem, const Outputs& outputs, const std::vector<MeasuredBlock>& measured,
                   std::vector<MeasuredBlock>& blocks) {
  if (problem.find("state_indices") == nullptr || problem.find("initial_state") == nullptr) return;
  if (outputs.find("final_state") == nullptr) return;
  std::map<std::int64_t, double> allowed;
  for (const MeasuredBlock& block : measured) {
    if (!block.place.is_state || block.allowed.size() == 0) continue;
    double& most = allowed[block.place.head];
    most = std::max(most, block.allowed.maxCoeff());
  }
  for (std::int64_t row = 0; row < problem.dims().pool; ++row) {
    const auto& all = problem.sequences();
    if (std::ranges::any_of(all, [row](const Sequence& s) { return s.state_row == row; })) continue;
    for (std::int64_t head = 0; head < problem.dims().HV; ++head) {
      blocks.push_back(pool_row(problem, outputs, row, head, allowed[head]));
    }
  }
}

// [B, T, HV]: tokens x 1.
Matrix scores_of(const Tensor& scores, const Problem& problem, const Sequence& s, std::int64_t head) {
  const Dimensions& d = problem.dims();
  Matrix rows(s.length, 1);
  for (Index t = 0; t < s.length; ++t) rows(t, 0) = scores.value((s.batch * d.T + s.begin + t) * d.HV + head);
  return rows;
}

MeasuredBlock block_of_cache(const char* tensor, const Problem& problem, const Sequence& s, std::int64_t head,
                             Matrix values, double allowed) {
  MeasuredBlock block;
  block.place.tensor = tensor;
  block.place.sequence = s.index, block.place.head = head;
  block.place.chunk_size = problem.options().hola.cache_block;
  block.allowed = Matrix::Constant(values.rows(), values.cols(), allowed);
  block.expected = values;
  block.value = std::move(values);
  return block;
}

// What is expected is what a right kernel gives: it is not known before one was run, so the values stand for themselves.
// Of scores the bits alone are compared.
void add_cache(const Problem& problem, const Outputs& outputs, std::vector<MeasuredBlock>& blocks) {
  if (problem.options().rule != Rule::hola) return;
  const Tensor *selected = outputs.find("selected"), *scores = outputs.find("scores");
  for (const Sequence& s : problem.sequences()) {
    if (s.state_row < 0 || s.length == 0) continue;
    for (std::int64_t head = 0; head < problem.dims().HV; ++head) {
      if (selected != nullptr) {
        blocks.push_back(block_of_cache("selected", problem, s, head, sets_of(*selected, problem, s, head), 0.5));
      }
      if (scores == nullptr) continue;
      blocks.push_back(block_of_cache("scores", problem, s, head, scores_of(*scores, problem, s, head),
                                      std::numeric_limits<double>::infinity()));
    }
  }
}

Matrix stored(Matrix state, Dtype dtype) {
  if (dtype == Dtype::f32 || dtype == Dtype::f64) return state;
  return state.unaryExpr([dtype](double x) { return stored_value(dtype, x); });
}

Matrix initial_state_of(const Problem& problem, std::int64_t row, std::int64_t head) {
  const Tensor* initial = problem.find("initial_state");
  if (initial == nullptr) return Matrix::Zero(problem.dims().K, problem.dims().V);
  return state_of(*initial, problem, row, head);
}

}  // namespace

bool is_of_cache(const ComparedBlock& place) { return place.tensor == "selected" || place.tensor == "scores"; }

std::vector<Window> whole_windows(const Problem& problem, const std::vector<MeasuredBlock>& blocks) {
  std::map<std::pair<std::int64_t, std::int64_t>, Window> windows;
  for (const MeasuredBlock& block : blocks) {
    Window& window = windows[{block.place.sequence, block.place.head}];
    window.head = block.place.head;
    if (!is_pool_row(block.place)) {
      window.sequence = &problem.sequences()[static_cast<std::size_t>(block.place.sequence)];
      const std::int64_t size = problem.options().chunk_size;
      window.end = std::max<Index>((window.sequence->length + size - 1) / size, 1);
    }
    window.parts.push_back({&block, 0, block.value.rows(), 0});
  }
  std::vector<Window> list;
  for (auto& [place, window] : windows) list.push_back(std::move(window));
  return list;
}

Window narrowed(const Window& window, Index first, Index end, Index chunk_size) {
  Window narrow = window;
  narrow.first = first, narrow.end = end;
  narrow.parts.clear();
  for (BlockPart part : window.parts) {
    const ComparedBlock& place = part.block->place;
    if (is_of_cache(place) || is_pool_row(place)) continue;
    if (place.is_state) {
      const Index chunk = std::max<Index>(place.first_token - 1, 0) / chunk_size;
      if (chunk >= first && chunk < end) narrow.parts.push_back(part);
      continue;
    }
    const Index from = std::max<Index>(place.first_token, first * chunk_size);
    const Index to = std::min<Index>(place.first_token + part.block->value.rows(), end * chunk_size);
    if (from >= to) continue;
    part.row = from - place.first_token, part.rows = to - from;
    narrow.parts.push_back(part);
  }
  return narrow;
}

std::vector<MeasuredBlock> blocks_of_the_rest(const Problem& problem, const Outputs& outputs,
                                              const std::vector<MeasuredBlock>& measured) {
  std::vector<MeasuredBlock> blocks;
  add_pool_rows(problem, outputs, measured, blocks);
  add_cache(problem, outputs, blocks);
  return blocks;
}

std::optional<Matrix> values_of(const Emulation& run, const Problem& problem, const Outputs& recorded,
                                const Window& window, const BlockPart& part) {
  const ComparedBlock& place = part.block->place;
  if (is_pool_row(place)) return initial_state_of(problem, place.first_token, place.head);
  if (!place.is_state) {
    const Index from = place.first_token + part.row, has = std::clamp<Index>(run.o.rows() - from, 0, part.rows);
    Matrix rows = Matrix::Zero(part.rows, part.block->value.cols());
    rows.topRows(has) = run.o.middleRows(from, has).cast<double>();
    return rows;
  }
  const Dtype dtype = recorded.tensors.at(place.tensor).dtype;
  if (run.states.empty()) return stored(initial_state_of(problem, window.sequence->state_row, window.head), dtype);
  const auto at = static_cast<std::size_t>(std::max<Index>(place.first_token - 1, 0) / problem.options().chunk_size);
  if (place.tensor == "final_state") return stored(run.states.back().cast<double>(), dtype);
  if (at >= run.states.size()) return std::nullopt;
  return stored(run.states[at].cast<double>(), dtype);
}

std::optional<Matrix> values_of(const Outputs& outputs, const Problem& problem, const Outputs& recorded,
                                const Window& window, const BlockPart& part) {
  const ComparedBlock& place = part.block->place;
  const Tensor* tensor = outputs.find(place.tensor);
  if (tensor == nullptr || tensor->shape != recorded.tensors.at(place.tensor).shape) return std::nullopt;
  if (is_pool_row(place)) return state_of(*tensor, problem, place.first_token, place.head);
  if (place.tensor == "scores") return scores_of(*tensor, problem, *window.sequence, window.head);
  if (place.tensor == "selected") return sets_of(*tensor, problem, *window.sequence, window.head);
  if (!place.is_state) {
    return output_rows(*tensor, problem, *window.sequence, window.head)
        .middleRows(place.first_token + part.row, part.rows);
  }
  const std::int64_t every = problem.options().states_every;
  const std::int64_t row = place.tensor == "final_state"
                               ? window.sequence->state_row
                               : chunk_state_row(*tensor, *window.sequence, (place.first_token - 1) / every);
  return stored(state_of(*tensor, problem, row, window.head), recorded.tensors.at(place.tensor).dtype);
}

}  // namespace deltaproof
