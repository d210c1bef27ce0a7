#include "plain_recurrence.hpp"

#include <cstddef>

namespace deltaproof::bench {

std::vector<float> plain_recurrence(const PlainProblem& problem) {
  const std::size_t T = static_cast<std::size_t>(problem.tokens),
                    K = static_cast<std::size_t>(problem.K),
                    V = static_cast<std::size_t>(problem.V);
  std::vector<float> S(K * V, 0.0F), o(T * V, 0.0F), e(V);
  for (std::size_t t = 0; t < T; ++t) {
    for (float& s : S) s *= problem.alpha[t];
    for (std::size_t j = 0; j < V; ++j) e[j] = problem.v[t * V + j];
    for (std::size_t i = 0; i < K; ++i)
      for (std::size_t j = 0; j < V; ++j) e[j] -= problem.k[t * K + i] * S[i * V + j];
    for (std::size_t i = 0; i < K; ++i)
      for (std::size_t j = 0; j < V; ++j)
        S[i * V + j] += problem.beta[t] * problem.k[t * K + i] * e[j];
    for (std::size_t i = 0; i < K; ++i)
      for (std::size_t j = 0; j < V; ++j) o[t * V + j] += problem.q[t * K + i] * S[i * V + j];
  }
  return o;
}

}  // namespace deltaproof::bench
