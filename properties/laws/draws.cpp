#include "properties/laws/draws.hpp"

#include <algorithm>
#include <utility>

#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {

Indices shuffled(std::int64_t count, Generator& draw) {
  Indices order = range(0, count);
  while (count > 1 && std::is_sorted(order.begin(), order.end())) {
    for (std::size_t i = order.size() - 1; i > 0; --i) {
      std::swap(order[i], order[static_cast<std::size_t>(draw.integer(0, static_cast<int>(i)))]);
    }
  }
  return order;
}

Tensor drawn_states(std::vector<std::int64_t> shape, Generator& draw) {
  const Tensor like{Dtype::f32, shape, {}};
  std::vector<double> values(static_cast<std::size_t>(like.size()));
  for (double& x : values) {
    do x = draw.uniform(-1, 1);
    while (x == 0);
  }
  return Tensor::from(Dtype::f32, std::move(shape), values);
}

Indices computed_sequences(const Problem& problem, std::int64_t length) {
  Indices found;
  for (const Sequence& s : problem.sequences()) {
    if (s.state_row >= 0 && s.length >= length) found.push_back(s.index);
  }
  return found;
}

std::int64_t one_of(const Indices& indices, Generator& draw) {
  return indices[static_cast<std::size_t>(draw.integer(0, static_cast<int>(indices.size()) - 1))];
}

}  // namespace deltaproof::laws
