#pragma once

#include <cstdint>

/// Multiplications of the recurrence and of the chunk form, counted by carrying them out on a
/// number that counts.
namespace deltaproof::claims {

struct Work {
  std::int64_t products = 0, quotients = 0;
};

enum class Rule { gated_delta, kaczmarz };  ///< beta = eta, or eta / (|k|^2 + epsilon)

/// `tokens` steps of a state of dk x dv, decay, write and read.
Work recurrence_work(Rule rule, std::int64_t dk, std::int64_t dv, std::int64_t tokens);

/// The same by Eqs (7)-(9) in chunks of c tokens: whole chunks only.
Work chunk_work(Rule rule, std::int64_t dk, std::int64_t dv, std::int64_t c, std::int64_t chunks);

}  // namespace deltaproof::claims
