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
enum class Packing { rows, packed, pool };

struct Draw {
  Rule rule = Rule::gated_delta;
  RegimeShape shape;
  Packing packing = Packing::rows;
  std::vector<std::int64_t> lengths;  // packed
  std::int64_t chunk = 64;
  std::string l2norm = "none";
  bool vk = false, half_gates = false, odd_scale = false;
  KlaVariant variant = KlaVariant::standard;
};

std::int64_t among(std::initializer_list<std::int64_t> values, Generator& g) {
  return values.begin()[g.integer(0, static_cast<int>(values.size()) - 1)];
}

std::int64_t size_of(const BuiltInInfo& kernel, Generator& g) {
  if (kernel.multiple == 1) return among({16, 24, 33, 64, 128}, g);
  return among({16, 24, 32, 64, 128}, g);
}

void draw_sequences(Draw& draw, Generator& g) {
  RegimeShape& shape = draw.shape;
  draw.packing = static_cast<Packing>(g.integer(0, 2));
  if (draw.packing == Packing::packed) {
    const std::int64_t count = g.integer(2, 4);
    for (std::int64_t n = 0; n < count; ++n) draw.lengths.push_back(n == 1 ? 0 : g.integer(1, 90));
    shape.tokens = 0;
    for (const std::int64_t length : draw.lengths) shape.tokens += length;
    shape.B = 1;
  } else if (draw.packing == Packing::pool) {
    shape.B = g.integer(2, 4);
    shape.tokens = among({1, 1, 20, 70}, g);
    shape.initial_state = true;
  } else {
    shape.B = g.integer(1, 2);
    shape.tokens = among({40, 64, 100, 150, 200}, g);
  }
}

KlaVariant draw_variant(Generator& g) {
  constexpr KlaVariant variants[] = {KlaVariant::standard, KlaVariant::standard, KlaVariant::key_norm_only,
                                     KlaVariant::learned_scalar};
  return variants[g.integer(0, 3)];
}

Draw draw_case(const BuiltInInfo& kernel, std::uint64_t seed, std::uint64_t index) {
  Generator g(seed, {0x6b65726e656c, index});
  Draw draw;
  draw.rule = kernel.rules[index % kernel.rules.size()];
  draw.shape.input = kernel.inputs[index / kernel.rules.size() % kernel.inputs.size()];
  draw.shape.K = size_of(kernel, g);
  draw.shape.V = size_of(kernel, g);
  draw.shape.H = g.integer(1, 2);
  draw.shape.HV = draw.shape.H * g.integer(1, 2);
  draw.shape.initial_state = g.integer(0, 1) == 1;
  draw_sequences(draw, g);
  draw.chunk = kernel.chunks.empty() ? 64 : kernel.chunks[static_cast<std::size_t>(
                                                g.integer(0, static_cast<int>(kernel.chunks.size()) - 1))];
  constexpr const char* norms[] = {"none", "none", "q", "k", "kernel"};
  draw.l2norm = norms[g.integer(0, 4)];
  draw.vk = g.integer(0, 1) == 1;
  draw.half_gates = g.integer(0, 3) == 0;
  draw.odd_scale = g.integer(0, 3) == 0;
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
Tensor pool_rows(const Draw& draw) {
  std::vector<double> rows;
  for (std::int64_t n = 0; n < draw.shape.B; ++n) rows.push_back(static_cast<double>(draw.shape.B - n));
  rows[1] = -1;
  return Tensor::from(Dtype::i32, {draw.shape.B}, rows);
}

void add_sequences(const Draw& draw, Generator& g, TensorMap& tensors) {
  if (draw.packing == Packing::packed) {
    std::vector<double> ends{0};
    for (const std::int64_t length : draw.lengths) ends.push_back(ends.back() + static_cast<double>(length));
    tensors["cu_seqlens"] = Tensor::from(Dtype::i64, {static_cast<std::int64_t>(ends.size())}, ends);
  }
  const bool pool = draw.packing == Packing::pool;
  if (pool) tensors["state_indices"] = pool_rows(draw);
  if (!draw.shape.initial_state) return;
  const auto sequences = draw.packing == Packing::packed ? static_cast<std::int64_t>(draw.lengths.size()) : draw.shape.B;
  tensors["initial_state"] = states(draw, sequences + (pool ? 1 : 0), g);
}

std::string variant_name(KlaVariant variant) {
  switch (variant) {
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
  if (draw.odd_scale) metadata["scale"] = "0.3";
  if (draw.rule == Rule::kla) metadata["variant"] = variant_name(draw.variant);
  if (draw.variant == KlaVariant::learned_scalar) metadata["c"] = "1.5";
  return metadata;
}

std::string name_of(const Draw& draw, const Regime& regime, std::uint64_t index) {
  constexpr const char* packings[] = {"", " packed", " pool"};
  const RegimeShape& s = draw.shape;
  return fmt::format("{}-{} {} {} T{} K{} V{}{}", regime.name, index, rule_info(draw.rule).name, dtype_name(s.input),
                     s.tokens, s.K, s.V, packings[static_cast<int>(draw.packing)]);
}

}  // namespace

std::int64_t usual_cases(const BuiltInInfo& kernel) {
  return static_cast<std::int64_t>(kernel.rules.size() * kernel.inputs.size());
}

Problem kernel_case(const BuiltInInfo& kernel, const Regime& regime, std::uint64_t seed, std::uint64_t index) {
  const Draw draw = draw_case(kernel, seed, index);
  RegimeShape shape = draw.shape;
  shape.initial_state = false;
  TensorMap tensors = regime_problem(regime, draw.rule, shape, seed ^ (index << 20)).tensors();
  Generator g(seed, {0x7374617465, index});
  add_sequences(draw, g, tensors);
  if (draw.half_gates) {
    for (const char* name : {"beta", "eta"}) {
      if (const auto found = tensors.find(name); found != tensors.end()) {
        found->second = with_dtype(found->second, shape.input);
      }
    }
  }
  return Problem::make(name_of(draw, regime, index), metadata_of(draw, kernel), std::move(tensors));
}

}  // namespace deltaproof
