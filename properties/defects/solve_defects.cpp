// T = (I + L)^{-1}: the mask of L, the inverse of its diagonal blocks, how blocks are merged; and the mask of P.
#include <algorithm>
#include <utility>

#include "properties/defects/kernel_faults.hpp"
#include "properties/defects/tables.hpp"

namespace deltaproof {
namespace {

using namespace faults;

MatrixF identity(Index n) { return MatrixF::Identity(n, n); }

void all_masked(const MatrixF&, MatrixF& L) { L.setZero(); }
void subdiagonal_masked(const MatrixF&, MatrixF& L) {
  if (L.rows() > 1) L.diagonal(-1).setZero();
}

MakeFault mask_of_L(std::function<void(const MatrixF& whole, MatrixF& masked)> change) {
  Fault fault;
  fault.strictly_lower = std::move(change);
  return always(std::move(fault));
}

MakeFault block_inverse(std::function<void(const MatrixF& L, MatrixF& inverse)> change) {
  Fault fault;
  fault.block_inverse = std::move(change);
  return always(std::move(fault));
}

// The diagonal of b K K^T stays in L, and the substitution divides by 1 + L_ii.
MakeFault diagonal_in_L() {
  Fault fault;
  fault.strictly_lower = [](const MatrixF& whole, MatrixF& masked) { masked.diagonal() = whole.diagonal(); };
  fault.block_inverse = [](const MatrixF& L, MatrixF& inverse) {
    const MatrixF all = identity(L.rows()) + L;
    inverse = all.triangularView<Eigen::Lower>().solve(identity(L.rows()));
  };
  return always(std::move(fault));
}

// I - L + L^2 - .., so many terms.
MakeFault neumann_series(int terms) {
  return block_inverse([terms](const MatrixF& L, MatrixF& inverse) {
    MatrixF power = identity(L.rows());
    inverse = power;
    for (int n = 1; n < terms; ++n) {
      power = -power * L;
      inverse += power;
    }
  });
}

MakeFault blocks_not_negated() {
  Fault fault;
  fault.off_diagonal = [](MatrixF& merged) { merged = -merged; };
  return always(std::move(fault));
}

MakeFault last_block_not_merged() {
  return always(before(Point::T, [](const ChunkStep&, MatrixF& T) {
    const Index last = (T.rows() - 1) / 16 * 16;
    T.block(last, 0, T.rows() - last, last).setZero();
  }));
}

MakeFault upper_inverse() {
  return always(before(Point::T, [](const ChunkStep&, MatrixF& T) { T.transposeInPlace(); }));
}

MakeFault next_token_unmasked() {
  Fault fault;
  fault.lower = [](const MatrixF& whole, MatrixF& masked) {
    for (Index i = 0; i + 1 < whole.rows(); ++i) masked(i, i + 1) = whole(i, i + 1);
  };
  return always(std::move(fault));
}

}  // namespace

std::vector<Defect> solve_defects() {
  using enum Stage;
  constexpr Reach everywhere = Reach::everywhere;
  constexpr BugClass wy = BugClass::solve;
  constexpr Needs pair = Needs::residual | Needs::two_tokens;
  return {
      {"solve_off", solve, wy, "the solve is left out", "T = I", mask_of_L(all_masked), everywhere, pair},
      {"solve_diagonal", solve, wy, "the mask of L keeps the diagonal", "T = (I + Diag(b |k|^2) + L)^{-1}",
       diagonal_in_L(), everywhere, Needs::residual},
      {"solve_off1", solve, wy, "the mask of L loses the first subdiagonal", "L_{i,i-1} = 0",
       mask_of_L(subdiagonal_masked), everywhere, pair},
      {"solve_neumann_2", solve, wy, "the series of an inverse is cut after two terms", "I - L", neumann_series(2),
       everywhere, pair},
      {"solve_neumann_3", solve, wy, "the series of an inverse is cut after three terms", "I - L + L^2",
       neumann_series(3), everywhere, pair},
      {"solve_upper", solve, wy, "the inverse is used with rows and columns exchanged", "T^T", upper_inverse(),
       everywhere, pair},
      {"merge_sign", solve, wy, "blocks are merged with the wrong sign", "X_ij = X_ii (sum_k L_ik X_kj)",
       blocks_not_negated(), everywhere, pair},
      {"merge_last_lost", solve, wy, "the last block of 16 tokens is not merged", "X_ij = 0 in the last block row",
       last_block_not_merged(), everywhere, pair},
      {"P_next", attention, BugClass::causality, "every token reads the one after it, too",
       "the mask of A is i + 1 >= j", next_token_unmasked(), everywhere, Needs::two_tokens},
  };
}

}  // namespace deltaproof
