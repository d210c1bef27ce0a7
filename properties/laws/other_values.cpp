#include "properties/laws/other_values.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "properties/laws/parts.hpp"

namespace deltaproof::laws {
namespace {

double other(const std::string& tensor, double x) {
  if (tensor == "v") return x == 0 ? 1 : -0.5 * x;
  if (tensor == "g") return 0.5 * x - 0.125;
  if (tensor == "q" || tensor == "k") return -x;
  return 0.5 * x + 0.25;  // beta, eta; a slot decay stays in (0, 1]
}

}  // namespace

Tensor mapped(const Tensor& tensor, const std::function<double(double)>& map) {
  std::vector<double> values = tensor.values();
  std::transform(values.begin(), values.end(), values.begin(), map);
  return Tensor::from(tensor.dtype, tensor.shape, values);
}

Tensor negated(const Tensor& tensor) {
  return mapped(tensor, [](double x) { return -x; });
}

Tensor other_v(const Tensor& v) {
  return mapped(v, [](double x) { return other("v", x); });
}

TensorMap with_other_values(const Problem& problem, const std::function<bool(const Sequence&, std::int64_t)>& which) {
  const Dimensions& d = problem.dims();
  std::vector<bool> changes(static_cast<std::size_t>(d.B * d.T));
  for (const Sequence& s : problem.sequences()) {
    for (std::int64_t t = 0; t < s.length; ++t) {
      if (which(s, t)) changes[static_cast<std::size_t>(s.batch * d.T + s.begin + t)] = true;
    }
  }
  TensorMap inputs = problem.tensors();
  for (auto& [name, tensor] : inputs) {
    if (!has_token_rows(name) || changes.empty()) continue;
    std::vector<double> values = tensor.values();
    const std::size_t row = values.size() / changes.size();
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (changes[i / row]) values[i] = other(name, values[i]);
    }
    tensor = Tensor::from(tensor.dtype, tensor.shape, values);
  }
  return inputs;
}

}  // namespace deltaproof::laws
