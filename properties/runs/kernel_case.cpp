#include "properties/runs/kernel_case.hpp"

#include <initializer_list>
#include <iterator>
#include <numeric>
#include <string>

#include "properties/regimes/generator.hpp"

namespace deltaproof {
namespace {

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

// Rows, packed, rows with a pool of states, packed with a pool.
void draw_sequences(ProblemSpec& spec, Generator& g) {
  RegimeShape& shape = spec.shape;
  const int packing = g.integer(0, 3);
  const bool packed = packing == 1 || packing == 3;
  spec.pool = packing >= 2;
  if (packed) {
    const std::int64_t count = g.integer(spec.pool ? 3 : 2, 6);
    for (std::int64_t n = 0; n < count; ++n) spec.lengths.push_back(n == 2 ? 0 : g.integer(1, 70));
    shape.tokens = 0;
    for (const std::int64_t length : spec.lengths) shape.tokens += length;
    shape.B = 1;
    shape.initial_state = shape.initial_state || spec.pool;
  } else if (spec.pool) {
    shape.B = g.integer(2, 4);
    shape.tokens = among({1, 1, 20, 70}, g);
    shape.initial_state = true;
  } else {
    shape.B = g.integer(1, 2);
    shape.tokens = among({40, 64, 100, 128, 150}, g);
  }
}

// In turns, every second one the rule's own.
const char* variant(const BuiltInInfo& kernel, std::uint64_t index) {
  constexpr const char* variants[] = {"standard", "key_norm_only", "standard", "learned_scalar", "standard", "no_norm"};
  return variants[index / kernel.rules.size() % std::size(variants)];
}

Dtype draw_type(Generator& g) {
  constexpr Dtype types[] = {Dtype::f32, Dtype::f32, Dtype::bf16, Dtype::f16};
  return types[g.integer(0, 3)];
}

void draw_numbers(Rule rule, Generator& g, Metadata& options) {
  const auto draw = [&](const char* name, std::initializer_list<const char*> values) {
    const char* value = values.begin()[g.integer(0, static_cast<int>(values.size()) - 1)];
    if (*value != 0) options[name] = value;
  };
  draw("scale", {"", "", "0.3", "1"});
  draw("qk_l2norm_eps", {"", "1e-4", "0.01"});
  if (rule == Rule::kla) draw("eps", {"", "1e-3", "0.25"});
}

// In turns: two rounds hold every size with every type, per channel and not.
std::int64_t chunk_size(const BuiltInInfo& kernel, std::uint64_t index) {
  if (kernel.chunks.empty()) return 64;
  const std::uint64_t round = index / kernel.rules.size();
  return kernel.chunks[(index + round / kernel.inputs.size() * 2 + round) % kernel.chunks.size()];
}

// Sizes of cache and block below, between and above those of a problem. Scores that depend on errors are the rule's own.
void draw_cache(const BuiltInInfo& kernel, ProblemSpec& spec, Generator& g) {
  const auto draw = [&](const char* name, std::initializer_list<const char*> values) {
    spec.options[name] = values.begin()[g.integer(0, static_cast<int>(values.size()) - 1)];
  };
  draw("cache_size", {"0", "1", "3", "3", "8", "8", "16", "64", "200"});
  draw("cache_block", {"1", "7", "7", "16", "16", "20", "64", "256"});
  draw("score", {"beta_e", "beta_e", "beta_e", "write_norm", "write_norm", "beta_v", "recency",
                 kernel.chunks.empty() ? "e" : "beta_e"});  // a kernel with chunks has no e
  draw("read", {"rmsnorm", "rmsnorm", "rmsnorm", "l2"});
  draw("tau", {"1", "1", "0.5", "2"});
  draw("read_eps", {"1e-6", "1e-6", "1e-3"});
  draw("state_rule", {"gated_delta", "gated_delta", "kla"});
  if (spec.options["state_rule"] == "kla") draw("eps", {"1e-6", "1e-3", "0.25"});
  if (g.integer(0, 3) > 0) spec.options["qk_l2norm"] = "kernel";
  if (g.integer(0, 1) == 1) spec.parameters = spec.shape.input;
}

// Drawn last, so that everything else is what the usual sizes have.
void make_small(const BuiltInInfo& kernel, ProblemSpec& spec, Generator& g) {
  RegimeShape& shape = spec.shape;
  shape.K = kernel.multiple == 1 ? among({1, 5, 8, 16}, g) : among({8, 16, 24}, g);
  shape.V = kernel.multiple == 1 ? among({1, 3, 8, 16}, g) : among({8, 16, 24}, g);
  for (std::int64_t& length : spec.lengths) length = (length + 1) / 2;
  shape.tokens = (shape.tokens + 2) / 3;
  if (!spec.lengths.empty()) shape.tokens = std::accumulate(spec.lengths.begin(), spec.lengths.end(), std::int64_t{0});
}

}  // namespace

std::int64_t usual_cases(const BuiltInInfo& kernel) {
  const auto round = static_cast<std::int64_t>(kernel.rules.size() * kernel.inputs.size());
  return kernel.chunks.empty() ? round : 2 * round;
}

ProblemSpec kernel_case_spec(const BuiltInInfo& kernel, const Regime& regime, std::uint64_t seed, std::uint64_t index,
                             CaseSizes sizes) {
  Generator g(seed, {0x6b65726e656c, index});
  ProblemSpec spec;
  spec.regime = regime.name;
  spec.seed = seed, spec.index = index;
  const Rule rule = kernel.rules[index % kernel.rules.size()];
  spec.shape.input = kernel.inputs[index / kernel.rules.size() % kernel.inputs.size()];
  draw_sizes(kernel, index, spec.shape, g);
  spec.shape.initial_state = g.integer(0, 1) == 1;
  draw_sequences(spec, g);
  constexpr const char* norms[] = {"none", "none", "q", "k", "kernel"};
  Metadata& options = spec.options;
  options = {{"rule", std::string(rule_info(rule).name)},
             {"chunk_size", std::to_string(chunk_size(kernel, index))},
             {"kernel", std::string(kernel.name)},
             {"arithmetic", std::string(kernel.arithmetic)}};
  options["qk_l2norm"] = norms[g.integer(0, 4)];
  const bool vk = g.integer(0, 1) == 1;
  options["state_layout"] = vk ? "vk" : "kv";
  spec.gates = draw_type(g);
  spec.writes = draw_type(g);
  draw_numbers(rule, g, options);
  if (rule == Rule::kla) options["variant"] = variant(kernel, index);
  if (rule == Rule::kla && options["variant"] == "learned_scalar") options["c"] = vk ? "1.5" : "0.375";
  if (rule == Rule::hola) draw_cache(kernel, spec, g);
  if (sizes == CaseSizes::small) make_small(kernel, spec, g);
  return spec;
}

Problem kernel_case(const BuiltInInfo& kernel, const Regime& regime, std::uint64_t seed, std::uint64_t index,
                    CaseSizes sizes) {
  return problem_of(kernel_case_spec(kernel, regime, seed, index, sizes));
}

}  // namespace deltaproof
