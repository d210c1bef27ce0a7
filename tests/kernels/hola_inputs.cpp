#include "tests/kernels/hola_inputs.hpp"

#include <cmath>
#include <limits>

#include "tests/kernels/hola_fixture.hpp"

namespace deltaproof {

ScoresInput random_scores_input(Dtype type, CallScore score, std::int64_t K, std::int64_t V) {
  ScoresInput input;
  StageShape& s = input.shape;
  s.H = 2, s.HV = 4, s.K = K, s.V = V, s.lengths = {5, 0, 9}, s.T = 14;
  Generator g(7, {static_cast<std::uint64_t>(K), static_cast<std::uint64_t>(V)});
  for (std::int64_t i = 0; i < s.T * s.HV * V; ++i) input.u.push_back(static_cast<float>(g.normal()));
  input.k = random_tensor(g, type, {1, s.T, s.H, K});
  input.v = random_tensor(g, type, {1, s.T, s.HV, V});
  input.write = random_tensor(g, Dtype::f16, {1, s.T, s.HV});
  input.score = score, input.eps = 1e-3f, input.l2norm_eps = 1e-6f, input.c = 0.7f;
  return input;
}

std::vector<float> random_scores(std::int64_t T, int values, std::uint64_t seed) {
  Generator g(seed, {72});
  std::vector<float> scores;
  for (std::int64_t t = 0; t < T; ++t) {
    const int drawn = g.integer(0, values);
    scores.push_back(drawn == values && values > 3 ? std::numeric_limits<float>::infinity()
                                                   : static_cast<float>(drawn) * 0.25f);
  }
  return scores;
}

ReadInput random_read_input(Dtype type, CallRead read, std::int64_t K, std::int64_t V) {
  ReadInput r;
  StageShape& s = r.shape;
  s.H = 1, s.HV = 2, s.K = K, s.V = V, s.lengths = {11, 0, 26}, s.T = 37;
  r.w = 6, r.C = 5, r.read = read, r.logit_scale = 1.3f / std::sqrt(static_cast<float>(K));
  if (read == CallRead::l2) r.logit_scale = 1.3f;
  Generator g(8, {static_cast<std::uint64_t>(K), static_cast<std::uint64_t>(V)});
  r.q = random_tensor(g, type, {1, s.T, s.H, K});
  r.k = random_tensor(g, type, {1, s.T, s.H, K});
  r.v = random_tensor(g, type, {1, s.T, s.HV, V});
  r.o = random_tensor(g, type, {1, s.T, s.HV, V});
  if (read == CallRead::rmsnorm) {
    r.gamma_q = random_tensor(g, Dtype::f32, {s.HV, K}, 0.3), r.gamma_k = random_tensor(g, Dtype::bf16, {s.HV, K}, 0.3);
  }
  r.sink = random_tensor(g, Dtype::f32, {s.HV}), r.gate = random_tensor(g, Dtype::bf16, {s.HV});
  for (const std::int64_t length : s.lengths) {
    for (std::int64_t n = 0; n * r.C < length; ++n) {
      for (std::int64_t head = 0; head < s.HV; ++head) {
        std::vector<std::int32_t> tokens;
        for (std::int32_t t = 0; t < n * r.C; ++t) tokens.push_back(t);
        for (std::size_t i = tokens.size(); i > 1; --i) {
          std::swap(tokens[i - 1], tokens[static_cast<std::size_t>(g.integer(0, static_cast<int>(i) - 1))]);
        }
        tokens.resize(static_cast<std::size_t>(r.w), -1);
        if (head == 1) tokens.back() = -2;  // also no entry
        r.selected.insert(r.selected.end(), tokens.begin(), tokens.end());
      }
    }
  }
  return r;
}

}  // namespace deltaproof
