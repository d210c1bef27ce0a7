#pragma once

#include "properties/laws/parts.hpp"
#include "properties/regimes/generator.hpp"

namespace deltaproof::laws {

/// A permutation of 0 .. count - 1, each as likely as another but for the identity, which it is not if count > 1.
Indices shuffled(std::int64_t count, Generator& draw);

/// fp32 numbers in [-1, 1), none of them 0.
Tensor drawn_states(std::vector<std::int64_t> shape, Generator& draw);

/// Sequences that are computed and have at least `length` tokens.
Indices computed_sequences(const Problem& problem, std::int64_t length);

/// One of them.
std::int64_t one_of(const Indices& indices, Generator& draw);

}  // namespace deltaproof::laws
