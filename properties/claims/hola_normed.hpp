#pragma once

#include <vector>

#include "properties/claims/hola_search.hpp"

namespace deltaproof::claims {

/// A query and a key, and how RMSNorm treats them: x / sqrt(mean of x^2 + eps), then element by element gamma.
struct Normed {
  RationalVector query, key, gamma_query, gamma_key;
  Rational eps;
};

std::vector<Named> inputs_of(const Normed& normed);

Rational dimension(const Normed& normed);

/// |RMSNorm(q)|^2.
Rational normed_square(const Normed& normed);

/// The logit RMSNorm(q)^T RMSNorm(key) / sqrt(d), as its square with the sign of the logit: the order is kept.
Rational logit(const Normed& normed, const RationalVector& key);

/// cos^2 of the angle.
Rational cosine(const Normed& normed);

/// Both scales are 1.
bool plain(const Normed& normed);

/// Vectors of 1 or 2 channels from 1, 2, -1, 7, scales 1 and 2, eps 0 and 1, smallest first; random ones of up to 5.
std::vector<Normed> normed_pairs(const Effort& effort);

}  // namespace deltaproof::claims
