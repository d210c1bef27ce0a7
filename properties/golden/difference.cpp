#include "properties/golden/difference.hpp"

#include <fmt/format.h>

#include <cstring>
#include <vector>

namespace deltaproof::golden {
namespace {

std::string place(const std::vector<std::int64_t>& shape, std::int64_t flat) {
  std::vector<std::int64_t> at(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0; flat /= shape[axis]) at[axis] = flat % shape[axis];
  return shape_string(at);
}

std::string number(const Tensor& tensor, std::int64_t flat) {
  if (!is_floating(tensor.dtype)) return fmt::format("{}", tensor.integer(flat));
  return fmt::format("{:.17g} ({:a})", tensor.value(flat), tensor.value(flat));
}

std::string kind(const Tensor& tensor) {
  return fmt::format("{} {}", dtype_name(tensor.dtype), shape_string(tensor.shape));
}

/// Counts differing numbers and describes the first.
void compare(const std::string& name, const Tensor& actual, const Tensor& wanted, std::int64_t& differing,
             std::string& first) {
  const std::size_t width = dtype_size(wanted.dtype);
  for (std::int64_t i = 0; i < wanted.size(); ++i) {
    const std::size_t at = static_cast<std::size_t>(i) * width;
    if (std::memcmp(actual.bytes.data() + at, wanted.bytes.data() + at, width) == 0) continue;
    ++differing;
    if (first.empty()) {
      first = fmt::format("{}{} is {}, should be {}", name, place(wanted.shape, i), number(actual, i), number(wanted, i));
    }
  }
}

}  // namespace

Difference difference_of(const TensorMap& actual, const TensorMap& wanted) {
  Difference result;
  for (const auto& [name, tensor] : actual) {
    if (!wanted.contains(name)) return {fmt::format("tensor '{}' should not be there", name), 0};
  }
  std::int64_t differing = 0;
  for (const auto& [name, tensor] : wanted) {
    const auto found = actual.find(name);
    if (found == actual.end()) return {fmt::format("there is no tensor '{}'", name), 0};
    if (found->second.dtype != tensor.dtype || found->second.shape != tensor.shape)
      return {fmt::format("tensor '{}' is {}, should be {}", name, kind(found->second), kind(tensor)), 0};
    compare(name, found->second, tensor, differing, result.text);
    result.compared += tensor.size();
  }
  if (differing > 0) result.text += fmt::format(" ({} of {} numbers)", differing, result.compared);
  return result;
}

}  // namespace deltaproof::golden
