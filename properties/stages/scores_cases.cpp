#include <fmt/format.h>

#include <array>

#include "properties/stages/drawn_tensor.hpp"
#include "properties/stages/stage.hpp"

namespace deltaproof {
namespace {

constexpr std::array scores{CallScore::beta_e, CallScore::write_norm, CallScore::e, CallScore::beta_v,
                            CallScore::recency};
constexpr std::array score_names{"beta_e", "write_norm", "e", "beta_v", "recency"};
constexpr std::array types{Dtype::bf16, Dtype::f32, Dtype::f16};
constexpr std::array coefficients{Coefficient::given, Coefficient::kaczmarz, Coefficient::key_norm_only,
                                  Coefficient::learned_scalar};
constexpr std::array coefficient_names{"gates", "kaczmarz", "key norm", "learned scalar"};

enum class Values { random, zeros, tiny, huge };
constexpr std::array value_names{"random", "zeros", "tiny", "huge"};

// Every third token is of the kind: a bound that would also accept zeros for all tokens would say nothing.
double size_at(Values kind, std::int64_t token, double tiny, double huge) {
  if (token % 3 != 0) return 1;
  switch (kind) {
    case Values::random: return 1;
    case Values::zeros: return 0;
    case Values::tiny: return tiny;
    case Values::huge: break;
  }
  return huge;
}

void draw_sizes(Generator& g, StageShape& shape) {
  constexpr std::array sizes{1, 7, 16, 24, 33, 40};
  shape.H = g.integer(1, 2), shape.HV = shape.H * g.integer(1, 2);
  shape.K = sizes[static_cast<std::size_t>(g.integer(0, 5))], shape.V = sizes[static_cast<std::size_t>(g.integer(0, 5))];
  if (g.integer(0, 1) == 1) {
    shape.lengths = {g.integer(4, 12), 0, g.integer(4, 20)};
    shape.T = shape.lengths[0] + shape.lengths[2];
  } else {
    shape.B = g.integer(1, 2), shape.T = g.integer(4, 20);
  }
}

void draw_inputs(Generator& g, Values kind, Dtype type, ScoresInput& input) {
  const StageShape& d = input.shape;
  const bool narrow = type == Dtype::f16;
  const auto written = [&](std::int64_t i) { return size_at(kind, i / (d.HV * d.V), 0x1p-90, 0x1p58) * g.normal(); };
  for (std::int64_t i = 0; i < d.B * d.T * d.HV * d.V; ++i) input.u.push_back(static_cast<float>(written(i)));
  input.k = normal_tensor(g, type, {d.B, d.T, d.H, d.K}, 0.5);
  input.v = drawn_tensor(type, {d.B, d.T, d.HV, d.V}, [&](std::int64_t i) {
    return size_at(kind, i / (d.HV * d.V), narrow ? 0x1p-20 : 0x1p-90, narrow ? 0x1p12 : 0x1p57) * g.normal();
  });
  const Dtype gates = g.integer(0, 1) == 0 ? Dtype::f32 : Dtype::bf16;
  input.write = drawn_tensor(gates, {d.B, d.T, d.HV}, [&](std::int64_t) { return g.uniform(0.05, 1.9); });
}

}  // namespace

StageProblem scores_case(std::uint64_t seed, std::uint64_t index) {
  Generator g(seed, {0x73636f726573, index});
  const std::size_t score = index % scores.size(), round = index / scores.size();
  const std::size_t values = (round + score) % value_names.size(), coefficient = round % coefficients.size();
  ScoresInput input;
  const Dtype type = types[(round + score) % types.size()];
  draw_sizes(g, input.shape);
  draw_inputs(g, static_cast<Values>(values), type, input);
  input.score = scores[score];
  input.coefficient = coefficients[coefficient];
  input.normalise_k = (round + score) % 2 == 1;
  input.eps = 1e-6f, input.l2norm_eps = 1e-6f, input.c = static_cast<float>(g.uniform(0.3, 3));
  StageProblem problem;
  problem.name = fmt::format("{}-{} {} {} {}{}", value_names[values], index, score_names[score], dtype_name(type),
                             coefficient_names[coefficient], input.normalise_k ? ", unit keys" : "");
  problem.input = std::move(input);
  return problem;
}

}  // namespace deltaproof
