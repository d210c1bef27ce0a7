#include "reference/arithmetic/scan.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <stdexcept>

namespace deltaproof {
namespace {

// Rows [begin, end): after the step of width s each row holds the sum of the 2 s rows that end with it.
void kogge_stone(MatrixF& x, Index begin, Index end) {
  for (Index s = 1; s < end - begin; s *= 2) {
    const MatrixF before = x.middleRows(begin, end - begin - s);
    x.middleRows(begin + s, end - begin - s) += before;
  }
}

void pieces(MatrixF& x, Index size) {
  for (Index begin = 0; begin < x.rows(); begin += size) {
    const Index end = std::min(begin + size, x.rows());
    kogge_stone(x, begin, end);
    if (begin > 0) x.middleRows(begin, end - begin).rowwise() += x.row(begin - 1).eval();
  }
}

// Totals of two neighbours, scanned; the second of a pair has its pair's, the first adds that of the pair before.
void pairs(MatrixF& x) {
  const Index lanes = x.rows() / 2;
  MatrixF totals(lanes, x.cols());
  for (Index lane = 0; lane < lanes; ++lane) totals.row(lane) = x.row(2 * lane) + x.row(2 * lane + 1);
  kogge_stone(totals, 0, lanes);
  for (Index lane = 0; lane < lanes; ++lane) x.row(2 * lane + 1) = totals.row(lane);
  for (Index i = 2; i < x.rows(); i += 2) x.row(i) += totals.row(i / 2 - 1);
}

// Blocks of 2 s rows: the upper s get the last of the lower s.
void sklansky(MatrixF& x) {
  for (Index s = 1; s < x.rows(); s *= 2) {
    for (Index i = 0; i < x.rows(); ++i) {
      if ((i / s) % 2 == 1) x.row(i) += x.row(i / s * s - 1).eval();
    }
  }
}

void sequential(MatrixF& x) {
  for (Index i = 1; i < x.rows(); ++i) x.row(i) += x.row(i - 1).eval();
}

int log2_ceil(Index n) { return n <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n - 1))); }

}  // namespace

MatrixF prefix_sums(const MatrixF& x, Scan scan) {
  MatrixF sums = x;
  switch (scan) {
    case Scan::pieces_of_32: pieces(sums, 32); break;
    case Scan::pieces_of_16: pieces(sums, 16); break;
    case Scan::pieces_of_4: pieces(sums, 4); break;
    case Scan::pieces_of_2: pieces(sums, 2); break;
    case Scan::pairs: pairs(sums); break;
    case Scan::kogge_stone: kogge_stone(sums, 0, sums.rows()); break;
    case Scan::sklansky: sklansky(sums); break;
    case Scan::sequential: sequential(sums); break;
  }
  return sums;
}

int scan_depth(Scan scan, Index n) {
  const auto carried = [n](Index size) {
    return log2_ceil(std::min(n, size)) + static_cast<int>((n + size - 1) / size) - 1;
  };
  switch (scan) {
    case Scan::pieces_of_16: return carried(16);
    // Autotuning chooses between the two of each: the deeper stands for both.
    case Scan::pieces_of_32:
    case Scan::pairs: return std::max(carried(32), 2 + log2_ceil((n + 1) / 2));
    case Scan::pieces_of_4:
    case Scan::pieces_of_2: return carried(2);
    case Scan::kogge_stone:
    case Scan::sklansky: return log2_ceil(n);
    case Scan::sequential: return static_cast<int>(std::max<Index>(n - 1, 0));
  }
  throw std::logic_error("unknown scan");
}

}  // namespace deltaproof
