#include "properties/laws/parts.hpp"

#include <algorithm>
#include <utility>

#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

bool is_state(const std::string& tensor) { return tensor == "initial_state" || tensor == "final_state"; }

std::size_t column_axis(const Problem& problem, const std::string& tensor) {
  return is_state(tensor) && problem.options().state_layout == StateLayout::vk ? 2 : 3;
}

bool has_columns(const Problem& problem, const std::string& tensor) {
  if (tensor == "v" || is_state(tensor)) return true;
  return tensor == "beta" && problem.find("beta")->shape.size() == 4;
}

// Rows of the one batch row of a packed problem, sequence after sequence.
Indices token_rows(const Problem& problem, const Indices& sequences, bool keep_others) {
  Indices rows;
  std::vector<bool> seen(static_cast<std::size_t>(problem.dims().T));
  for (const Sequence& sequence : problem.sequences()) {
    for (std::int64_t t = 0; t < sequence.length; ++t) seen[static_cast<std::size_t>(sequence.begin + t)] = true;
  }
  for (const std::int64_t n : sequences) {
    const Sequence& sequence = problem.sequences()[static_cast<std::size_t>(n)];
    for (std::int64_t t = 0; t < sequence.length; ++t) rows.push_back(sequence.begin + t);
  }
  for (std::size_t t = 0; keep_others && t < seen.size(); ++t) {
    if (!seen[t]) rows.push_back(static_cast<std::int64_t>(t));
  }
  return rows;
}

Tensor boundaries(const Problem& problem, const Indices& sequences) {
  std::vector<double> ends{0};
  for (const std::int64_t n : sequences) {
    ends.push_back(ends.back() + static_cast<double>(problem.sequences()[static_cast<std::size_t>(n)].length));
  }
  return Tensor::from(Dtype::i64, {static_cast<std::int64_t>(ends.size())}, ends);
}

void flatten(Tensor& tokens) {
  tokens.shape[1] *= tokens.shape[0];
  tokens.shape[0] = 1;
}

}  // namespace

bool has_token_rows(const std::string& tensor) {
  return !is_state(tensor) && tensor != "cu_seqlens" && tensor != "state_indices";
}

int head_axis(const std::string& tensor) {
  if (is_state(tensor)) return 1;
  return has_token_rows(tensor) ? 2 : -1;
}

TensorMap with_heads(const Problem& problem, const Indices& keys, const Indices& values) {
  TensorMap inputs = problem.tensors();
  for (auto& [name, tensor] : inputs) {
    const int axis = head_axis(name);
    if (axis < 0) continue;
    tensor = taken(tensor, static_cast<std::size_t>(axis), name == "q" || name == "k" ? keys : values);
  }
  return inputs;
}

Outputs with_heads(const Outputs& outputs, const Indices& values) {
  Outputs result;
  for (const auto& [name, tensor] : outputs.tensors) {
    result.tensors[name] = taken(tensor, static_cast<std::size_t>(head_axis(name)), values);
  }
  return result;
}

TensorMap with_columns(const Problem& problem, const Indices& columns) {
  TensorMap inputs = problem.tensors();
  for (auto& [name, tensor] : inputs) {
    if (has_columns(problem, name)) tensor = taken(tensor, column_axis(problem, name), columns);
  }
  return inputs;
}

Outputs with_columns(const Problem& problem, const Outputs& outputs, const Indices& columns) {
  Outputs result;
  for (const auto& [name, tensor] : outputs.tensors) {
    result.tensors[name] = taken(tensor, column_axis(problem, name), columns);
  }
  return result;
}

TensorMap with_sequences(const Problem& problem, const Indices& sequences, bool keep_others) {
  const bool is_packed = problem.find("cu_seqlens") != nullptr, pool = problem.find("state_indices") != nullptr;
  const Indices rows = is_packed ? token_rows(problem, sequences, keep_others) : Indices{};
  TensorMap inputs = problem.tensors();
  for (auto& [name, tensor] : inputs) {
    if (name == "cu_seqlens") {
      tensor = boundaries(problem, sequences);
    } else if (name == "state_indices") {
      tensor = taken(tensor, 0, sequences);
    } else if (has_token_rows(name)) {
      tensor = is_packed ? taken(tensor, 1, rows) : taken(tensor, 0, sequences);
    } else if (!pool) {
      tensor = taken(tensor, 0, sequences);
    }
  }
  return inputs;
}

Outputs with_sequences(const Problem& problem, const Outputs& outputs, const Indices& sequences, bool keep_others) {
  Outputs result = outputs;
  Tensor& o = result.tensors.at("o");
  const bool is_packed = problem.find("cu_seqlens") != nullptr;
  o = is_packed ? taken(o, 1, token_rows(problem, sequences, keep_others)) : taken(o, 0, sequences);
  if (problem.find("state_indices") != nullptr) return result;
  Tensor& states = result.tensors.at("final_state");
  states = taken(states, 0, sequences);
  return result;
}

TensorMap packed(const Problem& problem) {
  TensorMap inputs = problem.tensors();
  if (inputs.contains("cu_seqlens")) return inputs;
  for (auto& [name, tensor] : inputs) {
    if (has_token_rows(name)) flatten(tensor);
  }
  inputs["cu_seqlens"] = boundaries(problem, range(0, problem.dims().N));
  return inputs;
}

Outputs packed(const Outputs& outputs) {
  Outputs result = outputs;
  flatten(result.tensors.at("o"));
  return result;
}

Tensor rows_between(const Problem& problem, const Tensor& o, std::int64_t begin, std::int64_t end) {
  if (problem.find("cu_seqlens") == nullptr) {
    const std::int64_t last = std::min(end, problem.dims().T);
    return taken(o, 1, range(begin, std::max<std::int64_t>(last - begin, 0)));
  }
  Indices rows;
  for (const Sequence& sequence : problem.sequences()) {
    for (std::int64_t t = begin; t < std::min(end, sequence.length); ++t) rows.push_back(sequence.begin + t);
  }
  return taken(o, 1, rows);
}

}  // namespace deltaproof::laws
