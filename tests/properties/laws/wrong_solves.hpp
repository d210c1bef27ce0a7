#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "kernels/built_in/device.hpp"

namespace deltaproof {

/// L (C x C a matrix) and R of a call, as they were handed over.
struct SolveData {
  std::int64_t batch = 0, C = 0, columns = 0;
  std::vector<float> L, R;
};
using SolveWrongly = std::function<void(const SolveData&, std::vector<float>& X)>;

/// A device whose solves are those of another, damaged.
std::shared_ptr<const Device> wrong_solves(std::shared_ptr<const Device> right, SolveWrongly damage);

/// X = T R by T = (I - L)(I + L^2)(I + L^4) .., every product rounded to fp16.
void neumann_in_f16(const SolveData& data, std::vector<float>& X);

}  // namespace deltaproof
