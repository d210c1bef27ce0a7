#pragma once

#include <string>
#include <vector>

#include "properties/regimes/generator.hpp"
#include "reference/problem/tensor.hpp"

namespace deltaproof {

/// A tensor with `draw(i)` at place i.
template <class Draw>
Tensor drawn_tensor(Dtype type, std::vector<std::int64_t> shape, const Draw& draw) {
  std::vector<double> values(static_cast<std::size_t>(Tensor{type, shape, {}}.size()));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = draw(static_cast<std::int64_t>(i));
  return Tensor::from(type, std::move(shape), values);
}

/// Normal numbers times `size`.
inline Tensor normal_tensor(Generator& g, Dtype type, std::vector<std::int64_t> shape, double size = 1) {
  return drawn_tensor(type, std::move(shape), [&](std::int64_t) { return size * g.normal(); });
}

}  // namespace deltaproof
