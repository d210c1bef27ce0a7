#include "properties/diagnose/shrink/slice.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "properties/laws/tensors.hpp"
#include "reference/problem/input_error.hpp"
#include "reference/problem/schema.hpp"

namespace deltaproof {
namespace {

using laws::Indices;

std::size_t row_bytes(const Tensor& tensor) {
  return tensor.shape[0] == 0 ? 0 : tensor.bytes.size() / static_cast<std::size_t>(tensor.shape[0]);
}

// The first two axes as one, so that rows of several batch rows can be taken together.
Tensor flat(const Tensor& tensor) {
  Tensor result = tensor;
  result.shape.erase(result.shape.begin());
  result.shape[0] *= tensor.shape[0];
  return result;
}

class Slicer {
 public:
  Slicer(const RunCase& run, const Slice& slice) : run_(run), p_(run.problem), slice_(slice) {
    packed_ = p_.find("cu_seqlens") != nullptr;
    pooled_ = p_.find("state_indices") != nullptr;
    every_ = p_.options().states_every;
  }

  std::optional<RunCase> make() {
    if (slice_.sequences.empty() || !rows_fit()) return std::nullopt;
    TensorMap inputs;
    for (const TensorSpec& spec : input_specs(p_.options())) {
      if (const Tensor* tensor = p_.find(spec.name)) inputs[spec.name] = taken(spec, *tensor);
    }
    if (!enter_states(inputs)) return std::nullopt;
    RunCase result{run_.metadata, p_.with_inputs(std::move(inputs)), {}};
    for (const TensorSpec& spec : output_specs(p_.options())) {
      const Tensor* tensor = run_.outputs.find(spec.name);
      if (tensor == nullptr || !is_known(spec.name)) continue;
      result.outputs.tensors[spec.name] = taken(spec, *tensor);
    }
    leave_states(result.outputs);
    return result;
  }

 private:
  const Sequence& sequence(const TokenRange& range) const {
    return p_.sequences()[static_cast<std::size_t>(range.sequence)];
  }
  bool is_cut(const TokenRange& range) const { return range.end < sequence(range).length; }
  bool begins_with_state(const TokenRange& range) const { return range.begin > 0 && slice_.from_states; }

  bool rows_fit() const {
    const std::int64_t length = slice_.sequences[0].end - slice_.sequences[0].begin;
    return std::all_of(slice_.sequences.begin(), slice_.sequences.end(), [&](const TokenRange& range) {
      return packed_ || range.end - range.begin == length;
    });
  }

  // Rows of [B, T], of [B, NC] or of [B, NB] with the two axes as one.
  Indices rows(Axis axis) const {
    const Dimensions& d = p_.dims();
    Indices rows;
    for (const TokenRange& range : slice_.sequences) {
      const Sequence& s = sequence(range);
      if (axis == Axis::T) {
        for (std::int64_t t = range.begin; t < range.end; ++t) rows.push_back(s.batch * d.T + s.begin + t);
        continue;
      }
      const bool blocks = axis == Axis::NB;
      const std::int64_t tokens = blocks ? p_.options().hola.cache_block : every_;
      const std::int64_t width = part_rows(p_, tokens);
      const std::int64_t first = s.batch * width + (blocks ? s.first_block : s.first_state) + range.begin / tokens;
      for (std::int64_t i = 0; i < state_count(range.end - range.begin, tokens); ++i) rows.push_back(first + i);
    }
    return rows;
  }

  // Rows of the state tensors: those of kept sequences; of a pool that stays, in their order, with those that nobody has.
  Indices pool_rows() const {
    Indices rows;
    for (const TokenRange& range : slice_.sequences) {
      if (sequence(range).state_row >= 0) rows.push_back(sequence(range).state_row);
    }
    if (!pooled_ || !slice_.pool) return rows;
    std::vector<bool> is_kept(static_cast<std::size_t>(p_.dims().pool), true);
    for (const Sequence& s : p_.sequences()) {
      const bool keeps = std::find(rows.begin(), rows.end(), s.state_row) != rows.end();
      if (s.state_row >= 0) is_kept[static_cast<std::size_t>(s.state_row)] = keeps;
    }
    rows.clear();
    for (std::size_t row = 0; row < is_kept.size(); ++row) {
      if (is_kept[row]) rows.push_back(static_cast<std::int64_t>(row));
    }
    return rows;
  }

  Indices kept(Axis axis) const {
    if (axis == Axis::H) return slice_.key_heads;
    if (axis == Axis::HV) return slice_.value_heads;
    if (axis == Axis::K) return slice_.channels;
    if (axis == Axis::V) return slice_.columns;
    if (axis == Axis::pool) return pool_rows();
    return {};
  }

  Tensor boundaries(const Tensor& cu_seqlens) const {
    std::vector<double> ends{0};
    for (const TokenRange& range : slice_.sequences) {
      ends.push_back(ends.back() + static_cast<double>(range.end - range.begin));
    }
    return Tensor::from(cu_seqlens.dtype, {static_cast<std::int64_t>(ends.size())}, ends);
  }

  Tensor indices(const Tensor& state_indices) const {
    std::vector<double> rows;
    for (std::size_t n = 0; n < slice_.sequences.size(); ++n) rows.push_back(static_cast<double>(row_of(n)));
    return Tensor::from(state_indices.dtype, {static_cast<std::int64_t>(rows.size())}, rows);
  }

  Tensor taken(const TensorSpec& spec, const Tensor& tensor) const {
    if (spec.name == "cu_seqlens") return boundaries(tensor);
    if (spec.name == "state_indices") return indices(tensor);
    const bool two = spec.axes[0] == Axis::B;
    Tensor result = two ? flat(tensor) : tensor;
    if (two) result = laws::taken(result, 0, rows(spec.axes[1]));
    for (std::size_t axis = two ? 2 : 0; axis < spec.axes.size(); ++axis) {
      const Axis letter = spec.axes[axis];
      if (letter == Axis::M || letter == Axis::w) continue;
      result = laws::taken(result, axis - (two ? 1 : 0), kept(letter));
    }
    if (!two) return result;
    const std::int64_t B = packed_ ? 1 : static_cast<std::int64_t>(slice_.sequences.size());
    result.shape.insert(result.shape.begin(), B);
    result.shape[1] /= B;
    return result;
  }

  // Whether the outputs say it of what is kept.
  bool is_known(const std::string& name) const {
    const Tensor* states = run_.outputs.find("chunk_states");
    for (const TokenRange& range : slice_.sequences) {
      if (range.begin > 0 && !slice_.from_states) return false;  // it is another problem
      if (!is_cut(range)) continue;
      if (name == "final_slot_keys" || name == "final_slot_values") return false;
      const bool accumulates = p_.options().hola.score == CacheScore::attention;  // weights of later queries, too
      if (name == "scores" && accumulates) return false;
      if (name != "final_state" && name != "chunk_states") continue;
      if (range.end % every_ != 0 || range.end == range.begin || states == nullptr) return false;
      if (states->dtype != run_.outputs.tensors.at(name).dtype) return false;
    }
    return true;
  }

  // The recorded state of these heads and channels after `token` tokens.
  Tensor state_after(const TokenRange& range, std::int64_t token) const {
    const Sequence& s = sequence(range);
    const Tensor states = flat(run_.outputs.tensors.at("chunk_states"));
    const std::int64_t width = part_rows(p_, every_);
    Tensor state = laws::taken(states, 0, {s.batch * width + s.first_state + token / every_ - 1});
    const bool vk = p_.options().state_layout == StateLayout::vk;
    state = laws::taken(state, 1, slice_.value_heads);
    state = laws::taken(state, 2, vk ? slice_.columns : slice_.channels);
    return laws::taken(state, 3, vk ? slice_.channels : slice_.columns);
  }

  // Row of the kept states that is that of kept sequence `n`; -1: padding.
  std::int64_t row_of(std::size_t n) const {
    const std::int64_t row = sequence(slice_.sequences[n]).state_row;
    if (row < 0) return row;
    const Indices rows = pool_rows();
    return std::find(rows.begin(), rows.end(), row) - rows.begin();
  }

  static void put(const Tensor& state, std::int64_t row, Tensor& states) {
    std::memcpy(states.bytes.data() + static_cast<std::size_t>(row) * row_bytes(states), state.bytes.data(),
                state.bytes.size());
  }

  // Sequences that begin later begin with recorded states. False where there are none, or where their type and that of
  // the initial states beside them do not go together.
  bool enter_states(TensorMap& inputs) const {
    for (std::size_t n = 0; n < slice_.sequences.size(); ++n) {
      const TokenRange& range = slice_.sequences[n];
      if (!begins_with_state(range) || row_of(n) < 0) continue;
      const Tensor* states = run_.outputs.find("chunk_states");
      if (states == nullptr || range.begin % every_ != 0) return false;
      const Tensor state = state_after(range, range.begin);
      Tensor& initial = inputs["initial_state"];
      const auto count = static_cast<std::int64_t>(pool_rows().size());
      if (initial.shape.empty() || count == 1) {
        initial = {state.dtype, state.shape, {}};
        initial.shape[0] = count;
        initial.bytes.resize(state.bytes.size() * static_cast<std::size_t>(count));
      } else if (dtype_size(initial.dtype) < dtype_size(state.dtype)) {
        initial = Tensor::from(state.dtype, initial.shape, initial.values());  // each value of the narrow type is one
      }
      if (initial.dtype != state.dtype) return false;
      put(state, row_of(n), initial);
    }
    return true;
  }

  // Sequences that end earlier end with recorded states.
  void leave_states(Outputs& outputs) const {
    const auto final = outputs.tensors.find("final_state");
    if (final == outputs.tensors.end()) return;
    for (std::size_t n = 0; n < slice_.sequences.size(); ++n) {
      const TokenRange& range = slice_.sequences[n];
      if (is_cut(range) && row_of(n) >= 0) put(state_after(range, range.end), row_of(n), final->second);
    }
  }

  const RunCase& run_;
  const Problem& p_;
  const Slice& slice_;
  bool packed_ = false, pooled_ = false;
  std::int64_t every_ = 0;
};

}  // namespace

Slice whole(const Problem& problem) {
  const Dimensions& d = problem.dims();
  Slice slice;
  for (const Sequence& sequence : problem.sequences()) slice.sequences.push_back({sequence.index, 0, sequence.length});
  slice.key_heads = laws::range(0, d.H);
  slice.value_heads = laws::range(0, d.HV);
  slice.channels = laws::range(0, d.K);
  slice.columns = laws::range(0, d.V);
  return slice;
}

std::optional<RunCase> sliced(const RunCase& run, const Slice& slice) try {
  return Slicer(run, slice).make();
} catch (const InputError&) {
  return std::nullopt;
}

}  // namespace deltaproof
