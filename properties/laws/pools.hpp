#pragma once

#include "properties/laws/second_run.hpp"

namespace deltaproof::laws {

/// The inputs with states in a pool, row n that of sequence n (zeros where the problem has none). Inputs with a pool
/// stay as they are.
TensorMap in_a_pool(const Problem& problem);

/// The inputs with one more row at the end of the pool.
TensorMap with_pool_row(TensorMap inputs, const Tensor& row);

}  // namespace deltaproof::laws
