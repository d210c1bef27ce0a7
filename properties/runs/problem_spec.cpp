#include "properties/runs/problem_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "properties/laws/tensors.hpp"
#include "properties/regimes/draw.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof {
namespace {

std::string option(const ProblemSpec& spec, const char* name, const char* otherwise) {
  const auto found = spec.options.find(name);
  return found == spec.options.end() ? otherwise : found->second;
}

Rule rule_of(const ProblemSpec& spec) {
  const RuleInfo* info = find_rule(option(spec, "rule", ""));
  if (info == nullptr) throw InputError(fmt::format("problem: rule={} is not known", option(spec, "rule", "")));
  return info->rule;
}

// What is no number is refused with the other options.
std::int64_t chunk_of(const ProblemSpec& spec) {
  const std::string text = option(spec, "chunk_size", "64");
  std::int64_t chunk = 64;
  std::from_chars(text.data(), text.data() + text.size(), chunk);
  return std::max<std::int64_t>(chunk, 1);
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
    const Matrix state = draw::state({regime, rule_of(spec), s, place(i)}, s.K, s.V, g);
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
void lengthen_normalised_rows(const ProblemSpec& spec, TensorMap& tensors) {
  const std::string l2norm = option(spec, "qk_l2norm", "none");
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

double edited(ValueEdit::To to, double x) {
  switch (to) {
    case ValueEdit::To::zero: return 0;
    case ValueEdit::To::one: return 1;
    case ValueEdit::To::power_of_two: break;
  }
  return x == 0 ? x : std::copysign(std::ldexp(1.0, std::ilogb(x)), x);
}

void edit(const ValueEdit& change, TensorMap& tensors) {
  const auto found = tensors.find(change.tensor);
  if (found == tensors.end()) throw InputError(fmt::format("problem: no tensor '{}' to edit", change.tensor));
  Tensor& tensor = found->second;
  std::vector<double> values = tensor.values();
  const std::size_t end = values.size();
  if (change.token >= 0) {  // [B, T, ..]: the token of every batch row
    if (change.tensor == "initial_state" || change.token >= tensor.shape[1]) {
      throw InputError(fmt::format("problem: '{}' has no token {} to edit", change.tensor, change.token));
    }
    const auto row = values.size() / static_cast<std::size_t>(tensor.shape[0] * tensor.shape[1]);
    const auto batch = row * static_cast<std::size_t>(tensor.shape[1]);
    for (std::size_t first = static_cast<std::size_t>(change.token) * row; first < end; first += batch) {
      for (std::size_t i = first; i < first + row; ++i) values[i] = edited(change.to, values[i]);
    }
  } else {
    for (std::size_t i = 0; i < end; ++i) values[i] = edited(change.to, values[i]);
  }
  tensor = Tensor::from(tensor.dtype, tensor.shape, values);
}

std::string name_of(const ProblemSpec& spec) {
  const char* packings[] = {"", " packed", " pool", " packed pool"};
  const RegimeShape& s = spec.shape;
  return fmt::format("{}-{} {} {} T{} K{} V{} C{}{}{}", spec.regime, spec.index, option(spec, "rule", ""),
                     dtype_name(s.input), s.tokens, s.K, s.V, option(spec, "chunk_size", "64"),
                     packings[(spec.lengths.empty() ? 0 : 1) + (spec.pool ? 2 : 0)],
                     spec.skip > 0 || !spec.edits.empty() ? " edited" : "");
}

// Both rows of tokens and their rest come from one draw, so that leaving tokens out in front changes no other.
TensorMap drawn(const Regime& regime, const ProblemSpec& spec, Metadata& options) {
  RegimeShape shape = spec.shape;
  shape.initial_state = false;
  shape.tokens += spec.skip;
  shape.chunk = chunk_of(spec);
  const Problem problem = regime_problem(regime, rule_of(spec), shape, spec.seed ^ (spec.index << 20));
  if (problem.options().scale_given) options["scale"] = fmt::format("{}", problem.options().scale);
  TensorMap tensors = problem.tensors();
  if (spec.skip == 0) return tensors;
  for (auto& [name, tensor] : tensors) tensor = laws::taken(tensor, 1, laws::range(spec.skip, spec.shape.tokens));
  return tensors;
}

}  // namespace

Problem problem_of(const ProblemSpec& spec) {
  const Regime* regime = find_regime(spec.regime);
  if (regime == nullptr) throw InputError(fmt::format("problem: regime={} is not known", spec.regime));
  Metadata options = spec.options;
  options["format"] = "deltaproof.case/1";
  TensorMap tensors = drawn(*regime, spec, options);
  add_sequences(*regime, spec, tensors);
  lengthen_normalised_rows(spec, tensors);
  for (const auto& [tensor, dtype] : {std::pair{"g", spec.gates}, std::pair{"beta", spec.writes},
                                      std::pair{"eta", spec.writes}}) {
    if (const auto found = tensors.find(tensor); found != tensors.end()) {
      found->second = with_dtype(found->second, dtype);
    }
  }
  for (const ValueEdit& change : spec.edits) edit(change, tensors);
  return Problem::make(name_of(spec), options, std::move(tensors));
}

}  // namespace deltaproof
