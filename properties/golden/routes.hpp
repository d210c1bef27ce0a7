#pragma once

#include <optional>
#include <vector>

#include "reference/problem/head.hpp"
#include "reference/rules/cache_sets.hpp"
#include "reference/rules/scalar.hpp"

namespace deltaproof::golden {

/// The outputs of one head of one sequence, each number enclosed.
struct HeadIntervals {
  std::vector<Interval> o;                    ///< tokens x V
  std::vector<std::vector<Interval>> states;  ///< K x V after each `states_every` tokens, the last the final one;
                                              ///< gsa: the final slot keys alone, M x K; softmax: none
  std::vector<Interval> slot_values;          ///< gsa: M x V
  std::vector<Interval> scores;               ///< hola: one a token
  CacheSets sets;                             ///< hola: A_n of each block
  bool certain = true;  ///< hola: the scores leave no other sets; else there is no `o`, and no sets from there on
};

/// Two ways to the answer that share q, k, v, b and scale (normalised rows and write coefficients), nothing else:
///
/// | system | `first` | `second` |
/// |---|---|---|
/// | update family | token recurrence | chunk (WY) form with a triangular solve |
/// | longhorn | token recurrence | each state as a sum over the tokens written, with products of factors |
/// | softmax | weights from shifted logits, then their sum with the values | streaming, rescaled at each new maximum |
/// | gsa | token recurrence of slots | slots as sums over tokens; o as one sum over tokens and slots |
/// | hola | as the update family; sets by a merge at each block; as softmax | sets from all earlier tokens; as softmax |
///
/// The caller holds the WorkingPrecision. Throws InputError for tensors of the wrong shape.
HeadIntervals first_route(const HeadInputs& head);
HeadIntervals second_route(const HeadInputs& head);

}  // namespace deltaproof::golden
