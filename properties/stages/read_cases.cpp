#include <fmt/format.h>

#include <array>
#include <cmath>

#include "properties/stages/drawn_tensor.hpp"
#include "properties/stages/stage.hpp"

namespace deltaproof {
namespace {

enum class Kind {
  usual,
  nothing_visible,
  far_logits,
  equal_logits,
  high_sink,
  low_sink,
  no_cache,
  large_gammas,
  grouped_heads,
  closed_gate,
  packed,
  cache_alone,
};
constexpr std::array names{"usual",    "nothing visible", "far logits",    "equal logits", "high sink", "low sink",
                           "no cache", "gammas of 4",     "grouped heads", "closed gate",  "packed",    "cache alone"};
constexpr std::array types{Dtype::bf16, Dtype::f32, Dtype::f16};

void set_sizes(Generator& g, Kind kind, ReadInput& r) {
  constexpr std::array sizes{5, 16, 24, 33, 64};
  StageShape& d = r.shape;
  d.K = sizes[static_cast<std::size_t>(g.integer(0, 4))], d.V = sizes[static_cast<std::size_t>(g.integer(0, 3))];
  d.B = g.integer(1, 2), d.T = g.integer(8, 26), d.HV = g.integer(1, 2);
  r.w = g.integer(1, 6), r.C = g.integer(2, 7);
  if (kind == Kind::no_cache || kind == Kind::nothing_visible) r.w = 0;
  r.read_block = kind != Kind::nothing_visible && kind != Kind::cache_alone;
  if (kind == Kind::grouped_heads) d.H = 2, d.HV = 2 * g.integer(2, 3);
  if (kind != Kind::packed) return;
  d.B = 1, d.lengths = {g.integer(1, 12), 0, g.integer(8, 20)};
  d.T = d.lengths[0] + d.lengths[2];
}

void draw_rows(Generator& g, Kind kind, Dtype type, ReadInput& r) {
  const StageShape& d = r.shape;
  // Logits of size 1; far ones are of size 30.
  const double tau = kind == Kind::far_logits ? 30 : 1, root = std::sqrt(static_cast<double>(d.K));
  r.logit_scale = static_cast<float>(r.read == CallRead::l2 ? tau * root : tau / root);
  r.q = normal_tensor(g, type, {d.B, d.T, d.H, d.K});
  r.k = normal_tensor(g, type, {d.B, d.T, d.H, d.K});
  r.v = normal_tensor(g, type, {d.B, d.T, d.HV, d.V});
  r.o = normal_tensor(g, type, {d.B, d.T, d.HV, d.V});
  if (kind == Kind::equal_logits) {
    const Tensor first = r.k;
    r.k = drawn_tensor(type, {d.B, d.T, d.H, d.K}, [&](std::int64_t i) { return first.value(i % d.K); });
  }
}

void draw_parameters(Generator& g, Kind kind, ReadInput& r) {
  const StageShape& d = r.shape;
  const double sink = kind == Kind::high_sink ? 20 : kind == Kind::low_sink ? -200 : 0;
  r.sink = drawn_tensor(Dtype::f32, {d.HV}, [&](std::int64_t) { return sink + g.normal(); });
  const bool closed = kind == Kind::closed_gate;
  r.gate = drawn_tensor(Dtype::bf16, {d.HV}, [&](std::int64_t) { return closed ? -200 : g.normal(); });
  if (r.read == CallRead::l2) return;
  const double size = kind == Kind::large_gammas ? 4 : 1;
  r.gamma_q = drawn_tensor(Dtype::f32, {d.HV, d.K}, [&](std::int64_t) { return size * g.uniform(0.5, 1); });
  r.gamma_k = drawn_tensor(Dtype::bf16, {d.HV, d.K}, [&](std::int64_t) { return size * g.uniform(0.5, 1); });
}

// Earlier tokens in any order, as many as there are up to w.
void draw_sets(Generator& g, ReadInput& r) {
  const StageShape& d = r.shape;
  const std::vector<std::int64_t> rows(static_cast<std::size_t>(d.B), d.T);
  for (const std::int64_t length : d.lengths.empty() ? rows : d.lengths) {
    for (std::int64_t i = 0; i < (length + r.C - 1) / r.C * d.HV; ++i) {
      std::vector<std::int32_t> tokens(static_cast<std::size_t>(i / d.HV * r.C));
      for (std::size_t t = 0; t < tokens.size(); ++t) {
        tokens[t] = static_cast<std::int32_t>(t);
        std::swap(tokens[t], tokens[static_cast<std::size_t>(g.integer(0, static_cast<int>(t)))]);
      }
      tokens.resize(static_cast<std::size_t>(r.w), -1);
      r.selected.insert(r.selected.end(), tokens.begin(), tokens.end());
    }
  }
}

}  // namespace

StageProblem read_case(std::uint64_t seed, std::uint64_t index) {
  Generator g(seed, {0x72656164, index});
  const std::size_t kind = index % names.size(), round = index / names.size();
  const Dtype type = types[(index + round) % types.size()];
  ReadInput r;
  r.read = (index + round) % 2 == 0 ? CallRead::rmsnorm : CallRead::l2;
  set_sizes(g, static_cast<Kind>(kind), r);
  draw_rows(g, static_cast<Kind>(kind), type, r);
  draw_parameters(g, static_cast<Kind>(kind), r);
  draw_sets(g, r);
  StageProblem problem;
  problem.name = fmt::format("{}-{} {} {} T{} K{} V{} w{} C{}", names[kind], index,
                             r.read == CallRead::l2 ? "l2" : "rmsnorm", dtype_name(type), r.shape.T, r.shape.K,
                             r.shape.V, r.w, r.C);
  problem.input = std::move(r);
  return problem;
}

}  // namespace deltaproof
