#include "tests/reference/bounds/simulated/gate_scan.hpp"

#include <algorithm>
#include <cmath>

namespace deltaproof::simulated {
namespace {

// Each piece of `length` rows by shuffle-up of 1, 2, 4, ...
void kogge_stone(Floats& g, Index first, Index length) {
  for (Index step = 1; step < length; step *= 2) {
    const Floats before = g.middleRows(first, length);
    for (Index i = step; i < length; ++i) g.row(first + i) = before.row(i) + before.row(i - step);
  }
}

void sequential(Floats& g, Index first, Index length) {
  for (Index i = 1; i < length; ++i) g.row(first + i) += g.row(first + i - 1);
}

void sklansky(Floats& g) {
  for (Index half = 1; half < g.rows(); half *= 2) {
    for (Index first = half; first < g.rows(); first += 2 * half) {
      for (Index i = first; i < std::min(first + half, g.rows()); ++i) g.row(i) += g.row(first - 1);
    }
  }
}

// Pieces scanned apart, then the running total of the pieces before added to each.
void two_level(Floats& g, Index piece, void (*scan)(Floats&, Index, Index)) {
  const Index rows = g.rows();
  for (Index first = 0; first < rows; first += piece) scan(g, first, std::min(piece, rows - first));
  for (Index first = piece; first < rows; first += piece) {
    const Floats carry = g.row(first - 1);
    for (Index i = first; i < std::min(first + piece, rows); ++i) g.row(i) += carry;
  }
}

}  // namespace

Floats prefix_sums(const Floats& g, Scan scan) {
  Floats sums = g;
  switch (scan) {
    case Scan::kogge_stone_32:
      two_level(sums, 32, kogge_stone);
      break;
    case Scan::blocks_of_8:
      two_level(sums, 8, kogge_stone);
      break;
    case Scan::sklansky:
      sklansky(sums);
      break;
    case Scan::sequential:
      sequential(sums, 0, sums.rows());
      break;
  }
  return sums;
}

float Exponential::operator()(float x_log2e) const {
  const double exact = std::exp2(static_cast<double>(x_log2e));
  const auto result = static_cast<float>(exact * (1 + push * (1.25 * 0x1p-22 - 0x1p-24)));
  return flush && std::abs(result) < 0x1p-126f ? 0.0f : result;
}

}  // namespace deltaproof::simulated
