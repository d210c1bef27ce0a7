#pragma once

#include <cmath>
#include <random>

#include "reference/problem/head.hpp"

namespace deltaproof {

/// Extents of a head of rule `hola`.
struct HolaShape {
  Index tokens = 24, K = 6, V = 3;
  std::int64_t w = 5, block = 4;
};

/// Normal deviates (|k| about 1, g about -0.1, gates in (0, 1)), gammas near 1, a sink and an open gate.
inline HeadInputs hola_head(HolaShape shape, std::uint64_t seed, Rule state_rule = Rule::gated_delta) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> deviate;
  const auto normal = [&](Index rows, Index columns, double size) {
    Matrix matrix(rows, columns);
    for (Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = static_cast<float>(size * deviate(random));
    return matrix;
  };
  HeadInputs head;
  head.options.rule = Rule::hola;
  head.options.hola.state_rule = state_rule;
  head.options.hola.cache_size = shape.w;
  head.options.hola.cache_block = shape.block;
  const double unit = 1 / std::sqrt(static_cast<double>(shape.K));
  head.options.scale = unit;
  head.tokens = shape.tokens, head.K = shape.K, head.V = shape.V;
  head.q = normal(shape.tokens, shape.K, unit);
  head.k = normal(shape.tokens, shape.K, unit);
  head.v = normal(shape.tokens, shape.V, 1);
  head.g = -normal(shape.tokens, 1, 0.1).cwiseAbs();
  head.write = normal(shape.tokens, 1, 1).unaryExpr([](double x) { return 1 / (1 + std::exp(-x)); });
  head.initial_state = normal(shape.K, shape.V, 0.5);
  head.gamma_q = Matrix::Ones(1, shape.K) + normal(1, shape.K, 0.2);
  head.gamma_k = Matrix::Ones(1, shape.K) + normal(1, shape.K, 0.2);
  head.sink = 0.25;
  head.cache_gate = 0.5;
  return head;
}

/// Writes whose scores beta_e, e, beta_v and write_norm are all exactly 1: orthonormal keys, |v| = 1, beta = 1.
inline HeadInputs tied_head(Index tokens, std::int64_t w, std::int64_t block) {
  HeadInputs head = hola_head({tokens, std::max<Index>(tokens, 2), 3, w, block}, 1);
  head.k = Matrix::Identity(tokens, head.K);
  head.v = Matrix::Zero(tokens, 3);
  for (Index t = 0; t < tokens; ++t) head.v(t, t % 3) = t % 2 == 0 ? 1 : -1;
  head.g.setZero();
  head.write.setOnes();
  head.initial_state.setZero();
  return head;
}

/// 0, 1, .. count - 1.
inline std::vector<Index> first_tokens(Index count) {
  std::vector<Index> tokens;
  for (Index t = 0; t < count; ++t) tokens.push_back(t);
  return tokens;
}

}  // namespace deltaproof
