#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "fuzz/finding.hpp"
#include "kernels/built_in/cache_stages.hpp"
#include "reference/rules/cache_sets.hpp"

namespace deltaproof::fuzz {

/// What is under test; tests put in what is wrong.
struct SelectionFunctions {
  std::function<std::vector<std::int32_t>(const SelectInput&)> select;  ///< empty: the kernel on the host executor
  std::function<CacheSets(std::span<const double>, Index w, Index block)> online = &online_sets, blockwise = &blockwise_sets;
};

/// The bytes as scores of a cache, ties, infinities, negative ones and NaN among them. Kernel and reference must keep what
/// a count of better tokens keeps, or refuse; the judgement must accept that, and none of two wrong sets.
void check_selection(Bytes bytes, const SelectionFunctions& functions = {});

}  // namespace deltaproof::fuzz
