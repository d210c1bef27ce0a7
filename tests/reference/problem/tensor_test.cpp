#include "reference/problem/tensor.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace deltaproof {
namespace {

constexpr Dtype kFloats[] = {Dtype::bf16, Dtype::f16, Dtype::f32, Dtype::f64};
constexpr Dtype kIntegers[] = {Dtype::i32, Dtype::i64};

TEST(Tensor, FloatingValuesThatAreExactComeBack) {
  const std::vector<double> values{0, 1, -1.5, 0.125, 96, -0x1p-14};
  for (const Dtype dtype : kFloats) {
    const Tensor tensor = Tensor::from(dtype, {2, 3}, values);
    EXPECT_EQ(tensor.size(), 6);
    EXPECT_EQ(tensor.bytes.size(), 6 * dtype_size(dtype));
    EXPECT_EQ(tensor.values(), values) << dtype_name(dtype);
    for (std::int64_t i = 0; i < 6; ++i)
      EXPECT_EQ(tensor.value(i), values[static_cast<std::size_t>(i)]);
  }
}

TEST(Tensor, OtherValuesAreRoundedToNearestEven) {
  const double x = 1 + 0x1p-8 + 0x1p-11 + 0x1p-24 + 0x1p-52;
  for (const Dtype dtype : kFloats)
    EXPECT_EQ(Tensor::from(dtype, {1}, {x}).value(0),
              round_to_nearest_even(dtype_format(dtype), x));
}

TEST(Tensor, IntegersComeBack) {
  const std::vector<double> values{0, -1, 2147483647, -2147483648.0};
  for (const Dtype dtype : kIntegers) {
    const Tensor tensor = Tensor::from(dtype, {4}, values);
    for (std::int64_t i = 0; i < 4; ++i)
      EXPECT_EQ(static_cast<double>(tensor.integer(i)), values[static_cast<std::size_t>(i)]);
  }
}

TEST(Tensor, WhatCannotBeHeldIsRefused) {
  EXPECT_THROW(Tensor::from(Dtype::i32, {1}, {0.5}), std::invalid_argument);
  EXPECT_THROW(Tensor::from(Dtype::i32, {1}, {2147483648.0}), std::invalid_argument);
  EXPECT_THROW(Tensor::from(Dtype::i64, {1}, {0x1p63}), std::invalid_argument);
  EXPECT_THROW(Tensor::from(Dtype::f32, {2}, {1}), std::invalid_argument);
}

TEST(Tensor, KindsAreNotMixedUp) {
  EXPECT_THROW(Tensor::from(Dtype::i32, {1}, {1}).value(0), std::logic_error);
  EXPECT_THROW(Tensor::from(Dtype::f32, {1}, {1}).integer(0), std::logic_error);
  EXPECT_THROW(dtype_format(Dtype::i64), std::logic_error);
}

TEST(Dtype, NamesAreThoseOfSafetensors) {
  const struct {
    Dtype dtype;
    const char* name;
    std::size_t size;
    bool floating;
  } table[] = {{Dtype::bf16, "BF16", 2, true}, {Dtype::f16, "F16", 2, true},
               {Dtype::f32, "F32", 4, true},   {Dtype::f64, "F64", 8, true},
               {Dtype::i32, "I32", 4, false},  {Dtype::i64, "I64", 8, false}};
  for (const auto& [dtype, name, size, floating] : table) {
    EXPECT_EQ(dtype_name(dtype), name);
    EXPECT_EQ(find_dtype(name), dtype);
    EXPECT_EQ(dtype_size(dtype), size);
    EXPECT_EQ(is_floating(dtype), floating);
  }
  EXPECT_EQ(find_dtype("bf16"), std::nullopt);
}

TEST(ShapeString, IsShortForManyAxes) {
  EXPECT_EQ(shape_string({}), "[]");
  EXPECT_EQ(shape_string({1, 256, 2, 128}), "[1, 256, 2, 128]");
  EXPECT_EQ(shape_string(std::vector<std::int64_t>(1000, 1)),
            "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, ... 1000 axes]");
}

}  // namespace
}  // namespace deltaproof
