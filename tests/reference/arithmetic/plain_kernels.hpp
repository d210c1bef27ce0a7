#pragma once

#include <vector>

#include "reference/problem/head.hpp"

namespace deltaproof::arithmetic_tests {

/// What the kernels of this repository give for fp32 inputs, in plain loops after docs/arithmetic.md, 'Built-in
/// kernels', and nothing else: no text, no reading.
struct PlainRun {
  std::vector<std::vector<float>> o;                    ///< tokens x V
  std::vector<std::vector<std::vector<float>>> states;  ///< K x V after each chunk
};

/// `deltaproof-recurrent`; the states after each `chunk` tokens.
PlainRun plain_recurrent(const HeadInputs& head, Index chunk);
/// `deltaproof-chunk`.
PlainRun plain_chunk(const HeadInputs& head, Index chunk);

}  // namespace deltaproof::arithmetic_tests
