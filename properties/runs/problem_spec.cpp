#include "properties/runs/problem_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>

#include "properties/laws/tensors.hpp"
#include "properties/regimes/draw.hpp"
#include "properties/runs/value_edit.hpp"
#include "reference/problem/input_error.hpp"
#include "reference/problem/message.hpp"

namespace deltaproof {
namespace {

std::string option(const ProblemSpec& spec, const char* name, const char* otherwise) {
  const auto found = spec.options.find(name);
  return found == spec.options.end() ? otherwise : found->second;
}

Rule rule_of(const ProblemSpec& spec) {
  const RuleInfo* info = find_rule(option(spec, "rule", ""));
  if (info == nullptr) throw InputError(fmt::format("problem: {} is not known", in_quotes("rule=" + option(spec, "rule", ""))));
  return info->rule;
}

// What is no number is refused with the other options.
std::int64_t chunk_of(const ProblemSpec& spec) {
  const std::string text = option(spec, "chunk_size", "64");
  std::int64_t chunk = 64;
  std::from_chars(text.data(), text.data() + text.size(), chunk);
  return std::max<std::int64_t>(chunk, 1);
}

// Of hola: the rule of its state. What is none is refused with the other options.
Rule state_rule_of(const ProblemSpec& spec) {
  if (rule_of(spec) != Rule::hola) return rule_of(spec);
  return option(spec, "state_rule", "") == "kla" ? Rule::kla : Rule::gated_delta;
}

// One state for each of `rows`, drawn as the family draws its own.
Tensor states(const Regime& regime, const ProblemSpec& spec, std::int64_t rows, Generator& g) {
  const RegimeShape& s = spec.shape;
  const auto place = [&](std::int64_t i) {
    draw::Place of_head;
    of_head.seed = spec.seed ^ (spec.index << 20);
    of_head.head = i % s.HV;
    of_head.key_head = of_head.head / (s.HV / s.H);
    return of_head;
  };
  std::vector<double> values;
  for (std::int64_t i = 0; i < rows * s.HV; ++i) {
    const Matrix state = draw::state({regime, state_rule_of(spec), s, place(i)}, s.K, s.V, g);
    values.insert(values.end(), state.data(), state.data() + state.size());
  }
  const bool vk = option(spec, "state_layout", "kv") == "vk";
  return Tensor::from(Dtype::f32, {rows, s.HV, vk ? s.V : s.K, vk ? s.K : s.V}, values);
}

// Rows of the pool in another order than the sequences, one row unused, the second sequence padding.
Tensor pool_rows(std::int64_t sequences) {
  std::vector<double> rows;
  for (std::int64_t n = 0; n < sequences; ++n) rows.push_back(static_cast<double>(sequences - n));
  if (sequences > 1) rows[1] = -1;
  return Tensor::from(Dtype::i32, {sequences}, rows);
}

void add_sequences(const Regime& regime, const ProblemSpec& spec, TensorMap& tensors) {
  if (!spec.lengths.empty()) {
    std::vector<double> ends{0};
    for (const std::int64_t length : spec.lengths) ends.push_back(ends.back() + static_cast<double>(length));
    tensors["cu_seqlens"] = Tensor::from(Dtype::i64, {static_cast<std::int64_t>(ends.size())}, ends);
  }
  const auto sequences = spec.lengths.empty() ? spec.shape.B : static_cast<std::int64_t>(spec.lengths.size());
  if (spec.pool) tensors["state_indices"] = pool_rows(sequences);
  if (!spec.shape.initial_state && !spec.pool) return;
  Generator g(spec.seed, {0x7374617465, spec.index});
  tensors["initial_state"] = states(regime, spec, sequences + (spec.pool ? 1 : 0), g);
}

// Rows of unit length hide whether a kernel normalises them.
void lengthen_normalised_rows(const std::string& l2norm, TensorMap& tensors) {
  for (const char* name : {"q", "k"}) {
    if (l2norm != "kernel" && l2norm != name) continue;
    Tensor& rows = tensors[name];
    std::vector<double> values = rows.values();
    for (double& x : values) x = round_to_nearest_even(dtype_format(rows.dtype), 3 * x);
    for (const double x : values) {
      if (!std::isfinite(x)) return;  // no room for longer rows in this type
    }
    rows = Tensor::from(rows.dtype, rows.shape, values);
  }
}

// A type that does not hold a value (-1e30 in fp16) is left out.
Tensor with_dtype(const Tensor& tensor, Dtype dtype) {
  Tensor narrow = Tensor::from(dtype, tensor.shape, tensor.values());
  for (const double x : narrow.values()) {
    if (!std::isfinite(x)) return tensor;
  }
  return narrow;
}

std::string cache_of(const ProblemSpec& spec) {
  if (rule_of(spec) != Rule::hola) return "";
  return fmt::format(" {} w{} blocks of {}", option(spec, "score", "beta_e"), option(spec, "cache_size", "64"),
                     option(spec, "cache_block", "256"));
}

std::string name_of(const ProblemSpec& spec) {
  const char* packings[] = {"", " packed", " pool", " packed pool"};
  const RegimeShape& s = spec.shape;
  return fmt::format("{}-{} {} {} T{} K{} V{} C{}{}{}", spec.regime, spec.index, option(spec, "rule", ""),
                     dtype_name(s.input), s.tokens, s.K, s.V, option(spec, "chunk_size", "64"),
                     packings[(spec.lengths.empty() ? 0 : 1) + (spec.pool ? 2 : 0)],
                     spec.skip > 0 || !spec.edits.empty() ? " edited" : "") +
         cache_of(spec);
}

// Both rows of tokens and their rest come from one draw, so that leaving tokens out in front changes no other.
TensorMap drawn(const Regime& regime, const ProblemSpec& spec, Metadata& options) {
  RegimeShape shape = spec.shape;
  shape.initial_state = false;
  shape.tokens += spec.skip;
  shape.chunk = chunk_of(spec);
  shape.state_rule = state_rule_of(spec);
  const Problem problem = regime_problem(regime, rule_of(spec), shape, spec.seed ^ (spec.index << 20));
  if (problem.options().scale_given) options["scale"] = fmt::format("{}", problem.options().scale);
  TensorMap tensors = problem.tensors();
  if (option(spec, "read", "") == "l2") {  // it has none
    for (const char* gamma : {"gamma_q", "gamma_k"}) tensors.erase(gamma);
  }
  if (spec.skip == 0) return tensors;
  for (auto& [name, tensor] : tensors) {
    if (!has_tokens(name)) continue;
    tensor = laws::taken(tensor, 1, laws::range(spec.skip, spec.shape.tokens));
  }
  return tensors;
}

}  // namespace

ProblemSpec packed(ProblemSpec spec, std::vector<std::int64_t> lengths) {
  spec.shape.tokens = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
  spec.lengths = std::move(lengths);
  return spec;
}

Problem problem_of(const ProblemSpec& spec) {
  const Regime* regime = find_regime(spec.regime);
  if (regime == nullptr) throw InputError(fmt::format("problem: {} is not known", in_quotes("regime=" + spec.regime)));
  Metadata options = spec.options;
  options["format"] = "deltaproof.case/1";
  TensorMap tensors = drawn(*regime, spec, options);
  add_sequences(*regime, spec, tensors);
  if (rule_of(spec) == Rule::hola) options.emplace("qk_l2norm", "kernel");
  const auto l2norm = options.find("qk_l2norm");
  lengthen_normalised_rows(l2norm == options.end() ? "none" : l2norm->second, tensors);
  for (const std::string_view name : cache_parameters()) {
    if (const auto found = tensors.find(std::string(name)); found != tensors.end()) {
      found->second = with_dtype(found->second, spec.parameters);
    }
  }
  for (const auto& [tensor, dtype] : {std::pair{"g", spec.gates}, std::pair{"beta", spec.writes},
                                      std::pair{"eta", spec.writes}}) {
    if (const auto found = tensors.find(tensor); found != tensors.end()) {
      found->second = with_dtype(found->second, dtype);
    }
  }
  for (const ValueEdit& change : spec.edits) apply_edit(change, tensors);
  return Problem::make(name_of(spec), options, std::move(tensors));
}

}  // namespace deltaproof
