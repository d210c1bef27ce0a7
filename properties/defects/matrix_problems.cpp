#include "properties/defects/matrix_problems.hpp"

#include <utility>

#include "kernels/built_in/capabilities.hpp"

namespace deltaproof {
namespace {

ProblemSpec spec_of(const char* rule, std::int64_t K, std::int64_t V, std::int64_t H, std::int64_t HV) {
  ProblemSpec spec;
  spec.options = {{"rule", rule}, {"chunk_size", "16"}};
  spec.shape.K = K, spec.shape.V = V, spec.shape.H = H, spec.shape.HV = HV;
  spec.shape.initial_state = true;
  return spec;
}

// Two rows of a chunk and a tail, square states. Chunks of 32 have inverses that are merged of two blocks.
ProblemSpec rows() {
  ProblemSpec spec = spec_of("gated_delta", 16, 16, 1, 2);
  spec.options["chunk_size"] = "32";
  spec.shape.B = 2, spec.shape.tokens = 39;
  return spec;
}

// Packed, in vk layout, key heads that value heads share, a coefficient formed in the kernel.
ProblemSpec packed_kla() {
  ProblemSpec spec = packed(spec_of("kla", 16, 24, 2, 4), {21, 18, 0, 16});
  spec.options["state_layout"] = "vk";
  return spec;
}

// A pool in fp32, per-channel decay, rows normalised in the kernel.
ProblemSpec pool_of_states() {
  ProblemSpec spec = packed(spec_of("vector_decay_delta", 24, 16, 1, 2), {20, 9, 0, 35});
  spec.options["qk_l2norm"] = "kernel";
  spec.shape.input = Dtype::f32;
  spec.pool = true;
  return spec;
}

// As rows, with what the two others have, too: normalised rows and a pool in bf16.
ProblemSpec pool_of_rows() {
  ProblemSpec spec = packed(spec_of("gated_delta", 16, 16, 2, 4), {19, 3, 33});
  spec.options["qk_l2norm"] = "kernel";
  spec.options["state_layout"] = "vk";
  spec.pool = true;
  return spec;
}

ProblemSpec cached(ProblemSpec spec, const char* size, const char* block, const char* tau) {
  spec.options["cache_size"] = size;
  spec.options["cache_block"] = block;
  spec.options["tau"] = tau;
  return spec;
}

// Rows whose cache is full from the second block on, in bf16; blocks that do not divide chunks.
ProblemSpec cached_rows() {
  ProblemSpec spec = cached(spec_of("hola", 16, 16, 1, 2), "4", "6", "2");
  spec.shape.B = 2, spec.shape.tokens = 39;
  return spec;
}

// Packed, on a KLA state in vk layout, key heads that value heads share, scores |b k e^T|.
ProblemSpec cached_packed() {
  ProblemSpec spec = cached(packed(spec_of("hola", 16, 24, 2, 4), {21, 18, 0, 16}), "3", "8", "0.5");
  spec.options["state_layout"] = "vk";
  spec.options["state_rule"] = "kla";
  spec.options["score"] = "write_norm";
  return spec;
}

// A pool in fp32.
ProblemSpec cached_pool() {
  ProblemSpec spec = cached(packed(spec_of("hola", 24, 16, 2, 4), {20, 9, 0, 35}), "5", "7", "1");
  spec.shape.input = Dtype::f32;
  spec.pool = true;
  return spec;
}

// More places than tokens, the flat read.
ProblemSpec cached_whole() {
  ProblemSpec spec = cached(spec_of("hola", 16, 16, 1, 2), "64", "16", "1");
  spec.options["read"] = "l2";
  spec.shape.tokens = 50;
  return spec;
}

// Logits whose exponentials overflow if they are taken as they are, in fp32.
ProblemSpec cached_sharp() {
  ProblemSpec spec = cached(spec_of("hola", 16, 16, 1, 2), "4", "8", "64");
  spec.shape.input = Dtype::f32;
  spec.shape.tokens = 26;
  return spec;
}

std::vector<ProblemSpec> drawn_from(const Regime& regime, std::uint64_t seed, const std::string& arithmetic,
                                    std::vector<ProblemSpec> specs) {
  for (std::size_t i = 0; i < specs.size(); ++i) {
    specs[i].regime = regime.name;
    specs[i].seed = seed;
    specs[i].index = i;
    specs[i].options["arithmetic"] = arithmetic;
  }
  return specs;
}

}  // namespace

std::vector<ProblemSpec> matrix_problem_specs(const Regime& regime, std::uint64_t seed,
                                              const std::string& arithmetic) {
  return drawn_from(regime, seed, arithmetic, {rows(), packed_kla(), pool_of_states(), pool_of_rows()});
}

std::vector<ProblemSpec> cache_problem_specs(const Regime& regime, std::uint64_t seed,
                                             const std::string& arithmetic) {
  return drawn_from(regime, seed, arithmetic, {cached_rows(), cached_packed(), cached_pool(), cached_whole(),
                                        cached_sharp()});
}

std::vector<ProblemSpec> problem_specs_for(std::string_view kernel, const Regime& regime, std::uint64_t seed) {
  const BuiltInInfo* info = find_built_in_kernel(kernel);
  const std::string arithmetic(info == nullptr ? kernel : info->arithmetic);
  const bool cached = info != nullptr && computes_hola(*info);
  return cached ? cache_problem_specs(regime, seed, arithmetic) : matrix_problem_specs(regime, seed, arithmetic);
}

}  // namespace deltaproof
