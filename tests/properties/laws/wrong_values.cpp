// Wrong kernels: heads, channels and values.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "properties/laws/parts.hpp"
#include "properties/laws/tensors.hpp"
#include "tests/properties/laws/wrong_inputs.hpp"

namespace deltaproof::wrong {

RunWrongly tiled_head_map() {
  return [](const Kernel& right, const Problem& problem) {
    laws::Indices keys = laws::range(0, problem.dims().HV);
    for (std::int64_t& key : keys) key %= problem.dims().H;
    return right.run(
        problem.with_unchecked_values(laws::with_heads(problem, keys, laws::range(0, problem.dims().HV))));
  };
}

RunWrongly loses_last_column() {
  return with_inputs([](const Problem& problem, TensorMap& inputs) {
    Tensor& v = inputs.at("v");
    const std::int64_t V = problem.dims().V;
    for (std::int64_t i = V - 1; i < v.size(); i += V) laws::set_value(v, i, 0);
  });
}

RunWrongly spreads_nan() {
  return [](const Kernel& right, const Problem& problem) {
    Outputs outputs = right.run(problem);
    const std::vector<double> v = problem.find("v")->values();
    Tensor& o = outputs.tensors.at("o");
    if (std::any_of(v.begin(), v.end(), [](double x) { return std::isnan(x); })) {
      o = laws::filled(o, std::numeric_limits<double>::quiet_NaN());
    }
    return outputs;
  };
}

RunWrongly swallows_nan() {
  return with_values("v", [](double x) { return std::isnan(x) ? 0 : x; });
}

RunWrongly adds_to(std::string tensor, double value) {
  return with_values(std::move(tensor), [value](double x) { return x + value; });
}

RunWrongly clamps(std::string tensor, double most) {
  return with_values(std::move(tensor), [most](double x) { return std::clamp(x, -most, most); });
}

RunWrongly makes_positive(std::string tensor) {
  return with_values(std::move(tensor), [](double x) { return std::abs(x); });
}

}  // namespace deltaproof::wrong
