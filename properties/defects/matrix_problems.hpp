#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "properties/regimes/families.hpp"
#include "properties/runs/problem_spec.hpp"

namespace deltaproof {

/// The problems on which every cell of the kill matrix is judged: the same for all defects, drawn from one family of
/// inputs. Few and small, but between them: rows, packed sequences (one empty) and a pool with padding and an unused
/// row; whole chunks, of one block and of two, and tails; grouped heads; K = V and not; both layouts; initial states;
/// scalar and per-channel decay; a write coefficient that the kernel forms; rows that it normalises; bf16 and fp32.
std::vector<ProblemSpec> matrix_problem_specs(const Regime& regime, std::uint64_t seed,
                                              const std::string& arithmetic);

/// Those for kernels with a cache, of rule hola: a cache that is full and one that never is; blocks that divide chunks
/// and not; both reads, both states; small logits and large ones; rows, packed sequences and a pool.
std::vector<ProblemSpec> cache_problem_specs(const Regime& regime, std::uint64_t seed,
                                             const std::string& arithmetic);

/// Those for a kernel of the matrix, by its name.
std::vector<ProblemSpec> problem_specs_for(std::string_view kernel, const Regime& regime, std::uint64_t seed);

}  // namespace deltaproof
