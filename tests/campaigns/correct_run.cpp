#include "correct_run.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "family_order.hpp"
#include "properties/regimes/generator.hpp"
#include "reference/arithmetic/texts.hpp"

namespace deltaproof::campaign {
namespace {

// Streams of the generator: what is drawn does not change what is drawn beside it.
enum Stream : std::uint64_t { kernel_stream, shape_stream, type_stream, order_stream, seed_stream, bits_stream };

template <class T>
struct Weighted {
  T value;
  int weight;
};

template <class T, std::size_t count>
T drawn(const Weighted<T> (&list)[count], Generator& generator) {
  int total = 0;
  for (const auto& each : list) total += each.weight;
  int at = generator.integer(0, total - 1);
  for (const auto& each : list) {
    at -= each.weight;
    if (at < 0) return each.value;
  }
  return list[0].value;
}

// The families that are a trial of a bound and whose draws every kernel of the campaign computes without overflow.
constexpr std::string_view kFamilies[] = {
    "rand_b1_a1",  "rand_sig_gdn", "strong_decay",  "near_parallel",  "b_1.98_a1",    "b_0.02_a1",  "kla_tinykey",
    "cancel_v=Wk", "heavytail_v",  "resets",        "b_2.02_expand",  "parallel_b1.98", "subspace_d/8", "kla_mixnorm"};

struct Computed {
  std::string_view text;
  Rule rule;
};

constexpr Weighted<Computed> kComputed[] = {
    {{"fla-chunk", Rule::gated_delta}, 18},
    {{"fla-chunk", Rule::delta}, 9},
    {{"fla-chunk", Rule::kla}, 9},
    {{"nvlabs-chunk", Rule::gated_delta}, 9},
    {{"nvlabs-chunk", Rule::delta}, 5},
    {{"nvlabs-chunk", Rule::kla}, 6},
    {{"fla-simple-gla-chunk", Rule::scalar_decay}, 6},
    {{"fla-simple-gla-chunk", Rule::linear}, 4},
    {{"fla-kda-chunk", Rule::vector_decay_delta}, 12},
    {{"fla-gla-chunk", Rule::vector_decay}, 8},
    {{"fla-recurrent", Rule::gated_delta}, 5},
    {{"fla-recurrent", Rule::delta}, 3},
    {{"fla-recurrent", Rule::kla}, 3},
    {{"fla-recurrent", Rule::scalar_decay}, 2},
    {{"fla-recurrent", Rule::linear}, 1},
};

// What is assumed where nothing is declared: one inverse, from blocks or by substitution, and chunks.
bool generic_covers(std::string_view text) { return text != "nvlabs-chunk" && text != "fla-recurrent"; }

// Keys of norm 32 with a coefficient that is not divided by |k|^2 expand the state 1,000 times a token: no kernel
// stays finite in fp32.
bool overflows(const Regime& regime, Rule rule) {
  return regime.keys == KeyGeometry::mixed_norm && rule_info(rule).residual && rule != Rule::kla;
}

bool suits(const CorrectRun& run, const Computed& computed) {
  if (overflows(*run.regime, computed.rule)) return false;
  return run.judged_as != JudgedAs::generic || generic_covers(computed.text);
}

void draw_kernel(CorrectRun& run, Generator g) {
  run.judged_as = drawn<JudgedAs>({{JudgedAs::built_in, 45}, {JudgedAs::declared, 10}, {JudgedAs::formats, 30},
                                   {JudgedAs::generic, 15}}, g);
  Computed computed = drawn(kComputed, g);
  while (!suits(run, computed)) computed = drawn(kComputed, g);
  // The rule that the inputs are meant for, more often than by its share.
  const bool own_rule = g.integer(0, 1) == 0;
  if (own_rule && find_text(computed.text)->covers(rule_info(run.regime->rule))) computed.rule = run.regime->rule;
  run.rule = computed.rule;
  run.declared.text = computed.text;
}

// A whole chunk, a part of one, several, or with a partial last one (chunks of 64).
std::int64_t drawn_length(Generator& g) {
  switch (g.integer(0, 5)) {
    case 0: return 64;
    case 1: return g.integer(40, 63);
    case 2: return 64 * g.integer(2, 4);
    default: return g.integer(65, 300);
  }
}

// Sizes up to 300 tokens and 128 channels, with two sequences where there are not too many values.
void draw_shape(CorrectRun& run, Generator g) {
  constexpr Weighted<std::int64_t> widths[] = {{16, 2}, {32, 3}, {64, 5}, {128, 4}};
  run.chunk_size = drawn<std::int64_t>({{64, 16}, {32, 2}, {16, 1}, {128, 1}}, g);
  run.states_every = run.chunk_size * (g.integer(0, 9) == 0 ? 2 : 1);
  RegimeShape& s = run.shape;
  s.tokens = drawn_length(g);
  s.K = drawn(widths, g);
  s.V = drawn(widths, g);
  s.B = g.integer(0, 3) == 0 ? 2 : 1;
  s.H = g.integer(1, 2);
  s.HV = s.H * g.integer(1, 2);
  const std::int64_t most_heads = 4 * 300 * 128 / (s.tokens * std::max(s.K, s.V));  // at least 4
  if (s.B * s.HV > most_heads) s.B = 1;
  s.initial_state = g.integer(0, 1) == 0;
  run.with_states = g.integer(0, 9) < 7;
}

// Whether values, intermediates and outputs stay below 65504.
bool fits_f16(const CorrectRun& run) {
  static constexpr std::string_view names[] = {"rand_sig_gdn", "strong_decay", "b_0.02_a1", "resets", "rand_b1_a1",
                                               "cancel_v=Wk"};
  return run.rule != Rule::kla && std::find(std::begin(names), std::end(names), run.regime->name) != std::end(names);
}

void draw_types(CorrectRun& run, Generator g) {
  run.input = drawn<Dtype>({{Dtype::bf16, 8}, {Dtype::f16, 1}, {Dtype::f32, 1}}, g);
  if (run.input == Dtype::f16 && !fits_f16(run)) run.input = Dtype::bf16;
  run.stored = g.integer(0, 9) == 0 ? Dtype::f32 : run.input;
  const bool gives_beta = rule_info(run.rule).write == "beta";
  run.beta = gives_beta && g.integer(0, 6) == 0 ? run.input : Dtype::f32;
}

void draw_order(CorrectRun& run, Generator g) {
  const Declared built = built_in(run.declared.text, run.rule).value();
  run.declared = built;
  if (run.judged_as == JudgedAs::formats || run.judged_as == JudgedAs::declared ||
      (run.judged_as == JudgedAs::generic && g.integer(0, 1) == 0)) {
    FamilyLimits limits;
    limits.generic = run.judged_as == JudgedAs::generic;
    limits.decays = rule_info(run.rule).decay != Decay::none && run.regime->gates != GateProfile::none;
    limits.cut = run.judged_as == JudgedAs::declared;
    limits.input = run.input;
    limits.K = run.shape.K, limits.chunk_size = run.chunk_size, limits.tokens = run.shape.tokens;
    run.declared = another_order(built, limits, g);
  }
  // The layout of a recurrent kernel is known for some rules only.
  const bool known = run.rule == Rule::gated_delta || run.rule == Rule::kla ||
                     (run.rule == Rule::delta && run.shape.initial_state);
  if (run.declared.text == "fla-recurrent" && run.declared.lanes == Lanes::by_initial_state && !known) {
    run.declared.lanes = Lanes::four;
  }
  run.difference = deltaproof::difference(built, run.declared);
}

// Regimes are drawn in bf16: wider types get further bits, drawn for the campaign.
Tensor widened(const Tensor& tensor, Dtype dtype, Generator g) {
  std::vector<double> values = tensor.values();
  for (double& x : values) x *= 1 + 0x1p-9 * g.uniform(-1, 1);
  return Tensor::from(dtype, tensor.shape, values);
}

}  // namespace

const char* judged_as_name(JudgedAs judged_as) {
  switch (judged_as) {
    case JudgedAs::built_in: return "built-in order";
    case JudgedAs::declared: return "another order, declared";
    case JudgedAs::formats: return "another order, formats alone";
    case JudgedAs::generic: return "generic";
  }
  return "";
}

CorrectRun draw_run(std::uint64_t campaign, std::uint64_t index) {
  CorrectRun run;
  run.campaign = campaign, run.index = index;
  run.regime = find_regime(kFamilies[index % std::size(kFamilies)]);
  const auto stream = [&](Stream which) { return Generator(campaign, {index, which}); };
  draw_kernel(run, stream(kernel_stream));
  draw_shape(run, stream(shape_stream));
  draw_types(run, stream(type_stream));
  draw_order(run, stream(order_stream));
  run.seed = static_cast<std::uint64_t>(stream(seed_stream).integer(0, 1 << 30));
  return run;
}

Problem problem_of(const CorrectRun& run) {
  const Problem drawn = regime_problem(*run.regime, run.rule, run.shape, run.seed);
  TensorMap tensors = drawn.tensors();
  std::uint64_t stream = 0;
  for (const char* name : {"q", "k", "v"}) {
    Generator bits(run.campaign, {run.index, bits_stream, stream++});
    if (run.input != Dtype::bf16) tensors[name] = widened(tensors.at(name), run.input, std::move(bits));
  }
  if (const auto beta = tensors.find("beta"); beta != tensors.end() && run.beta != Dtype::f32) {
    beta->second = Tensor::from(run.beta, beta->second.shape, beta->second.values());
  }
  const std::string arithmetic = run.judged_as == JudgedAs::generic ? "generic" : run.declared.text;
  const Metadata metadata{{"format", "deltaproof.case/1"},
                          {"rule", std::string(rule_info(run.rule).name)},
                          {"arithmetic", arithmetic},
                          {"chunk_size", std::to_string(run.chunk_size)},
                          {"states_every", std::to_string(run.states_every)}};
  return Problem::make(std::string(run.regime->name), metadata, std::move(tensors));
}

std::string describe(const CorrectRun& run) {
  const RegimeShape& s = run.shape;
  return fmt::format(
      "{}, rule {}, {}, judged as {}, inputs of seed {}\n"
      "B {}, T {}, H {}, HV {}, K {}, V {}, chunks of {}, {}; q, k, v {}, o {}, beta {}; {}\n"
      "order: {}",
      run.regime->name, rule_info(run.rule).name, run.declared.text, judged_as_name(run.judged_as), run.seed, s.B,
      s.tokens, s.H, s.HV, s.K, s.V, run.chunk_size,
      run.with_states ? fmt::format("states every {}", run.states_every) : "no states recorded",
      dtype_name(run.input), dtype_name(run.stored), dtype_name(run.beta),
      s.initial_state ? "an initial state" : "no initial state",
      run.difference.empty() ? "the built-in one" : run.difference);
}

}  // namespace deltaproof::campaign
