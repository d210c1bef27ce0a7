#include "reference/problem/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/problem/message.hpp"
#include "reference/problem/options.hpp"
#include "reference/problem/schema.hpp"
#include "reference/problem/sequences.hpp"
#include "reference/problem/values.hpp"

namespace deltaproof {
namespace {

// Far above any model; they keep a small file (T = 0) from asking for large work or memory.
constexpr std::int64_t kMostBatch = std::int64_t{1} << 20;
constexpr std::int64_t kMostChannels = 65536;                   // also heads
constexpr std::int64_t kMostStateSize = std::int64_t{1} << 24;  // K*V, M*K, M*V

const Tensor* lookup(const TensorMap& tensors, const std::string& name) {
  const auto found = tensors.find(name);
  return found == tensors.end() ? nullptr : &found->second;
}

/// Keeps what the rule reads; the other names go to `unused`. Refuses what is missing or of the
/// wrong kind.
TensorMap select_inputs(const std::string& file, const Options& options,
                        const std::vector<TensorSpec>& specs, TensorMap inputs,
                        std::vector<std::string>& unused) {
  TensorMap selected;
  for (const TensorSpec& spec : specs) {
    auto node = inputs.extract(spec.name);
    if (!node.empty()) {
      check_dtype(file, spec, node.mapped());
      selected.insert(std::move(node));
    } else if (spec.required) {
      std::string wanted;
      for (const TensorSpec& other : specs)
        if (other.required) wanted += (wanted.empty() ? "" : ", ") + other.name;
      refuse_tensor(
          file, spec.name,
          fmt::format("is missing; rule {} needs {}", rule_info(options.rule).name, wanted));
    }
  }
  for (const auto& [name, tensor] : inputs) unused.push_back(name);
  return selected;
}

void check_extent(const std::string& file, const std::string& tensor, std::string_view axis,
                  const std::vector<std::int64_t>& shape, std::int64_t extent, std::int64_t most) {
  if (extent < 1 || extent > most)
    refuse_tensor(
        file, tensor,
        fmt::format("shape {}: {} is {}; wanted 1 to {}", shape_string(shape), axis, extent, most));
}

/// Sizes of one token: from q, v and, for gsa, a.
Dimensions token_dimensions(const std::string& file, const Options& options, const std::vector<TensorSpec>& specs,
                            const TensorMap& tensors) {
  for (const TensorSpec& spec : specs)
    if (const Tensor* tensor = lookup(tensors, spec.name)) check_rank(file, spec, *tensor);
  const auto& q = tensors.at("q").shape;
  const auto& v = tensors.at("v").shape;
  Dimensions dims;
  dims.B = q[0], dims.T = q[1], dims.H = q[2], dims.K = q[3], dims.HV = v[2], dims.V = v[3];
  check_extent(file, "q", "B", q, dims.B, kMostBatch);
  check_extent(file, "q", "H", q, dims.H, kMostChannels);
  check_extent(file, "q", "K", q, dims.K, kMostChannels);
  check_extent(file, "v", "HV", v, dims.HV, kMostChannels);
  check_extent(file, "v", "V", v, dims.V, kMostChannels);
  if (dims.HV % dims.H != 0)
    refuse_tensor(file, "v",
                  fmt::format("shape {}: HV = {} is no multiple of H = {} of q", shape_string(v),
                              dims.HV, dims.H));
  if (options.rule == Rule::hola) dims.cache = options.hola.cache_size;
  if (const Tensor* a = lookup(tensors, "a")) {
    dims.slots = a->shape[3];
    check_extent(file, "a", "M", a->shape, dims.slots, kMostChannels);
  }
  return dims;
}

void check_state_size(const std::string& file, const Dimensions& dims) {
  const bool has_slots = dims.slots > 0;
  const std::int64_t rows = has_slots ? dims.slots : dims.K;
  const std::int64_t columns = has_slots ? std::max(dims.K, dims.V) : dims.V;
  if (rows * columns > kMostStateSize)
    refuse_tensor(file, has_slots ? "a" : "v",
                  fmt::format("a state of {} x {} is too large; at most {} elements are judged",
                              rows, columns, kMostStateSize));
}

/// Number of sequences, from cu_seqlens if there.
std::int64_t sequence_count(const std::string& file, const Dimensions& dims,
                            const Tensor* cu_seqlens) {
  if (cu_seqlens == nullptr) return dims.B;
  if (dims.B != 1)
    refuse_tensor(file, "cu_seqlens",
                  fmt::format("packed sequences need B = 1, but q has B = {}", dims.B));
  if (cu_seqlens->shape[0] < 2)
    refuse_tensor(
        file, "cu_seqlens",
        fmt::format("shape {}; wanted at least 2 boundaries", shape_string(cu_seqlens->shape)));
  return cu_seqlens->shape[0] - 1;
}

/// Rows of the state tensors; a pool takes them from the initial state.
std::int64_t pool_rows(const std::string& file, const Options& options, const Dimensions& dims,
                       const TensorMap& tensors) {
  if (lookup(tensors, "state_indices") == nullptr) return dims.N;
  const bool is_gsa = rule_info(options.rule).system == System::gsa;
  const std::string name = is_gsa ? "initial_slot_keys" : "initial_state";
  const Tensor* states = lookup(tensors, name);
  if (states == nullptr)
    refuse_tensor(file, "state_indices", fmt::format("needs the pool of states, '{}'", name));
  check_extent(file, name, "its first axis", states->shape, states->shape[0],
               std::numeric_limits<std::int64_t>::max());
  return states->shape[0];
}

void check_slot_states(const std::string& file, const TensorMap& tensors) {
  const bool has_keys = tensors.contains("initial_slot_keys");
  const bool has_values = tensors.contains("initial_slot_values");
  if (has_keys != has_values)
    refuse_tensor(file, has_keys ? "initial_slot_values" : "initial_slot_keys",
                  "is missing; the two parts of the initial state go together");
}

}  // namespace

const RuleInfo& state_rule(const Options& options) {
  return rule_info(options.rule == Rule::hola ? options.hola.state_rule : options.rule);
}

Problem Problem::make(std::string name, const Metadata& metadata, TensorMap inputs) {
  Problem problem;
  problem.name_ = std::move(name);
  problem.options_ = parse_options(problem.name_, metadata);
  problem.unknown_metadata_ = unknown_keys(metadata);
  problem.take(std::move(inputs));
  return problem;
}

Problem Problem::with_inputs(TensorMap inputs) const { return with_options(options_, std::move(inputs)); }

Problem Problem::with_options(Options options, TensorMap inputs) const {
  Problem problem;
  problem.name_ = name_;
  problem.options_ = std::move(options);
  problem.unknown_metadata_ = unknown_metadata_;
  problem.take(std::move(inputs));
  return problem;
}

Problem Problem::with_unchecked_values(TensorMap inputs) const {
  Problem problem;
  problem.name_ = name_;
  problem.options_ = options_;
  problem.unknown_metadata_ = unknown_metadata_;
  problem.take(std::move(inputs), false);
  return problem;
}

Problem Problem::state_part() const {
  if (options_.rule != Rule::hola) return *this;
  Problem part;
  part.name_ = name_;
  part.options_ = options_;
  part.options_.rule = options_.hola.state_rule;
  part.options_.scale_given = true;
  part.unknown_metadata_ = unknown_metadata_;
  TensorMap inputs;
  for (const TensorSpec& spec : input_specs(part.options_))
    if (const Tensor* tensor = find(spec.name)) inputs.emplace(spec.name, *tensor);
  part.take(std::move(inputs), false);  // values were validated as this problem's
  part.unused_ = unused_;
  return part;
}

void Problem::take(TensorMap inputs, bool check) {
  const std::string& file = name_;
  const std::vector<TensorSpec> specs = input_specs(options_);
  tensors_ = select_inputs(file, options_, specs, std::move(inputs), unused_);
  check_slot_states(file, tensors_);

  dims_ = token_dimensions(file, options_, specs, tensors_);
  if (rule_info(options_.rule).system != System::softmax) check_state_size(file, dims_);
  dims_.N = sequence_count(file, dims_, find("cu_seqlens"));
  dims_.pool = pool_rows(file, options_, dims_, tensors_);
  for (const TensorSpec& spec : specs)
    if (const Tensor* tensor = find(spec.name)) check_shape(file, spec, *tensor, dims_);

  if (!options_.scale_given) options_.scale = 1 / std::sqrt(static_cast<double>(dims_.K));
  sequences_ = make_sequences(file, dims_, options_, find("cu_seqlens"), find("state_indices"));
  if (check) check_values(file, *this, specs);
}

const Tensor* Problem::find(const std::string& tensor) const { return lookup(tensors_, tensor); }

Problem Problem::with_arithmetic(std::string arithmetic) const {
  check_arithmetic(name_, arithmetic);
  Problem copy = *this;
  copy.options_.arithmetic = std::move(arithmetic);
  return copy;
}

Problem Problem::with_name(std::string name) && {
  name_ = std::move(name);
  return std::move(*this);
}

std::int64_t state_count(std::int64_t length, std::int64_t states_every) {
  return length <= 0 ? 0 : (length - 1) / states_every + 1;
}

}  // namespace deltaproof
