#include "kernels/stepwise.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "reference/problem/schema.hpp"

namespace deltaproof {
namespace {

std::size_t row_bytes(const Tensor& tensor, std::size_t axes) {
  std::size_t bytes = dtype_size(tensor.dtype);
  for (std::size_t i = axes; i < tensor.shape.size(); ++i) bytes *= static_cast<std::size_t>(tensor.shape[i]);
  return bytes;
}

std::int64_t longest(const Problem& problem) {
  std::int64_t most = 0;
  for (const Sequence& sequence : problem.sequences()) most = std::max(most, sequence.length);
  return most;
}

// How many tokens of a sequence lie in [begin, begin + count).
std::int64_t inside(const Sequence& sequence, std::int64_t begin, std::int64_t count) {
  return std::clamp<std::int64_t>(sequence.length - begin, 0, count);
}

// The token rows ([B, T, ..]) of a piece: packed where the problem is packed.
Tensor cut(const Tensor& whole, const Problem& problem, std::int64_t begin, std::int64_t count) {
  Tensor piece{whole.dtype, whole.shape, {}};
  const std::size_t row = row_bytes(whole, 2);
  std::int64_t rows = 0;
  for (const Sequence& sequence : problem.sequences()) {
    const std::int64_t n = inside(sequence, begin, count);
    const auto first = static_cast<std::size_t>(sequence.batch * problem.dims().T + sequence.begin + begin) * row;
    if (n > 0) {
      const auto* bytes = whole.bytes.data() + first;
      piece.bytes.insert(piece.bytes.end(), bytes, bytes + static_cast<std::size_t>(n) * row);
    }
    rows += n;
  }
  piece.shape[1] = rows / piece.shape[0];
  return piece;
}

Tensor cut_lengths(const Problem& problem, std::int64_t begin, std::int64_t count) {
  std::vector<double> ends{0};
  for (const Sequence& sequence : problem.sequences()) {
    ends.push_back(ends.back() + static_cast<double>(inside(sequence, begin, count)));
  }
  return Tensor::from(Dtype::i64, {static_cast<std::int64_t>(ends.size())}, ends);
}

// Parameters of heads, which tokens share.
bool is_of_heads(const std::string& name) {
  return name == "sink" || name == "cache_gate" || name == "gamma_q" || name == "gamma_k";
}

Tensor zero_states(const Problem& problem) {
  const Dimensions& d = problem.dims();
  const bool vk = problem.options().state_layout == StateLayout::vk;
  Tensor states{Dtype::f32, {d.pool, d.HV, vk ? d.V : d.K, vk ? d.K : d.V}, {}};
  states.bytes.resize(static_cast<std::size_t>(states.size()) * sizeof(float));
  return states;
}

// Of the states of sequences that are computed; other rows of a pool may hold anything.
bool finite_states(const Problem& problem, const Tensor& states) {
  const std::int64_t size = states.size() / std::max<std::int64_t>(states.shape[0], 1);
  for (const Sequence& sequence : problem.sequences()) {
    if (sequence.state_row < 0) continue;
    for (std::int64_t i = 0; i < size; ++i) {
      if (!std::isfinite(states.value(sequence.state_row * size + i))) return false;
    }
  }
  return true;
}

class Stepper {
 public:
  Stepper(const Kernel& kernel, const Problem& problem) : kernel_(kernel), problem_(problem) {
    const Dimensions& d = problem.dims();
    states_ = initial_states(problem);
    o_ = {problem.find("q")->dtype, {d.B, d.T, d.HV, d.V}, {}};
    const std::int64_t rows = part_rows(problem, problem.options().states_every);
    chunk_states_ = {Dtype::f32, {d.B, rows, d.HV, states_.shape[2], states_.shape[3]}, {}};
    chunk_states_.bytes.resize(static_cast<std::size_t>(chunk_states_.size()) * sizeof(float));
  }

  // `whole`: outputs of the whole run; rows of o that belong to no sequence are taken from there.
  SteppedRun run(Outputs whole) {
    o_ = whole.tensors.at("o");
    const std::int64_t every = problem_.options().states_every;
    std::int64_t number = 0;
    SteppedRun result;
    for (std::int64_t begin = 0; begin < longest(problem_); begin += every) {
      if (!finite_states(problem_, states_)) {  // no input of a kernel; the whole run is judged as it is
        result.outputs = std::move(whole);
        return result;
      }
      step(begin, every, number++);
    }
    Outputs stepped;
    stepped.tensors["o"] = o_;
    stepped.tensors["final_state"] = states_;
    result.difference = compare_bits(problem_, whole, stepped);
    result.outputs = std::move(whole);
    const bool known = result.difference.unequal == 0 && finite_states(problem_, states_);
    if (known && longest(problem_) > every) {
      result.outputs.tensors["chunk_states"] = chunk_states_;
    }
    return result;
  }

 private:
  void step(std::int64_t begin, std::int64_t every, std::int64_t number) {
    const Outputs piece = kernel_.run(tokens_of(problem_, begin, every, states_));
    put_tokens(piece.tensors.at("o"), problem_, begin, every, o_);
    states_ = piece.tensors.at("final_state");
    const std::size_t row = row_bytes(states_, 1);
    for (const Sequence& sequence : problem_.sequences()) {
      if (sequence.state_row < 0 || inside(sequence, begin, every) == 0) continue;
      const auto to =
          static_cast<std::size_t>(sequence.batch * chunk_states_.shape[1] + sequence.first_state + number);
      std::memcpy(chunk_states_.bytes.data() + to * row,
                  states_.bytes.data() + static_cast<std::size_t>(sequence.state_row) * row, row);
    }
  }

  const Kernel& kernel_;
  const Problem& problem_;
  Tensor states_, o_, chunk_states_;
};

}  // namespace

Tensor initial_states(const Problem& problem) {
  const Tensor* initial = problem.find("initial_state");
  return initial == nullptr ? zero_states(problem) : *initial;
}

void put_tokens(const Tensor& piece, const Problem& problem, std::int64_t begin, std::int64_t count, Tensor& whole) {
  const std::size_t row = row_bytes(whole, 2);
  const std::byte* from = piece.bytes.data();
  for (const Sequence& sequence : problem.sequences()) {
    const auto bytes = static_cast<std::size_t>(inside(sequence, begin, count)) * row;
    if (bytes == 0) continue;
    const auto to = static_cast<std::size_t>(sequence.batch * problem.dims().T + sequence.begin + begin) * row;
    std::memcpy(whole.bytes.data() + to, from, bytes);
    from += bytes;
  }
}

Problem tokens_of(const Problem& problem, std::int64_t begin, std::int64_t count, const Tensor& states,
                  Values values) {
  TensorMap inputs;
  for (const auto& [name, tensor] : problem.tensors()) {
    if (name == "cu_seqlens") {
      inputs[name] = cut_lengths(problem, begin, count);
    } else if (name == "initial_state" || name == "state_indices" || is_of_heads(name)) {
      inputs[name] = tensor;
    } else {
      inputs[name] = cut(tensor, problem, begin, count);
    }
  }
  inputs["initial_state"] = states;
  return values == Values::checked ? problem.with_inputs(std::move(inputs))
                                   : problem.with_unchecked_values(std::move(inputs));
}

SteppedRun run_stepwise(const Kernel& kernel, const Problem& problem) {
  Outputs whole = kernel.run(problem);
  return Stepper(kernel, problem).run(std::move(whole));
}

}  // namespace deltaproof
