#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "fuzz/finding.hpp"
#include "kernels/kernel.hpp"
#include "reference/problem/matrix.hpp"

namespace deltaproof::fuzz {

/// The bytes as a small problem that the built-in kernels `chunk` and `recurrent` both compute; nothing where they make
/// none.
std::optional<Problem> read_problem(Bytes bytes);

/// What a run was judged by at one place: tensor, sequence, head, first token.
using Place = std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t>;
struct JudgedBlock {
  Matrix value;
  Matrix allowed;  ///< bound of the kernel and radius of the reference
};
using JudgedBlocks = std::map<Place, JudgedBlock>;

/// Two runs of one problem must be within the sum of what each is allowed of each other, wherever both have the same
/// blocks. Throws Finding.
void require_close(const JudgedBlocks& chunk, const JudgedBlocks& recurrent);

/// Runs both kernels on what the bytes make, on the host executor. Each run must be within the bound of its own
/// arithmetic and conform to it to the bit, both must be within the sum of their bounds of each other, and `chunk` gives
/// the same bits under another schedule. `edit`, for tests: what a faulty kernel of that name makes of a right run.
void check_chunk(Bytes bytes, const std::function<void(const std::string& kernel, Outputs&)>& edit = {});

}  // namespace deltaproof::fuzz
