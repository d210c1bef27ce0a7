#include "properties/runs/kernel_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "properties/regimes/draw.hpp"

namespace deltaproof {
namespace {

// How the sequences of a case lie in memory.
enum class Packing { rows, packed, pool, packed_pool };

struct Draw {
  Rule rule = Rule::gated_delta;
  RegimeShape shape;
  Packing packing = Packing::rows;
  std::vector<std::int64_t> lengths;  // packed
  std::int64_t chunk = 64;
  std::string l2norm = "none";
  bool vk = false;
  Dtype gates = Dtype::f32, writes = Dtype::f32;
  Metadata numbers;  // scale, eps .. where they are not the default
  KlaVariant variant = KlaVariant::standard;
};

std::int64_t among(std::initializer_list<std::int64_t> values, Generator& g) {
  return values.begin()[g.integer(0, static_cast<int>(values.size()) - 1)];
}

std::int64_t size_of(const BuiltInInfo& kernel, Generator& g) {
  if (kernel.multiple == 1) return among({1, 16, 24, 33, 64, 128}, g);
  return among({8, 16, 24, 40, 64, 128}, g);
}

// Two cases in seven have a K or a V beyond 128, whatever the rule: seven and the number of rules have no common
// factor, so every type meets them in one round.
void draw_sizes(const BuiltInInfo& kernel, std::uint64_t index, RegimeShape& shape, Generator& g) {
  shape.K = size_of(kernel, g);
  shape.V = size_of(kernel, g);
  shape.H = g.integer(1, 2);
  shape.HV = shape.H * among({1, 1, 2, 3}, g);
  if (index % 7 == 3) shape.K = among({136, 200, 256}, g);
  if (index % 7 == 5) shape.V = among({136, 200, 256}, g);
  if (shape.K > 128 || shape.V > 128) shape.H = shape.HV = 1;
}

void draw_sequences(Draw& draw, Generator& g) {
  RegimeShape& shape = draw.shape;
  draw.packing = static_cast<Packing>(g.integer(0, 3));
  const bool pool = draw.packing == Packing::packed_pool;
  if (draw.packing == Packing::packed || pool) {
    const std::int64_t count = g.integer(pool ? 3 : 2, 6);
    for (std::int64_t n = 0; n < count; ++n) draw.lengths.push_back(n == 2 ? 0 : g.integer(1, 70));
    shape.tokens = 0;
    for (const std::int64_t length : draw.lengths) shape.tokens += length;
    shape.B = 1;
    shape.initial_state = shape.initial_state || pool;
  } else if (draw.packing == Packing::pool) {
    shape.B = g.integer(2, 4);
    shape.tokens = among({1, 1, 20, 70}, g);
    shape.initial_state = true;
  } else {
    shape.B = g.integer(1, 2);
    shape.tokens = among({40, 64, 100, 128, 150}, g);
  }
}

KlaVariant draw_variant(Generator& g) {
  constexpr KlaVariant variants[] = {KlaVariant::standard, KlaVariant::standard, KlaVariant::no_norm,
                                     KlaVariant::key_norm_only, KlaVariant::learned_scalar};
  return variants[g.integer(0, 4)];
}

Dtype draw_type(Generator& g) {
  constexpr Dtype types[] = {Dtype::f32, Dtype::f32, Dtype::bf16, Dtype::f16};
  return types[g.integer(0, 3)];
}

Metadata draw_numbers(Rule rule, Generator& g) {
  Metadata numbers;
  const auto draw = [&](const char* name, std::initializer_list<const char*> values) {
    const char* value = values.begin()[g.integer(0, static_cast<int>(values.size()) - 1)];
    if (*value != 0) numbers[name] = value;
  };
  draw("scale", {"", "", "0.3", "1"});
  draw("qk_l2norm_eps", {"", "1e-4", "0.01"});
  if (rule == Rule::kla) draw("eps", {"", "1e-3", "0.25"});
  return numbers;
}

Draw draw_case(const BuiltInInfo& kernel, std::uint64_t seed, std::uint64_t index) {
  Generator g(seed, {0x6b65726e656c, index});
  Draw draw;
  draw.rule = kernel.rules[index % kernel.rules.size()];
  draw.shape.input = kernel.inputs[index / kernel.rules.size() % kernel.inputs.size()];
  draw_sizes(kernel, index, draw.shape, g);
  draw.shape.initial_state = g.integer(0, 1) == 1;
  draw_sequences(draw, g);
  if (!kernel.chunks.empty()) {  // in turns, too: two rounds hold every size with every type, per channel and not
    const std::uint64_t round = index / kernel.rules.size();
    draw.chunk = kernel.chunks[(index + round / kernel.inputs.size() * 2 + round) % kernel.chunks.size()];
  }
  constexpr const char* norms[] = {"none", "none", "q", "k", "kernel"};
  draw.l2norm = norms[g.integer(0, 4)];
  draw.vk = g.integer(0, 1) == 1;
  draw.gates = draw_type(g);
  draw.writes = draw_type(g);
  draw.numbers = draw_numbers(draw.rule, g);
  if (draw.rule == Rule::kla) draw.variant = draw_variant(g);
  return draw;
}

Tensor with_dtype(const Tensor& tensor, Dtype dtype) { return Tensor::from(dtype, tensor.shape, tensor.values()); }

// One state for each of `rows`, drawn as the regimes draw theirs.
Tensor states(const Draw& draw, std::int64_t rows, Generator& g) {
  const RegimeShape& s = draw.shape;
  std::vector<double> values;
  for (std::int64_t i = 0; i < rows * s.HV; ++i) {
    const Matrix state = draw::state(s.K, s.V, g);
    values.insert(values.end(), state.data(), state.data() + state.size());
  }
  return Tensor::from(Dtype::f32, {rows, s.HV, draw.vk ? s.V : s.K, draw.vk ? s.K : s.V}, values);
}

// Rows of the pool in another order than the sequences, one row unused, the second sequence padding.
Tensor pool_rows(std::int64_t sequences) {
  std::vector<double> rows;
  for (std::int64_t n = 0; n < sequences; ++n) rows.push_back(static_cast<double>(sequences - n));
  rows[1] = -1;
  return Tensor::from(Dtype::i32, {sequences}, rows);
}

void add_sequences(const Draw& draw, Generator& g, TensorMap& tensors) {
  if (!draw.lengths.empty()) {
    std::vector<double> ends{0};
    for (const std::int64_t length : draw.lengths) ends.push_back(ends.back() + static_cast<double>(length));
    tensors["cu_seqlens"] = Tensor::from(Dtype::i64, {static_cast<std::int64_t>(ends.size())}, ends);
  }
  const auto sequences = draw.lengths.empty() ? draw.shape.B : static_cast<std::int64_t>(draw.lengths.size());
  const bool pool = draw.packing == Packing::pool || draw.packing == Packing::packed_pool;
  if (pool) tensors["state_indices"] = pool_rows(sequences);
  if (!draw.shape.initial_state) return;
  tensors["initial_state"] = states(draw, sequences + (pool ? 1 : 0), g);
}

// Rows of unit length hide whether a kernel normalises them.
void lengthen_normalised_rows(const Draw& draw, TensorMap& tensors) {
  for (const char* name : {"q", "k"}) {
    if (draw.l2norm != "kernel" && draw.l2norm != name) continue;
    Tensor& rows = tensors[name];
    std::vector<double> values = rows.values();
    for (double& x : values) x *= 3;
    rows = Tensor::from(rows.dtype, rows.shape, values);
  }
}

std::string variant_name(KlaVariant variant) {
  switch (variant) {
    case KlaVariant::no_norm: return "no_norm";
    case KlaVariant::key_norm_only: return "key_norm_only";
    case KlaVariant::learned_scalar: return "learned_scalar";
    default: return "standard";
  }
}

Metadata metadata_of(const Draw& draw, const BuiltInInfo& kernel) {
  Metadata metadata{{"format", "deltaproof.case/1"},
                    {"rule", std::string(rule_info(draw.rule).name)},
                    {"chunk_size", std::to_string(draw.chunk)},
                    {"qk_l2norm", draw.l2norm},
                    {"state_layout", draw.vk ? "vk" : "kv"},
                    {"kernel", std::string(kernel.name)},
                    {"arithmetic", std::string(kernel.arithmetic)}};
  metadata.insert(draw.numbers.begin(), draw.numbers.end());
  if (draw.rule == Rule::kla) metadata["variant"] = variant_name(draw.variant);
  if (draw.variant == KlaVariant::learned_scalar) metadata["c"] = draw.vk ? "1.5" : "0.375";
  return metadata;
}

std::string name_of(const Draw& draw, const Regime& regime, std::uint64_t index) {
  constexpr const char* packings[] = {"", " packed", " pool", " packed pool"};
  const RegimeShape& s = draw.shape;
  return fmt::format("{}-{} {} {} T{} K{} V{} C{}{}", regime.name, index, rule_info(draw.rule).name,
                     dtype_name(s.input), s.tokens, s.K, s.V, draw.chunk, packings[static_cast<int>(draw.packing)]);
}

}  // namespace

std::int64_t usual_cases(const BuiltInInfo& kernel) {
  const auto round = static_cast<std::int64_t>(kernel.rules.size() * kernel.inputs.size());
  return kernel.chunks.empty() ? round : 2 * round;
}

Problem kernel_case(const BuiltInInfo& kernel, const Regime& regime, std::uint64_t seed, std::uint64_t index) {
  const Draw draw = draw_case(kernel, seed, index);
  RegimeShape shape = draw.shape;
  shape.initial_state = false;
  TensorMap tensors = regime_problem(regime, draw.rule, shape, seed ^ (index << 20)).tensors();
  Generator g(seed, {0x7374617465, index});
  add_sequences(draw, g, tensors);
  lengthen_normalised_rows(draw, tensors);
  for (const auto& [tensor, dtype] : {std::pair{"g", draw.gates}, std::pair{"beta", draw.writes},
                                      std::pair{"eta", draw.writes}}) {
    if (const auto found = tensors.find(tensor); found != tensors.end()) {
      found->second = with_dtype(found->second, dtype);
    }
  }
  return Problem::make(name_of(draw, regime, index), metadata_of(draw, kernel), std::move(tensors));
}

}  // namespace deltaproof
