#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "reference/problem/problem.hpp"

namespace deltaproof {

/// Sizes of a made-up problem.
struct Sizes {
  std::int64_t B = 1, T = 8, H = 1, HV = 1, K = 4, V = 4, M = 3;
};

/// A tensor with values(flat index), rounded to `dtype`.
Tensor filled(Dtype dtype, std::vector<std::int64_t> shape,
              const std::function<double(std::int64_t)>& value);

/// Values between -1 and 1 that look random and are the same everywhere.
double scattered(std::int64_t index, std::int64_t stream);

/// Everything that `rule` needs: q, k, v scattered, gates in the middle of their range.
TensorMap small_inputs(const std::string& rule, const Sizes& sizes, Dtype dtype = Dtype::bf16);

Problem make_problem(const std::string& rule, const std::string& arithmetic, TensorMap inputs,
                     Metadata more = {});

}  // namespace deltaproof
