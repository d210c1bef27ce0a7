#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/problem/problem.hpp"

namespace deltaproof {

/// What a built-in kernel computes (docs/kernels.md).
struct BuiltInInfo {
  std::string_view name;
  std::string_view summary;
  std::string_view arithmetic;       ///< its own order of roundings; empty: it computes no rule
  std::vector<Rule> rules;
  std::vector<Dtype> inputs;         ///< types of q, k and v (all three alike)
  std::int64_t multiple = 1;         ///< of which K and V must be multiples
  std::int64_t most = 256;           ///< largest K and V
  std::vector<std::int64_t> chunks;  ///< chunk sizes; empty: it has none
  std::string_view part = {};        ///< of what it is a part, if it computes no rule: "chunk", "cache"
};

/// Whether its rule is HOLA, with a cache beside the state.
bool computes_hola(const BuiltInInfo& kernel);

/// `recurrent`, `chunk`, `triangular_solve`; `scores`, `select`, `cache_read`, `hola`, `hola_decode`.
std::span<const BuiltInInfo> built_in_kernels();
/// nullptr if the name is unknown.
const BuiltInInfo* find_built_in_kernel(std::string_view name);

/// Why the kernel does not compute the problem: it names the option or tensor, its value, and what would do. Empty
/// if it does.
std::string refusal_of(const BuiltInInfo& kernel, const Problem& problem);

}  // namespace deltaproof
