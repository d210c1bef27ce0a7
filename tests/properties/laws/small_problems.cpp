#include "tests/properties/laws/small_problems.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "properties/regimes/families.hpp"

namespace deltaproof {
namespace {

constexpr int count = 16;
enum class Packing { rows, packed, pool, packed_pool };

struct Shape {
  RegimeShape sizes;
  Packing packing = Packing::rows;
  bool vk = false;
};

Shape shape_of(const BuiltInInfo& kernel, int index) {
  Shape shape;
  RegimeShape& s = shape.sizes;
  shape.packing = static_cast<Packing>((index + index / 8) % 4);
  shape.vk = index / 2 % 2 == 1;
  s.input = kernel.inputs[static_cast<std::size_t>(index) % kernel.inputs.size()];
  const bool is_packed = shape.packing == Packing::packed || shape.packing == Packing::packed_pool;
  s.B = is_packed ? 1 : 2;
  s.tokens = is_packed ? 40 : 35;
  s.H = 1 + index / 4 % 2;
  s.HV = s.H * (1 + index / 3 % 2);
  s.K = index % 3 == 0 ? 16 : 8;
  s.V = index % 3 == 1 ? 24 : 16;
  s.state_rule = index % 3 == 2 ? Rule::kla : Rule::gated_delta;
  return shape;
}

Tensor integers(Dtype type, const std::vector<double>& values) {
  return Tensor::from(type, {static_cast<std::int64_t>(values.size())}, values);
}

Tensor states(const Shape& shape, std::int64_t rows) {
  const RegimeShape& s = shape.sizes;
  std::vector<double> values(static_cast<std::size_t>(rows * s.HV * s.K * s.V));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i * 29 % 53) / 32 - 0.75;
  return Tensor::from(Dtype::f32, {rows, s.HV, shape.vk ? s.V : s.K, shape.vk ? s.K : s.V}, values);
}

void add_sequences(const Shape& shape, int index, TensorMap& tensors) {
  const bool is_packed = shape.packing == Packing::packed || shape.packing == Packing::packed_pool;
  const bool pool = shape.packing == Packing::pool || shape.packing == Packing::packed_pool;
  const std::int64_t sequences = is_packed ? 4 : shape.sizes.B;
  if (is_packed) tensors["cu_seqlens"] = integers(Dtype::i64, {0, 19, 19, 24, 38});
  if (pool) tensors["state_indices"] = is_packed ? integers(Dtype::i32, {4, 1, -1, 2}) : integers(Dtype::i32, {2, 0});
  if (pool || index / 4 % 2 == 0) tensors["initial_state"] = states(shape, sequences + (pool ? 1 : 0));
}

// Blocks shorter and longer than a chunk; a score of each kind that both kernels have.
void add_cache(const Shape& shape, int index, Metadata& metadata, TensorMap& tensors) {
  constexpr std::array sizes{"3", "0", "7", "64"};
  constexpr std::array blocks{"5", "7", "16", "20", "1"};
  constexpr std::array scores{"beta_e", "recency", "write_norm", "beta_v"};
  const auto turn = static_cast<std::size_t>(index);
  metadata["cache_size"] = sizes[turn % sizes.size()];
  metadata["cache_block"] = blocks[turn % blocks.size()];
  metadata["score"] = scores[(turn + turn / 4) % scores.size()];
  metadata["state_rule"] = rule_info(shape.sizes.state_rule).name;
  if (index % 5 != 4) return;
  metadata["read"] = "l2";
  for (const char* gamma : {"gamma_q", "gamma_k"}) tensors.erase(gamma);
}

}  // namespace

std::vector<Problem> small_problems(const BuiltInInfo& kernel) {
  std::vector<Problem> problems;
  constexpr std::array norms{"none", "kernel", "none", "k", "q"};
  for (int index = 0; index < count; ++index) {
    const Shape shape = shape_of(kernel, index);
    const Rule rule = kernel.rules[static_cast<std::size_t>(index) % kernel.rules.size()];
    TensorMap tensors = regime_problem(*find_regime("rand_sig_gdn"), rule, shape.sizes, 7).tensors();
    add_sequences(shape, index, tensors);
    Metadata metadata{{"format", "deltaproof.case/1"},
                            {"rule", std::string(rule_info(rule).name)},
                            {"chunk_size", "16"},
                            {"states_every", "16"},
                            {"qk_l2norm", norms[static_cast<std::size_t>(index) % norms.size()]},
                            {"state_layout", shape.vk ? "vk" : "kv"},
                            {"arithmetic", std::string(kernel.arithmetic)}};
    if (rule == Rule::hola) add_cache(shape, index, metadata, tensors);
    problems.push_back(
        Problem::make(fmt::format("small {} {}", index, rule_info(rule).name), metadata, std::move(tensors)));
  }
  return problems;
}

}  // namespace deltaproof
