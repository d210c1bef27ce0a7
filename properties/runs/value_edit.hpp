#pragma once

#include <span>
#include <string>
#include <string_view>

#include "properties/runs/problem_spec.hpp"

namespace deltaproof {

/// Tensors of hola with values of a head and none of a token.
std::span<const std::string_view> cache_parameters();
/// Whether its second axis is that of tokens; the other inputs are states and parameters.
bool has_tokens(const std::string& tensor);
/// Throws InputError where there is no such tensor or token.
void apply_edit(const ValueEdit& change, TensorMap& tensors);

}  // namespace deltaproof
