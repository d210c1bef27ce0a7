#pragma once

#include <cstdint>
#include <optional>

#include "reference/problem/case_file.hpp"

namespace deltaproof::laws {

/// The first row of a pool of states that no sequence has and that is not as it was, bit for bit: a pool is updated
/// in place, and its other rows are others'. Nothing without a pool.
std::optional<std::int64_t> changed_pool_row(const Problem& problem, const Outputs& outputs);

/// The first sequence that state_indices skips and whose rows of o are not as the kernel found them: poisoned, every
/// byte 0xFF. Of a kernel whose outputs are (Kernel::poisons_outputs).
std::optional<std::int64_t> written_skipped_rows(const Problem& problem, const Outputs& outputs);

}  // namespace deltaproof::laws
