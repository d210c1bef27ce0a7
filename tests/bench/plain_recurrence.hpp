#pragma once

#include <vector>

namespace deltaproof::bench {

/// The gated delta rule as one writes it without thinking of speed: float, four nested loops over a
/// K x V state. What the oracle's rate is held against.
struct PlainProblem {
  int tokens = 0, K = 0, V = 0;
  std::vector<float> q, k, v, alpha, beta;
};

std::vector<float> plain_recurrence(const PlainProblem& problem);

}  // namespace deltaproof::bench
