#include "properties/diagnose/hunt/spec_moves.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <numeric>
#include <string>

#include "properties/runs/kernel_case.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof {
namespace {

// Sizes of a search: a run takes milliseconds, and there are a few chunks and a few heads to go wrong.
constexpr std::int64_t most_tokens = 96, most_channels = 32, most_heads = 4, most_rows = 2;
constexpr std::size_t most_sequences = 4;

template <class List>
const auto& among(const List& list, Generator& g) {
  return list.begin()[g.integer(0, static_cast<int>(std::size(list)) - 1)];
}
std::int64_t among(std::initializer_list<std::int64_t> values, Generator& g) {
  return values.begin()[g.integer(0, static_cast<int>(values.size()) - 1)];
}

void choose(ProblemSpec& spec, const char* option, std::initializer_list<const char*> values, Generator& g) {
  const std::string value = values.begin()[g.integer(0, static_cast<int>(values.size()) - 1)];
  if (value.empty()) {
    spec.options.erase(option);
  } else {
    spec.options[option] = value;
  }
}

void set_rule(ProblemSpec& spec, Rule rule) {
  spec.options["rule"] = rule_info(rule).name;
  if (rule != Rule::kla) {
    for (const char* option : {"variant", "c"}) spec.options.erase(option);
    if (rule != Rule::hola) spec.options.erase("eps");
  }
}

void move_variant(ProblemSpec& spec, Generator& g) {
  if (spec.options["rule"] != "kla") return;
  choose(spec, "variant", {"standard", "key_norm_only", "learned_scalar", "no_norm"}, g);
  choose(spec, "eps", {"", "1e-3", "0.25"}, g);
  spec.options.erase("c");
  if (spec.options["variant"] == "learned_scalar") choose(spec, "c", {"1.5", "0.375"}, g);
}

void move_cache(ProblemSpec& spec, Generator& g) {
  if (spec.options["rule"] != "hola") return;
  choose(spec, "cache_size", {"0", "1", "3", "8", "16", "64"}, g);
  choose(spec, "cache_block", {"1", "7", "16", "20", "64"}, g);
  choose(spec, "tau", {"1", "0.5", "2"}, g);
  choose(spec, "read", {"rmsnorm", "l2"}, g);
}

void move_sequences(ProblemSpec& spec, Generator& g) {
  RegimeShape& shape = spec.shape;
  spec.lengths.clear();
  spec.pool = g.integer(0, 3) == 0;
  shape.B = g.integer(1, most_rows);
  shape.tokens = among({1, 2, 7, 16, 17, 31, 33, 40, 64, 65}, g);
  if (g.integer(0, 2) == 0) {
    const int count = g.integer(1, static_cast<int>(most_sequences));
    for (int n = 0; n < count; ++n) spec.lengths.push_back(among({0, 1, 2, 15, 16, 17, 33}, g));
  }
  shape.initial_state = spec.pool || g.integer(0, 1) == 1;
}

void move_tokens(ProblemSpec& spec, Generator& g) {
  const std::int64_t by = among({-16, -7, -1, 1, 7, 16}, g);
  std::int64_t& tokens = spec.lengths.empty() ? spec.shape.tokens : spec.lengths[static_cast<std::size_t>(
                                                                        g.integer(0, static_cast<int>(spec.lengths.size()) - 1))];
  tokens = std::max<std::int64_t>(tokens + by, spec.lengths.empty() ? 1 : 0);
}

void move_channels(const BuiltInInfo& kernel, ProblemSpec& spec, Generator& g) {
  std::int64_t& size = g.integer(0, 1) == 0 ? spec.shape.K : spec.shape.V;
  size = kernel.multiple == 1 ? among({1, 3, 8, 16, 24, 32}, g) : kernel.multiple * among({1, 2, 3, 4}, g);
}

void move_heads(ProblemSpec& spec, Generator& g) {
  spec.shape.H = g.integer(1, 2);
  spec.shape.HV = spec.shape.H * g.integer(1, 2);
}

void move_numbers(ProblemSpec& spec, Generator& g) {
  switch (g.integer(0, 3)) {
    case 0: return choose(spec, "scale", {"", "0.3", "1", "1024", "0.0009765625"}, g);
    case 1: return choose(spec, "qk_l2norm", {"none", "none", "q", "k", "kernel"}, g);
    case 2: return choose(spec, "qk_l2norm_eps", {"", "1e-4", "0.01"}, g);
    default: return choose(spec, "state_layout", {"kv", "vk"}, g);
  }
}

void move_types(const HuntSpace& space, ProblemSpec& spec, Generator& g) {
  constexpr std::array types = {Dtype::f32, Dtype::bf16, Dtype::f16};
  switch (g.integer(0, 2)) {
    case 0: spec.gates = among(types, g); return;
    case 1: spec.writes = among(types, g); return;
    default: spec.shape.input = among(space.inputs, g);
  }
}

// Back into what is small.
void confine(const BuiltInInfo& kernel, ProblemSpec& spec) {
  RegimeShape& shape = spec.shape;
  const std::int64_t most = std::max(most_channels / kernel.multiple, std::int64_t{1}) * kernel.multiple;
  shape.K = std::min(shape.K, most), shape.V = std::min(shape.V, most);
  shape.B = std::min(shape.B, most_rows);
  if (shape.HV > most_heads) shape.HV = shape.H = std::min(shape.H, std::int64_t{2});
  if (spec.lengths.size() > most_sequences) spec.lengths.resize(most_sequences);
  for (std::int64_t& length : spec.lengths) length = std::min(length, most_tokens / 2);
  if (!spec.lengths.empty()) {
    shape.B = 1;
    shape.tokens = std::accumulate(spec.lengths.begin(), spec.lengths.end(), std::int64_t{0});
  } else {
    shape.tokens = std::clamp<std::int64_t>(shape.tokens, 1, most_tokens);
  }
  if (spec.pool) shape.initial_state = true;
}

}  // namespace

HuntSpace hunt_space(const BuiltInInfo& kernel, const std::string& rule, const std::string& dtype) {
  HuntSpace space{&kernel, kernel.rules, kernel.inputs};
  if (!rule.empty()) std::erase_if(space.rules, [&](Rule each) { return rule_info(each).name != rule; });
  if (!dtype.empty()) std::erase_if(space.inputs, [&](Dtype each) { return dtype_name(each) != dtype; });
  std::vector<std::string_view> rules, types;
  for (const Rule each : kernel.rules) rules.push_back(rule_info(each).name);
  for (const Dtype each : kernel.inputs) types.push_back(dtype_name(each));
  if (space.rules.empty()) {
    throw InputError(fmt::format("rule {} is not computed by {}; it computes {}", rule, kernel.name, fmt::join(rules, ", ")));
  }
  if (space.inputs.empty()) {
    throw InputError(fmt::format("inputs in {} are not taken by {}; it takes {}", dtype, kernel.name, fmt::join(types, ", ")));
  }
  return space;
}

ProblemSpec drawn_spec(const HuntSpace& space, const Regime& regime, std::uint64_t seed, std::uint64_t index) {
  ProblemSpec spec = kernel_case_spec(*space.kernel, regime, seed, index, CaseSizes::small);
  const auto rules = space.rules.size();
  const bool all_rules = rules == space.kernel->rules.size(), all_inputs = space.inputs.size() == space.kernel->inputs.size();
  if (!all_rules) set_rule(spec, space.rules[index % rules]);
  if (!all_inputs) spec.shape.input = space.inputs[index / rules % space.inputs.size()];
  confine(*space.kernel, spec);
  return spec;
}

ProblemSpec moved_spec(const HuntSpace& space, ProblemSpec spec, Generator& g) {
  const BuiltInInfo& kernel = *space.kernel;
  switch (g.integer(0, 11)) {
    case 0: spec.regime = among(regimes(), g).name; break;
    case 1: spec.index = static_cast<std::uint64_t>(g.integer(0, 1 << 20)); break;
    case 2: set_rule(spec, among(space.rules, g)); break;
    case 3: move_types(space, spec, g); break;
    case 4: move_sequences(spec, g); break;
    case 5: move_tokens(spec, g); break;
    case 6: move_channels(kernel, spec, g); break;
    case 7: move_heads(spec, g); break;
    case 8: move_numbers(spec, g); break;
    case 9: spec.shape.initial_state = !spec.shape.initial_state; break;
    case 10:
      move_variant(spec, g);
      move_cache(spec, g);
      break;
    default:
      if (!kernel.chunks.empty()) spec.options["chunk_size"] = std::to_string(among(kernel.chunks, g));
  }
  confine(kernel, spec);
  return spec;
}

}  // namespace deltaproof
