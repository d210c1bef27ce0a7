#include "properties/runs/value_edit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "reference/problem/input_error.hpp"
#include "reference/problem/message.hpp"

namespace deltaproof {
namespace {

double edited(ValueEdit::To to, double x) {
  switch (to) {
    case ValueEdit::To::zero: return 0;
    case ValueEdit::To::one: return 1;
    case ValueEdit::To::power_of_two: break;
  }
  return x == 0 ? x : std::copysign(std::ldexp(1.0, std::ilogb(x)), x);
}

}  // namespace

std::span<const std::string_view> cache_parameters() {
  static constexpr std::string_view names[] = {"sink", "cache_gate", "gamma_q", "gamma_k"};
  return names;
}

bool has_tokens(const std::string& tensor) {
  const auto parameters = cache_parameters();
  return tensor != "initial_state" && std::find(parameters.begin(), parameters.end(), tensor) == parameters.end();
}

void apply_edit(const ValueEdit& change, TensorMap& tensors) {
  const auto found = tensors.find(change.tensor);
  if (found == tensors.end()) throw InputError(fmt::format("problem: no tensor {} to edit", in_quotes(change.tensor)));
  Tensor& tensor = found->second;
  std::vector<double> values = tensor.values();
  const std::size_t end = values.size();
  if (change.token >= 0) {  // [B, T, ..]: the token of every batch row
    if (!has_tokens(change.tensor) || change.token >= tensor.shape[1]) {
      throw InputError(fmt::format("problem: {} has no token {} to edit", in_quotes(change.tensor), change.token));
    }
    const auto row = values.size() / static_cast<std::size_t>(tensor.shape[0] * tensor.shape[1]);
    const auto batch = row * static_cast<std::size_t>(tensor.shape[1]);
    for (std::size_t first = static_cast<std::size_t>(change.token) * row; first < end; first += batch) {
      for (std::size_t i = first; i < first + row; ++i) values[i] = edited(change.to, values[i]);
    }
  } else {
    for (std::size_t i = 0; i < end; ++i) values[i] = edited(change.to, values[i]);
  }
  tensor = Tensor::from(tensor.dtype, tensor.shape, values);
}

}  // namespace deltaproof
