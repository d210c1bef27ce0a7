#pragma once

#include <optional>
#include <span>
#include <string>

#include "reference/problem/case_file.hpp"
#include "reference/rules/cache_sets.hpp"

namespace deltaproof {

/// What is wrong with a selection: where, and a sentence.
struct SelectionFault {
  Index block = -1;  ///< of its sequence; -1: no block
  Index token = -1;  ///< of its sequence; -1: no one token
  std::string what;
};

/// The sets of one head of one sequence as a kernel exports them, and the first thing that makes them no sets at all.
struct ExportedSets {
  CacheSets sets;  ///< in full if there is no fault
  std::optional<SelectionFault> fault;
};

/// Rows of `selected` [B, NB, HV, w]: tokens of this sequence in any order, -1 for places that nothing can fill. A fault: a
/// token from n C on, or below -1, or twice in a row; an empty place though a token is left (|A_n| = min(w, n C)).
ExportedSets exported_sets(const Tensor& selected, const Problem& problem, const Sequence& sequence,
                           std::int64_t head);

/// `scores` [B, T, HV] of one head of one sequence.
std::vector<double> exported_scores(const Tensor& scores, const Sequence& sequence, std::int64_t head);

/// The first score that is NaN.
std::optional<SelectionFault> unranked_score(std::span<const double> scores);

/// Where a token of A_n was neither in A_{n-1} nor in block n - 1: a cache cannot take back what it has evicted.
std::optional<SelectionFault> returned_token(const CacheSets& sets, Index block);

/// Where `sets` are not, to the bit, the top-w of `scores` by the order of the cache; the first difference, named.
std::optional<SelectionFault> not_exact_top_w(std::span<const double> scores, const CacheSets& sets, Index w,
                                              Index block);

}  // namespace deltaproof
