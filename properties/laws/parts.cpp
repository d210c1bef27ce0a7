#include "properties/laws/parts.hpp"

#include <algorithm>
#include <utility>

#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

bool is_state(const std::string& tensor) { return tensor == "initial_state" || tensor == "final_state"; }

// Of heads, which tokens share.
bool is_parameter(const std::string& tensor) {
  return tensor == "sink" || tensor == "cache_gate" || tensor == "gamma_q" || tensor == "gamma_k";
}

std::size_t column_axis(const Problem& problem, const std::string& tensor) {
  const bool vk = problem.options().state_layout == StateLayout::vk;
  if (tensor == "chunk_states") return vk ? 3 : 4;
  return is_state(tensor) && vk ? 2 : 3;
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

// Parts of a sequence: states behind each, or sets that its queries see.
struct Parts {
  std::int64_t tokens;
  std::int64_t Sequence::*first;
};

Parts parts_of(const Problem& problem, const std::string& tensor) {
  if (tensor == "selected") return {problem.options().hola.cache_block, &Sequence::first_block};
  return {problem.options().states_every, &Sequence::first_state};
}

// Rows of the one batch row of a packed problem that belong to the first `most` tokens of these sequences.
Indices part_rows(const Problem& problem, const Parts& parts, const Indices& sequences, std::int64_t most) {
  Indices rows;
  for (const std::int64_t n : sequences) {
    const Sequence& sequence = problem.sequences()[static_cast<std::size_t>(n)];
    const std::int64_t count = state_count(std::min(sequence.length, most), parts.tokens);
    for (std::int64_t i = 0; i < count; ++i) rows.push_back(sequence.*parts.first + i);
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

bool has_part_rows(const std::string& tensor) { return tensor == "chunk_states" || tensor == "selected"; }

bool has_token_rows(const std::string& tensor) {
  return !is_state(tensor) && !is_parameter(tensor) && !has_part_rows(tensor) && tensor != "cu_seqlens" &&
         tensor != "state_indices";
}

int head_axis(const std::string& tensor) {
  if (is_state(tensor)) return 1;
  if (is_parameter(tensor)) return 0;
  return has_token_rows(tensor) || has_part_rows(tensor) ? 2 : -1;
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
    const bool has_columns = name != "scores" && name != "selected";
    result.tensors[name] = has_columns ? taken(tensor, column_axis(problem, name), columns) : tensor;
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
    } else if (!pool && !is_parameter(name)) {
      tensor = taken(tensor, 0, sequences);
    }
  }
  return inputs;
}

Outputs with_sequences(const Problem& problem, const Outputs& outputs, const Indices& sequences, bool keep_others) {
  Outputs result = outputs;
  const bool is_packed = problem.find("cu_seqlens") != nullptr, pool = problem.find("state_indices") != nullptr;
  const Indices rows = is_packed ? token_rows(problem, sequences, keep_others) : Indices{};
  for (auto& [name, tensor] : result.tensors) {
    if (is_packed && has_token_rows(name)) {
      tensor = taken(tensor, 1, rows);
    } else if (is_packed && has_part_rows(name)) {
      tensor = taken(tensor, 1, part_rows(problem, parts_of(problem, name), sequences, problem.dims().T));
    } else if (!pool || !is_state(name)) {
      tensor = taken(tensor, 0, sequences);
    }
  }
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
  for (auto& [name, tensor] : result.tensors) {
    if (!is_state(name)) flatten(tensor);
  }
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

Outputs before_token(const Problem& problem, const Outputs& outputs, std::int64_t count) {
  Outputs result = outputs;
  result.tensors.erase("chunk_states");
  for (auto& [name, tensor] : result.tensors) {
    if (has_token_rows(name)) tensor = rows_between(problem, tensor, 0, count);
    if (!has_part_rows(name)) continue;
    const Parts parts = parts_of(problem, name);
    const bool is_packed = problem.find("cu_seqlens") != nullptr;
    tensor = taken(tensor, 1,
                   is_packed ? part_rows(problem, parts, range(0, problem.dims().N), count)
                             : range(0, state_count(std::min(problem.dims().T, count), parts.tokens)));
  }
  return result;
}

About of_columns(const Problem& problem) {
  const Options& options = problem.options();
  const bool all = options.rule != Rule::hola || options.hola.score == CacheScore::recency;
  return [all](const Location& where) {
    return all || where.tensor == "final_state" || where.tensor == "chunk_states";
  };
}

}  // namespace deltaproof::laws
