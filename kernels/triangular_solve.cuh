#pragma once

#include "kernels/common_run.cuh"
#include "kernels/triangular_solve_inverse.cuh"

namespace deltaproof {

/// (I + L) X = R in fp32. A block of 128 threads takes 128 columns of one matrix, a thread a column. By substitution:
/// X_i from R_i by a chain of fma over the rows above, ascending. By blocked inverse: T = (I + L)^{-1} as the chunk
/// kernel forms it, then X_i = sum_r T_ir R_r over r <= i, a chain of fma ascending from 0.
template <int C>
struct TriangularSolve {
  static constexpr int threads = 128, stride = UnitLowerInverse<C>::stride;

  float* L;        ///< C x stride
  float* columns;  ///< C x threads: R, which substitution turns into X
  float* inverse;  ///< C x stride, if formed
  float* products;

  static constexpr std::size_t bytes(bool blocked_inverse) {
    const int plain = C * stride + C * threads;
    const int more = blocked_inverse ? C * stride + UnitLowerInverse<C>::scratch : 0;
    return static_cast<std::size_t>(plain + more) * sizeof(float);
  }
  __device__ static TriangularSolve in(unsigned char* shared) {
    float* L = reinterpret_cast<float*>(shared);
    float* columns = L + C * stride;
    float* inverse = columns + C * threads;
    return {L, columns, inverse, inverse + C * stride};
  }

  __device__ void load(const float* from) const {
    for (int e = static_cast<int>(threadIdx.x); e < C * C; e += threads) {
      if (e / C > e % C) L[e / C * stride + e % C] = from[e];
    }
  }
  __device__ float& at(int row) const { return columns[row * threads + static_cast<int>(threadIdx.x)]; }

  __device__ void substitute() const {
    for (int i = 1; i < C; ++i) {
      float x = at(i);
      for (int r = 0; r < i; ++r) x = fmaf(-L[i * stride + r], at(r), x);
      at(i) = x;
    }
  }
  /// From the last row up: a row is not needed any more once it is replaced.
  __device__ void multiply() const {
    for (int i = C - 1; i >= 0; --i) {
      float x = 0;
      for (int r = 0; r <= i; ++r) x = fmaf(inverse[i * stride + r], at(r), x);
      at(i) = x;
    }
  }
};

/// Blocks: matrices x tiles of 128 columns.
template <int C>
__global__ void __launch_bounds__(128) triangular_solve(SolveCall call) {
  using Solve = TriangularSolve<C>;
  extern __shared__ __align__(16) unsigned char shared_bytes[];
  const Solve solve = Solve::in(shared_bytes);
  const std::int64_t block = blockIdx.x, tiles = (call.columns + Solve::threads - 1) / Solve::threads;
  const std::int64_t matrix = block / tiles;
  const std::int64_t column = block % tiles * Solve::threads + static_cast<std::int64_t>(threadIdx.x);
  const std::int64_t first = matrix * C * call.columns + column;
  const bool exists = column < call.columns;
  solve.load(call.L + matrix * C * C);
  for (int i = 0; i < C; ++i) solve.at(i) = exists ? call.R[first + i * call.columns] : 0.0f;
  __syncthreads();
  if (call.blocked_inverse) {
    UnitLowerInverse<C>{solve.inverse, solve.L, solve.products}.form();
    solve.multiply();
  } else {
    solve.substitute();
  }
  if (!exists) return;
  for (int i = 0; i < C; ++i) call.X[first + i * call.columns] = solve.at(i);
}

template <int C>
void launch_triangular_solve(const SolveCall& call) {
  using Solve = TriangularSolve<C>;
  const std::int64_t blocks = call.batch * ((call.columns + Solve::threads - 1) / Solve::threads);
  if (blocks == 0) return;
  simt::launch(linear_grid("triangular_solve", blocks), dim3(Solve::threads), Solve::bytes(call.blocked_inverse),
               triangular_solve<C>, call);
}

}  // namespace deltaproof
