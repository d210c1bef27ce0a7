#include "tests/reference/bounds/simulated/token_kernel.hpp"

#include <cmath>

namespace deltaproof::simulated {
namespace {

class Run {
 public:
  Run(const TokenKernel& kernel, const ChunkInput& in, const Matrix& g)
      : f_(kernel),
        in_(in),
        q_(to_floats(in.q * in.scale)),
        k_(to_floats(in.k)),
        v_(to_floats(in.v)),
        b_(to_floats(in.b)),
        g_(to_floats(g)),
        S_(to_floats(in.state)) {}

  ChunkOutput operator()() {
    Matrix o(k_.rows(), v_.cols());
    for (Index t = 0; t < k_.rows(); ++t) {
      for (Index c = 0; c < S_.rows(); ++c)
        S_.row(c) *= f_.exponential(g_(t, g_.cols() == 1 ? 0 : c) * log2_e);
      for (Index j = 0; j < S_.cols(); ++j) {
        float w = v_(t, j);
        if (in_.residual)
          w = b_(t, 0) * (f_.from_value ? chain(t, j) : w - dot(k_.row(t), S_.col(j)));
        for (Index c = 0; c < S_.rows(); ++c) {
          S_(c, j) = f_.fused ? std::fma(k_(t, c), w, S_(c, j)) : S_(c, j) + k_(t, c) * w;
        }
        o(t, j) = dot(q_.row(t), S_.col(j));
      }
    }
    return {o, to_matrix(S_)};
  }

 private:
  float chain(Index t, Index j) const {
    float e = v_(t, j);
    for (Index c = 0; c < S_.rows(); ++c) e = std::fma(-k_(t, c), S_(c, j), e);
    return e;
  }

  template <class Row, class Column>
  float dot(const Row& a, const Column& b) const {
    const Index n = a.size();
    if (f_.order == TokenKernel::Order::pairwise) return pairwise(a, b, 0, n);
    float sum = 0;
    for (Index i = 0; i < n; ++i) {
      const Index c = f_.order == TokenKernel::Order::ascending ? i : n - 1 - i;
      sum = f_.fused ? std::fma(a(c), b(c), sum) : sum + a(c) * b(c);
    }
    return sum;
  }

  template <class Row, class Column>
  float pairwise(const Row& a, const Column& b, Index first, Index n) const {
    if (n == 1) return a(first) * b(first);
    return pairwise(a, b, first, n / 2) + pairwise(a, b, first + n / 2, n - n / 2);
  }

  const TokenKernel& f_;
  const ChunkInput& in_;
  Floats q_, k_, v_, b_, g_, S_;
};

}  // namespace

ChunkOutput run_tokens(const TokenKernel& kernel, const HeadInputs& slice) {
  const ChunkInput in = chunk_input(slice, slice.initial_state, Matrix());
  const Matrix g = slice.g.size() == 0 ? Matrix(Matrix::Zero(slice.tokens, 1)) : slice.g;
  return Run(kernel, in, g)();
}

}  // namespace deltaproof::simulated
