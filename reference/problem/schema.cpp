#include "reference/problem/schema.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reference/problem/message.hpp"

namespace deltaproof {
namespace {

bool is_kla(const Options& options, KlaVariant variant) {
  return state_rule(options).rule == Rule::kla && options.variant == variant;
}

std::vector<Axis> state_axes(const Options& options, Axis rows) {
  if (options.state_layout == StateLayout::vk) return {rows, Axis::HV, Axis::V, Axis::K};
  return {rows, Axis::HV, Axis::K, Axis::V};
}

void add_gates(std::vector<TensorSpec>& specs, const Options& options, const RuleInfo& rule) {
  using enum Axis;
  // single_gate makes its decay from eta; key_norm_only has no gate.
  if (rule.decay != Decay::none && !is_kla(options, KlaVariant::single_gate)) {
    std::vector<Axis> axes{B, T, HV};
    if (rule.decay == Decay::per_channel) axes.push_back(K);
    specs.push_back({"g", axes, !rule.optional_decay});
  }
  if (rule.write.empty() || is_kla(options, KlaVariant::key_norm_only)) return;
  std::vector<Axis> axes{B, T, HV};
  if (rule.system == System::longhorn) axes.push_back(V);
  if (rule.system == System::gsa) axes.push_back(M);
  specs.push_back({std::string(rule.write), axes});
}

std::string_view axis_name(Axis axis) {
  switch (axis) {
    case Axis::B:
      return "B";
    case Axis::T:
      return "T";
    case Axis::H:
      return "H";
    case Axis::HV:
      return "HV";
    case Axis::K:
      return "K";
    case Axis::V:
      return "V";
    case Axis::M:
      return "M";
    case Axis::N:
      return "N";
    case Axis::N_plus_1:
      return "N+1";
    case Axis::pool:
      return "N";
    case Axis::NC:
      return "NC";
    case Axis::NB:
      return "NB";
    case Axis::w:
      return "w";
  }
  return "?";
}

std::int64_t extent(Axis axis, const Dimensions& dims, PartRows rows) {
  switch (axis) {
    case Axis::B:
      return dims.B;
    case Axis::T:
      return dims.T;
    case Axis::H:
      return dims.H;
    case Axis::HV:
      return dims.HV;
    case Axis::K:
      return dims.K;
    case Axis::V:
      return dims.V;
    case Axis::M:
      return dims.slots;
    case Axis::N:
      return dims.N;
    case Axis::N_plus_1:
      return dims.N + 1;
    case Axis::pool:
      return dims.pool;
    case Axis::NC:
      return rows.NC;
    case Axis::NB:
      return rows.NB;
    case Axis::w:
      return dims.cache;
  }
  return -1;
}

std::string axes_string(const TensorSpec& spec) {
  std::vector<std::string_view> names;
  for (const Axis axis : spec.axes) names.push_back(axis_name(axis));
  return fmt::format("[{}]", fmt::join(names, ", "));
}

}  // namespace

std::vector<TensorSpec> input_specs(const Options& options) {
  using enum Axis;
  const RuleInfo& rule = rule_info(options.rule);
  std::vector<TensorSpec> specs{{"q", {B, T, H, K}}, {"k", {B, T, H, K}}, {"v", {B, T, HV, V}}};
  add_gates(specs, options, state_rule(options));
  if (rule.system == System::softmax) {
    specs.push_back({"sink", {HV}, false});
  } else if (rule.system == System::gsa) {
    specs.push_back({"initial_slot_keys", {pool, HV, M, K}, false});
    specs.push_back({"initial_slot_values", {pool, HV, M, V}, false});
  } else {
    specs.push_back({"initial_state", state_axes(options, pool), false});
  }
  if (rule.system == System::hola) {
    specs.push_back({"sink", {HV}});
    specs.push_back({"cache_gate", {HV}});
    if (options.hola.read == CacheRead::rmsnorm) {
      specs.push_back({"gamma_q", {HV, K}});
      specs.push_back({"gamma_k", {HV, K}});
    }
  }
  specs.push_back({"cu_seqlens", {N_plus_1}, false, true});
  specs.push_back({"state_indices", {N}, false, true});
  return specs;
}

std::vector<TensorSpec> output_specs(const Options& options) {
  using enum Axis;
  const System system = rule_info(options.rule).system;
  std::vector<TensorSpec> specs{{"o", {B, T, HV, V}, false}};
  if (system == System::gsa) {
    specs.push_back({"final_slot_keys", {pool, HV, M, K}, false});
    specs.push_back({"final_slot_values", {pool, HV, M, V}, false});
  } else if (system != System::softmax) {
    specs.push_back({"final_state", state_axes(options, pool), false});
    std::vector<Axis> axes = state_axes(options, NC);
    axes.insert(axes.begin(), B);
    specs.push_back({"chunk_states", axes, false});
  }
  if (system == System::hola) {
    specs.push_back({"scores", {B, T, HV}, false});
    specs.push_back({"selected", {B, NB, HV, w}, false, true});
  }
  return specs;
}

std::int64_t part_rows(const Problem& problem, std::int64_t tokens) {
  if (problem.dims().B > 1) return state_count(problem.dims().T, tokens);
  std::int64_t rows = 0;
  for (const Sequence& sequence : problem.sequences()) rows += state_count(sequence.length, tokens);
  return rows;
}

void check_dtype(const std::string& file, const TensorSpec& spec, const Tensor& tensor) {
  if (is_floating(tensor.dtype) != spec.integer) return;
  refuse_tensor(file, spec.name,
                fmt::format("dtype {}; wanted {}", dtype_name(tensor.dtype),
                            spec.integer ? "I32 or I64" : "BF16, F16, F32 or F64"));
}

void check_rank(const std::string& file, const TensorSpec& spec, const Tensor& tensor) {
  if (tensor.shape.size() == spec.axes.size()) return;
  refuse_tensor(file, spec.name,
                fmt::format("shape {} has rank {}; wanted {}, rank {}", shape_string(tensor.shape),
                            tensor.shape.size(), axes_string(spec), spec.axes.size()));
}

void check_shape(const std::string& file, const TensorSpec& spec, const Tensor& tensor,
                 const Dimensions& dims, PartRows rows) {
  check_rank(file, spec, tensor);
  std::vector<std::int64_t> wanted;
  for (const Axis axis : spec.axes) wanted.push_back(extent(axis, dims, rows));
  if (tensor.shape == wanted) return;
  const bool of_cache = std::find(spec.axes.begin(), spec.axes.end(), Axis::NB) != spec.axes.end();
  refuse_tensor(file, spec.name,
                fmt::format("shape {}; wanted {} = {}{}", shape_string(tensor.shape), axes_string(spec),
                            shape_string(wanted),
                            of_cache ? ": NB blocks of cache_block tokens, w = cache_size" : ""));
}

}  // namespace deltaproof
