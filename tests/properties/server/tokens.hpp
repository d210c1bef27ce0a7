#pragma once

#include <cstdint>
#include <vector>

#include "reference/problem/problem.hpp"

namespace deltaproof::server {

/// A token of a conversation: its number decides its inputs.
using Token = std::uint32_t;
using Tokens = std::vector<Token>;

/// Which kernel a launch runs.
enum class Engine { recurrent, chunk };
const char* engine_name(Engine engine);

inline constexpr std::int64_t K = 8, V = 16, HV = 2;  ///< one key head

/// A pool of states of zeros: [rows, HV, K, V] in fp32.
Tensor zero_pool(std::int64_t rows);

/// One launch of gated_delta in bf16, chunks of 16: sequences of one length each, whose states are the given rows of
/// the pool; -1: padding of the batch.
Problem launch_problem(Engine engine, const std::vector<Tokens>& sequences, const std::vector<int>& rows,
                       Tensor pool);

}  // namespace deltaproof::server
