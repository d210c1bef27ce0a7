#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "properties/regimes/generator.hpp"
#include "properties/stages/stage.hpp"

namespace deltaproof {
namespace {

enum class Scores { random, ties, ties_at_the_border, ascending, descending, infinite, subnormal };
constexpr std::size_t score_kinds = 7;
constexpr std::array names{"random", "ties", "ties at the border", "ascending", "descending", "infinite", "subnormal",
                           "w 0", "w 1", "w from T on", "w 1024", "C 1", "C 1024", "packed", "heads"};

// Score of token t: `w` tells where the border of ties lies.
float drawn_score(Generator& g, Scores kind, std::int64_t t, std::int64_t w) {
  switch (kind) {
    case Scores::random: return static_cast<float>(g.uniform(0, 4));
    case Scores::ties: return 0.5f;
    // Fewer than w stand above the tie, which the last places of the cache go to.
    case Scores::ties_at_the_border: return t % 3 == 0 && t / 3 < w - 1 ? static_cast<float>(g.uniform(1, 2)) : 1.0f;
    case Scores::ascending: return static_cast<float>(t);
    case Scores::descending: return static_cast<float>(1000000 - t);
    case Scores::infinite:
      return g.integer(0, 2) == 0 ? std::numeric_limits<float>::infinity() : static_cast<float>(g.uniform(0, 3.4e38));
    case Scores::subnormal: break;
  }
  constexpr std::array few{0.0f, -0.0f, 0x1p-149f, 0x1p-148f, 0x1p-127f, 0x1p-126f};
  return few[static_cast<std::size_t>(g.integer(0, 5))];
}

// Sizes of what is no case of sizes itself.
void draw_sizes(Generator& g, SelectInput& input) {
  input.w = g.integer(2, 12), input.C = g.integer(2, 16);
  input.shape.T = g.integer(30, 70), input.shape.HV = g.integer(1, 2), input.shape.B = g.integer(1, 2);
}

void set_size(Generator& g, std::size_t size, SelectInput& input) {
  StageShape& d = input.shape;
  switch (size) {
    case 0: input.w = 0; return;
    case 1: input.w = 1; return;
    case 2: input.w = d.T + g.integer(0, 20); return;
    case 3: input.w = 1024, input.C = 256, d.T = 1030 + g.integer(0, 90), d.B = d.HV = 1; return;
    case 4: input.C = 1; return;
    case 5: input.w = g.integer(1, 1024), input.C = 1024, d.T = 1025 + g.integer(0, 600), d.B = d.HV = 1; return;
    case 6: d.B = 1, d.lengths = {g.integer(1, 30), 0, g.integer(20, 60), g.integer(1, 5)}; break;
    default: d.HV = 4 + g.integer(0, 2); return;
  }
  d.T = 0;
  for (const std::int64_t length : d.lengths) d.T += length;
}

}  // namespace

StageProblem select_case(std::uint64_t seed, std::uint64_t index) {
  Generator g(seed, {0x73656c656374, index});
  const std::size_t kind = index % names.size();
  SelectInput input;
  draw_sizes(g, input);
  Scores scores = static_cast<Scores>(kind);
  if (kind >= score_kinds) {
    set_size(g, kind - score_kinds, input);
    scores = static_cast<Scores>(g.integer(0, static_cast<int>(score_kinds) - 1));
  }
  for (std::int64_t i = 0; i < input.shape.B * input.shape.T * input.shape.HV; ++i) {
    input.scores.push_back(drawn_score(g, scores, i / input.shape.HV % input.shape.T, input.w));
  }
  StageProblem problem;
  problem.name = fmt::format("{}-{} T{} w{} C{}", names[kind], index, input.shape.T, input.w, input.C);
  problem.input = std::move(input);
  return problem;
}

}  // namespace deltaproof
