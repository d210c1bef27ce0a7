#pragma once

#include "reference/problem/head.hpp"

namespace deltaproof {

/// What a run of one head gives if it is computed by tensor operations in the type of its inputs: normalised rows,
/// decays, write coefficients, S~, S~^T k, e, b e, the products and sums that make S_t, and o are each rounded to
/// `format`, to nearest; a dot product once, as a matrix product whose sums are kept in a wider type. The baseline
/// that FlashAttention's tests compare errors with.
struct BaselineRun {
  Matrix o;      ///< tokens x V
  Matrix state;  ///< K x V, after the last token
};

/// Of rule hola, whose sets are those of the exact scores, rows, logits, weights and sums of the read, too. Rules of
/// the update family and hola; throws InputError for others.
BaselineRun baseline_run(const HeadInputs& head, const Format& format);

}  // namespace deltaproof
