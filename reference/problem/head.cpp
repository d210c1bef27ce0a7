#include "reference/problem/head.hpp"

#include "reference/problem/load.hpp"

namespace deltaproof {
namespace {

/// Rows of one head of a [B, T, heads, width] tensor.
struct Rows {
  std::int64_t first;  ///< flat index of the first row's first element
  std::int64_t stride;
  Index count, width;
};

Matrix gather(const Tensor& tensor, const Rows& rows) {
  Matrix result(rows.count, rows.width);
  with_loader(tensor.dtype, [&](auto load) {
    const std::byte* bytes = tensor.bytes.data();
    for (Index r = 0; r < rows.count; ++r) {
      const std::int64_t from = rows.first + r * rows.stride;
      double* to = result.data() + r * rows.width;
      for (Index c = 0; c < rows.width; ++c) to[c] = load(bytes, from + c);
    }
    return 0;
  });
  return result;
}

/// The sequence's rows of head `head` of a per-token tensor; its last axis may be missing.
Matrix token_rows(const Tensor& tensor, const Problem& problem, const Sequence& sequence,
                  std::int64_t head) {
  const std::int64_t heads = tensor.shape[2];
  const std::int64_t width = tensor.shape.size() > 3 ? tensor.shape[3] : 1;
  const std::int64_t token = sequence.batch * problem.dims().T + sequence.begin;
  return gather(tensor, {(token * heads + head) * width, heads * width, sequence.length, width});
}

Matrix token_rows_if(const std::string& name, const Problem& problem, const Sequence& sequence,
                     std::int64_t head) {
  const Tensor* tensor = problem.find(name);
  return tensor == nullptr ? Matrix() : token_rows(*tensor, problem, sequence, head);
}

/// Matrix `head` of outer row `row` of a [.., HV, rows, columns] tensor.
Matrix trailing_matrix(const Tensor& tensor, std::int64_t heads, std::int64_t row,
                       std::int64_t head) {
  const std::size_t rank = tensor.shape.size();
  const std::int64_t rows = tensor.shape[rank - 2], columns = tensor.shape[rank - 1];
  return gather(tensor, {(row * heads + head) * rows * columns, columns, rows, columns});
}

void fill_initial_state(HeadInputs& inputs, const Problem& problem, const Sequence& sequence,
                        std::int64_t head) {
  const System system = rule_info(inputs.options.rule).system;
  if (system == System::softmax) return;
  const bool is_gsa = system == System::gsa;
  const Tensor* state = problem.find(is_gsa ? "initial_slot_keys" : "initial_state");
  const Tensor* values = problem.find("initial_slot_values");
  const bool stored = state != nullptr && sequence.state_row >= 0;
  if (is_gsa) {
    const std::int64_t heads = problem.dims().HV, row = sequence.state_row;
    inputs.initial_state = stored ? trailing_matrix(*state, heads, row, head)
                                  : Matrix(Matrix::Zero(inputs.slots, inputs.K));
    inputs.initial_slot_values = stored ? trailing_matrix(*values, heads, row, head)
                                        : Matrix(Matrix::Zero(inputs.slots, inputs.V));
  } else {
    inputs.initial_state = stored ? state_of(*state, problem, sequence.state_row, head)
                                  : Matrix(Matrix::Zero(inputs.K, inputs.V));
  }
}

}  // namespace

HeadInputs HeadInputs::slice(Index begin, Index count, const Matrix& state) const {
  HeadInputs part;
  part.options = options;
  part.tokens = count, part.K = K, part.V = V, part.slots = slots;
  part.first_position = first_position + begin;
  const auto rows = [&](const Matrix& all) {
    return all.size() == 0 ? Matrix() : Matrix(all.middleRows(begin, count));
  };
  part.q = rows(q), part.k = rows(k), part.v = rows(v);
  part.g = rows(g), part.write = rows(write), part.slot_decay = rows(slot_decay);
  part.q_error = rows(q_error), part.k_error = rows(k_error);
  part.write_in_16_bits = write_in_16_bits;
  part.normalised_in_fp32 = normalised_in_fp32;
  part.sink = sink;
  part.cache_gate = cache_gate;
  part.gamma_q = gamma_q, part.gamma_k = gamma_k;
  part.initial_state = state;
  part.initial_slot_values = initial_slot_values;
  return part;
}

HeadInputs HeadInputs::state_part() const {
  if (options.rule != Rule::hola) return *this;
  HeadInputs part = *this;
  part.options.rule = options.hola.state_rule;
  part.sink.reset();
  part.gamma_q = part.gamma_k = Matrix();
  return part;
}

HeadInputs head_inputs(const Problem& problem, const Sequence& sequence, std::int64_t head) {
  const Dimensions& dims = problem.dims();
  const RuleInfo& rule = state_rule(problem.options());
  const std::int64_t key_head = head / (dims.HV / dims.H);
  HeadInputs inputs;
  inputs.options = problem.options();
  inputs.tokens = sequence.length, inputs.K = dims.K, inputs.V = dims.V;
  inputs.slots = dims.slots;
  inputs.q = token_rows(*problem.find("q"), problem, sequence, key_head);
  inputs.k = token_rows(*problem.find("k"), problem, sequence, key_head);
  inputs.v = token_rows(*problem.find("v"), problem, sequence, head);
  inputs.g = token_rows_if("g", problem, sequence, head);
  if (rule.system == System::gsa)
    inputs.slot_decay = token_rows_if("a", problem, sequence, head);
  else if (!rule.write.empty())
    inputs.write = token_rows_if(std::string(rule.write), problem, sequence, head);
  if (const Tensor* write = problem.find(std::string(rule.write))) {
    inputs.write_in_16_bits = dtype_format(write->dtype).significant_bits <= formats::f16.significant_bits;
  }
  if (const Tensor* sink = problem.find("sink")) inputs.sink = sink->value(head);
  if (const Tensor* gate = problem.find("cache_gate")) inputs.cache_gate = gate->value(head);
  if (const Tensor* gamma = problem.find("gamma_q")) inputs.gamma_q = gather(*gamma, {head * dims.K, dims.K, 1, dims.K});
  if (const Tensor* gamma = problem.find("gamma_k")) inputs.gamma_k = gather(*gamma, {head * dims.K, dims.K, 1, dims.K});
  fill_initial_state(inputs, problem, sequence, head);
  return inputs;
}

Matrix output_rows(const Tensor& o, const Problem& problem, const Sequence& sequence,
                   std::int64_t head) {
  return token_rows(o, problem, sequence, head);
}

std::int64_t chunk_state_row(const Tensor& states, const Sequence& sequence, std::int64_t index) {
  return sequence.batch * states.shape[1] + sequence.first_state + index;
}

Matrix state_of(const Tensor& states, const Problem& problem, std::int64_t row, std::int64_t head) {
  Matrix state = trailing_matrix(states, problem.dims().HV, row, head);
  if (problem.options().state_layout == StateLayout::vk) state.transposeInPlace();
  return state;
}

}  // namespace deltaproof
