#pragma once

#include <cstdint>
#include <vector>

#include "reference/problem/tensor.hpp"

namespace deltaproof::laws {

/// The tensor whose index i along `axis` is index `from[i]` of the given one, bit for bit: a permutation, a part,
/// repeated heads.
Tensor taken(const Tensor& tensor, std::size_t axis, const std::vector<std::int64_t>& from);

/// Indices begin .. begin + count - 1, for `taken`.
std::vector<std::int64_t> range(std::int64_t begin, std::int64_t count);

/// One after the other along `axis`; all else alike.
Tensor joined(const Tensor& first, const Tensor& second, std::size_t axis);

/// The last two axes exchanged: states in the other layout.
Tensor transposed(const Tensor& tensor);

/// Every value times 2^exponent, rounded to the tensor's type (exact where nothing overflows or becomes subnormal).
Tensor scaled(const Tensor& tensor, int exponent);

/// Floating tensor of the same type and shape with `value` everywhere (which may be NaN or infinite).
Tensor filled(const Tensor& like, double value);

/// Overwrites one element of a floating tensor, rounded to its type; NaN and infinity are kept.
void set_value(Tensor& tensor, std::int64_t flat, double value);

}  // namespace deltaproof::laws
