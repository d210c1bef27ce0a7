#include "kernels/built_in/capabilities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace deltaproof {
namespace {

// Functions: other files may ask while their own constants are made.
const std::vector<Rule>& every_rule() {
  static const std::vector<Rule> rules = {Rule::delta,        Rule::gated_delta, Rule::kla,          Rule::longhorn_exact,
                                          Rule::scalar_decay, Rule::linear,      Rule::vector_decay, Rule::vector_decay_delta};
  return rules;
}
const std::vector<Dtype>& every_input() {
  static const std::vector<Dtype> inputs = {Dtype::bf16, Dtype::f16, Dtype::f32};
  return inputs;
}

constexpr std::int64_t most_cached = 1024, most_recent = 16777216;

template <class List, class Name>
std::string joined(const List& list, Name name) {
  std::string text;
  for (const auto& each : list) text += fmt::format("{}{}", text.empty() ? "" : ", ", name(each));
  return text;
}

template <class List, class Value>
bool holds(const List& list, const Value& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

std::string refused_rule(const BuiltInInfo& kernel, const Options& options) {
  if (!holds(kernel.rules, options.rule)) {
    return fmt::format("rule {} is not computed; it computes {}", rule_info(options.rule).name,
                       joined(kernel.rules, [](Rule rule) { return rule_info(rule).name; }));
  }
  if (state_rule(options).rule != Rule::kla) return {};
  if (options.variant == KlaVariant::single_gate) {
    return "variant single_gate, whose decay the kernel would have to form, is not computed; hand in g";
  }
  if (options.position != Position::one) return "a position factor on the write coefficient is not computed";
  return {};
}

std::string refused_type(const BuiltInInfo& kernel, const Problem& problem) {
  const Dtype input = problem.find("q")->dtype;
  if (!holds(kernel.inputs, input)) {
    return fmt::format("q in {} is not computed; it takes {}", dtype_name(input), joined(kernel.inputs, dtype_name));
  }
  for (const char* name : {"k", "v"}) {
    const Dtype other = problem.find(name)->dtype;
    if (other == input) continue;
    return fmt::format("{} in {} beside q in {} is not computed; q, k and v must have one type", name,
                       dtype_name(other), dtype_name(input));
  }
  for (const char* name : {"g", "beta", "eta", "sink", "cache_gate", "gamma_q", "gamma_k"}) {
    const Tensor* tensor = problem.find(name);
    if (tensor == nullptr || holds(every_input(), tensor->dtype)) continue;
    return fmt::format("{} in {} is not computed; it takes {}", name, dtype_name(tensor->dtype),
                       joined(every_input(), dtype_name));
  }
  const Tensor* state = problem.find("initial_state");
  if (state != nullptr && state->dtype != Dtype::f32) {
    return fmt::format("initial_state in {} is not computed; states are F32", dtype_name(state->dtype));
  }
  return {};
}

std::string refused_shape(const BuiltInInfo& kernel, const Problem& problem) {
  const Dimensions& d = problem.dims();
  for (const auto& [name, size] : {std::pair{"K", d.K}, std::pair{"V", d.V}}) {
    if (size > kernel.most) return fmt::format("{} = {} is more than {}", name, size, kernel.most);
    if (size % kernel.multiple != 0) return fmt::format("{} = {} is no multiple of {}", name, size, kernel.multiple);
  }
  const std::int64_t chunk = problem.options().chunk_size;
  if (!kernel.chunks.empty() && !holds(kernel.chunks, chunk)) {
    return fmt::format("chunk_size = {} is not computed; it takes {}", chunk,
                       joined(kernel.chunks, [](std::int64_t size) { return size; }));
  }
  return {};
}

// Of HOLA's cache.
std::string refused_cache(const BuiltInInfo& kernel, const Problem& problem) {
  if (!computes_hola(kernel)) return {};
  const HolaOptions& options = problem.options().hola;
  if (options.score == CacheScore::attention) {
    return "score attention, which is not fixed when a token is written, is not computed";
  }
  if (options.score == CacheScore::e && !kernel.chunks.empty()) {
    return "score e is not computed: the chunk form has b e, and no e";
  }
  if (options.score == CacheScore::recency && problem.dims().T > most_recent) {
    return fmt::format("score recency for T = {} is not computed; fp32 holds every index up to {}", problem.dims().T,
                       most_recent);
  }
  for (const auto& [name, size] :
       {std::pair{"cache_size", options.cache_size}, std::pair{"cache_block", options.cache_block}}) {
    if (size > most_cached) return fmt::format("{} = {} is more than {}", name, size, most_cached);
  }
  return {};
}

// What fp32 does not hold, or holds as a subnormal number of few bits, would be computed with another number than was
// asked for.
std::string refused_number(const Problem& problem) {
  const Options& options = problem.options();
  const auto fits = [](double x) {
    return x == 0 || (std::abs(x) >= double{std::numeric_limits<float>::min()} &&
                      std::abs(x) <= double{std::numeric_limits<float>::max()});
  };
  for (const auto& [name, x] : {std::pair{"scale", options.scale}, std::pair{"eps", options.eps},
                                std::pair{"qk_l2norm_eps", options.qk_l2norm_eps}, std::pair{"c", options.c}}) {
    if (!fits(x)) return fmt::format("{} = {} is neither 0 nor a normal fp32 number", name, x);
  }
  if (options.rule != Rule::hola) return {};
  const HolaOptions& hola = options.hola;
  if (!fits(hola.read_eps)) return fmt::format("read_eps = {} is neither 0 nor a normal fp32 number", hola.read_eps);
  if (!fits(hola.tau / std::sqrt(static_cast<double>(problem.dims().K)))) {
    return fmt::format("tau = {} over sqrt(K) is neither 0 nor a normal fp32 number", hola.tau);
  }
  return {};
}

// Prefix sums of g over a chunk, in units of log 2, must be finite: infinity less infinity is NaN.
std::string refused_decay(const BuiltInInfo& kernel, const Problem& problem) {
  const Tensor* g = problem.find("g");
  if (g == nullptr || kernel.chunks.empty()) return {};
  const double limit =
      double{std::numeric_limits<float>::max()} / 2 / static_cast<double>(problem.options().chunk_size);
  for (std::int64_t i = 0; i < g->size(); ++i) {
    const double x = g->value(i);
    if (x < -limit)
      return fmt::format("g = {} may make a sum over a chunk infinite in fp32; from {} on it is computed", x, -limit);
  }
  return {};
}

}  // namespace

std::span<const BuiltInInfo> built_in_kernels() {
  static const std::array<BuiltInInfo, 8> table = {{
      {"recurrent", "token by token in fp32: decoding, states in place or in a pool, whole sequences",
       "deltaproof-recurrent", every_rule(), every_input(), 1, 256, {}},
      {"chunk", "chunkwise WY form, bf16 and fp16 through mma.sync with fp32 states, fp32 by fma",
       "deltaproof-chunk", every_rule(), every_input(), 8, 256, {16, 32, 64}},
      {"triangular_solve", "(I + L) X = R in fp32, by substitution and by an inverse in blocks of 16", "", {}, {}, 1,
       256, {16, 32, 64}, "chunk"},
      {"scores", "scores of HOLA's cache, from b e, k, v and the write gates", "", {}, every_input(), 1, 256, {},
       "cache"},
      {"select", "the w highest scores before each block, earlier tokens first among equals", "", {}, every_input(), 1,
       256, {}, "cache"},
      {"cache_read", "softmax over cache, tokens of the block and a null sink, in one pass", "", {}, every_input(), 1,
       256, {}, "cache"},
      {"hola", "kernel chunk beside an exact cache: scores, select and cache_read", "deltaproof-chunk", {Rule::hola},
       every_input(), 8, 256, {16, 32, 64}},
      {"hola_decode", "kernel recurrent beside an exact cache, token by token, both updated in place",
       "deltaproof-recurrent", {Rule::hola}, every_input(), 1, 256, {}},
  }};
  return table;
}

bool computes_hola(const BuiltInInfo& kernel) { return holds(kernel.rules, Rule::hola); }

const BuiltInInfo* find_built_in_kernel(std::string_view name) {
  const auto table = built_in_kernels();
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& each) { return each.name == name; });
  return found == table.end() ? nullptr : &*found;
}

std::string refusal_of(const BuiltInInfo& kernel, const Problem& problem) {
  std::string why = refused_rule(kernel, problem.options());
  if (why.empty()) why = refused_type(kernel, problem);
  if (why.empty()) why = refused_shape(kernel, problem);
  if (why.empty()) why = refused_number(problem);
  if (why.empty()) why = refused_cache(kernel, problem);
  if (why.empty()) why = refused_decay(kernel, problem);
  return why.empty() ? why : fmt::format("{}: {}", kernel.name, why);
}

}  // namespace deltaproof
