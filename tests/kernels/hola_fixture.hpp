#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/built_in/cache_stages.hpp"
#include "properties/regimes/generator.hpp"
#include "tests/kernels/host_kernels.hpp"

namespace deltaproof {

/// Sizes of a random problem of rule `hola`.
struct HolaShape {
  std::int64_t B = 1, T = 40, H = 1, HV = 2, K = 16, V = 24;
  Dtype input = Dtype::bf16;
  std::vector<std::int64_t> lengths = {};  ///< packed; T is their sum
  std::vector<std::int64_t> pool = {};     ///< state_indices
  bool initial_state = false;
};

/// Gates open, logits of size 1, scores of size 1. `more`: metadata, over w = 5, C = 8.
Problem hola_problem(const std::string& kernel, const HolaShape& shape, const Metadata& more = {},
                     std::uint64_t seed = 1);

/// The same problem with other tensors.
Problem with_tensors(const Problem& problem, const TensorMap& tensors);

/// Normal numbers times `size`.
Tensor random_tensor(Generator& g, Dtype type, std::vector<std::int64_t> shape, double size = 1);
Tensor filled_tensor(Dtype type, std::vector<std::int64_t> shape, double value);

/// The values of a tensor, as the stages take scores and sets.
std::vector<float> floats(const Tensor& tensor);
std::vector<std::int32_t> integers(const Tensor& tensor);

/// Bytes are equal, tensor by tensor.
testing::AssertionResult same_tensors(const Outputs& expected, const Outputs& actual,
                                      const std::vector<std::string>& names);

/// A_n in the order of the kernel, from its definition: row by row, every token before the block
/// ranked by counting those that stand before it. [NB, w], for one head. `later_first`: the tie
/// rule reversed.
std::vector<std::int32_t> counted_sets(const std::vector<float>& scores, std::int64_t w, std::int64_t C,
                                       bool later_first = false);

}  // namespace deltaproof
