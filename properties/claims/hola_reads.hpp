#pragma once

#include <vector>

#include "properties/claims/hola_search.hpp"

namespace deltaproof::claims {

/// A read: state, gate, entries seen. Logits are whole numbers and the base of the exponential is 4, not e: what is
/// used of it is that a^(x + y) = a^x a^y.
struct Read {
  RationalMatrix state;  ///< dk x dv
  RationalVector query;
  std::vector<RationalVector> keys, values;
  std::size_t persistent = 0;  ///< the first of them; the others are of the chunk
  Rational gate = 1;           ///< lambda
};

std::vector<Named> inputs_of(const Read& read);

/// Kernel of a query and a key, up to a common factor.
using Kernel = std::function<Rational(const RationalVector& query, const RationalVector& key)>;
/// 4^(q k).
Rational exponential(const RationalVector& query, const RationalVector& key);
/// 2^(-|q - k|^2) = 4^(q k) 2^(-|q|^2) 2^(-|k|^2).
Rational gaussian(const RationalVector& query, const RationalVector& key);

/// Sum of K v over sum of K, entries from `first` on; the sink adds 1 below and a value of 0 above. 0 where there is
/// nothing.
RationalVector regression(const Read& read, const Kernel& kernel, bool sink, std::size_t first = 0);

/// Softmax as it is computed: logits less their largest, weights that add up to 1, then their mean of the values.
RationalVector softmax(const Read& read);

/// state S^T q + gate (cache read), Eq. (3).
RationalMatrix output(const Read& read, const Rational& state, const Rational& gate, bool sink, std::size_t first = 0);

/// Up to 2 entries of one channel exhaustively, keys and values 0 to 2; then random ones with up to 5.
std::vector<Read> reads(const Effort& effort);

}  // namespace deltaproof::claims
