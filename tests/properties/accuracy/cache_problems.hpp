#pragma once

#include <string>

#include "properties/regimes/families.hpp"
#include "reference/problem/case_file.hpp"

namespace deltaproof {

/// A problem of rule hola for the kernel on chunks of 16: three blocks of the cache and more, two heads.
Problem cache_problem(const std::string& regime, std::uint64_t seed = 1, Metadata more = {},
                      Dtype input = Dtype::bf16);

/// The outputs of the built-in kernel, emulated.
Outputs cache_outputs(const Problem& problem);

/// Element `flat` of a floating tensor replaced.
void set_value(Tensor& tensor, std::int64_t flat, double value);

/// One row of `selected`, as a list of w places, and back.
std::vector<std::int64_t> selected_row(const Outputs& outputs, const Problem& problem, std::int64_t block,
                                       std::int64_t head);
void set_selected_row(Outputs& outputs, const Problem& problem, std::int64_t block, std::int64_t head,
                      const std::vector<std::int64_t>& row);

}  // namespace deltaproof
