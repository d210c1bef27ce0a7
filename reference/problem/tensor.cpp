#include "reference/problem/tensor.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "reference/problem/load.hpp"

namespace deltaproof {
namespace {

struct DtypeInfo {
  Dtype dtype;
  std::string_view name;
  std::size_t size;
  const Format* format;  // nullptr: integer
};

constexpr DtypeInfo kDtypes[] = {
    {Dtype::bf16, "BF16", 2, &formats::bf16}, {Dtype::f16, "F16", 2, &formats::f16},
    {Dtype::f32, "F32", 4, &formats::f32},    {Dtype::f64, "F64", 8, &formats::f64},
    {Dtype::i32, "I32", 4, nullptr},          {Dtype::i64, "I64", 8, nullptr},
};

const DtypeInfo& info(Dtype dtype) { return kDtypes[static_cast<std::size_t>(dtype)]; }

template <class T>
void store(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

template <class T>
T to_integer(double value) {
  // 2^31 and 2^63 are exact doubles; the largest T is not always one.
  const double limit = -static_cast<double>(std::numeric_limits<T>::min());
  if (!(value >= -limit && value < limit) || std::trunc(value) != value)
    throw std::invalid_argument("Tensor::from: not an integer of this dtype");
  return static_cast<T>(value);
}

void store_value(Dtype dtype, std::byte* to, double value) {
  switch (dtype) {
    case Dtype::bf16:
      return store(to, double_to_bf16(value));
    case Dtype::f16:
      return store(to, double_to_f16(value));
    case Dtype::f32:
      return store(to, static_cast<float>(round_to_nearest_even(formats::f32, value)));
    case Dtype::f64:
      return store(to, value);
    case Dtype::i32:
      return store(to, to_integer<std::int32_t>(value));
    case Dtype::i64:
      return store(to, to_integer<std::int64_t>(value));
  }
}

}  // namespace

std::string_view dtype_name(Dtype dtype) { return info(dtype).name; }
std::size_t dtype_size(Dtype dtype) { return info(dtype).size; }
bool is_floating(Dtype dtype) { return info(dtype).format != nullptr; }

const Format& dtype_format(Dtype dtype) {
  if (info(dtype).format == nullptr) throw std::logic_error("an integer dtype has no format");
  return *info(dtype).format;
}

std::optional<Dtype> find_dtype(std::string_view name) {
  for (const DtypeInfo& entry : kDtypes)
    if (entry.name == name) return entry.dtype;
  return std::nullopt;
}

std::int64_t Tensor::size() const {
  std::int64_t product = 1;
  for (const std::int64_t extent : shape) product *= extent;
  return product;
}

double Tensor::value(std::int64_t flat) const {
  return with_loader(dtype, [&](auto loader) { return loader(bytes.data(), flat); });
}

std::int64_t Tensor::integer(std::int64_t flat) const {
  const auto at = static_cast<std::size_t>(flat);
  if (dtype == Dtype::i32) return load_as<std::int32_t>(bytes.data(), at);
  if (dtype == Dtype::i64) return load_as<std::int64_t>(bytes.data(), at);
  throw std::logic_error("Tensor::integer of a floating tensor");
}

std::vector<double> Tensor::values() const {
  std::vector<double> result(static_cast<std::size_t>(size()));
  with_loader(dtype, [&](auto loader) {
    for (std::size_t i = 0; i < result.size(); ++i)
      result[i] = loader(bytes.data(), static_cast<std::int64_t>(i));
    return 0;
  });
  return result;
}

Tensor Tensor::from(Dtype dtype, std::vector<std::int64_t> shape,
                    const std::vector<double>& values) {
  Tensor tensor{dtype, std::move(shape), {}};
  if (static_cast<std::size_t>(tensor.size()) != values.size())
    throw std::invalid_argument("Tensor::from: shape " + shape_string(tensor.shape) +
                                " does not hold " + std::to_string(values.size()) + " values");
  const std::size_t step = dtype_size(dtype);
  tensor.bytes.resize(values.size() * step);
  for (std::size_t i = 0; i < values.size(); ++i)
    store_value(dtype, tensor.bytes.data() + i * step, values[i]);
  return tensor;
}

std::string shape_string(const std::vector<std::int64_t>& shape) {
  constexpr std::size_t kShown = 16;
  std::string text = "[";
  for (std::size_t i = 0; i < std::min(shape.size(), kShown); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  if (shape.size() > kShown) text += ", ... " + std::to_string(shape.size()) + " axes";
  return text + "]";
}

}  // namespace deltaproof
