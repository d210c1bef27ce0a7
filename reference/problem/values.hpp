#pragma once

#include <string>
#include <vector>

#include "reference/problem/schema.hpp"

namespace deltaproof {

/// Refuses values outside the rule's domain among those that are judged: rows of `sequences` that
/// are not padding, and their states. Shapes are checked already. Throws InputError naming tensor,
/// index, value.
void check_values(const std::string& file, const Problem& problem,
                  const std::vector<TensorSpec>& specs);

}  // namespace deltaproof
