#pragma once

#include <functional>

#include "properties/laws/compare.hpp"

namespace deltaproof::laws {

/// Every value of a floating tensor through `map`, rounded to its type.
Tensor mapped(const Tensor& tensor, const std::function<double(double)>& map);

/// The values with their signs changed.
Tensor negated(const Tensor& tensor);

/// Other values of every input, each in its domain and about as large as before, at the tokens (numbered in their
/// sequence, from 0) that `which` holds; states stay.
TensorMap with_other_values(const Problem& problem, const std::function<bool(const Sequence&, std::int64_t)>& which);

/// Other values of v, all of them: none stays as it was.
Tensor other_v(const Tensor& v);

}  // namespace deltaproof::laws
