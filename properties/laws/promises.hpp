#pragma once

#include <cstdint>
#include <optional>

#include "properties/laws/property.hpp"

namespace deltaproof::laws {

/// The order of roundings that the kernel declares for a rule; nothing if it declares none.
std::optional<Declared> declared_of(const Kernel& kernel, Rule rule);
/// The same for the rule of the problem: of hola, for its state path.
std::optional<Declared> declared_of(const Kernel& kernel, const Problem& problem);

/// Tokens of a sequence that a kernel may compute together: 1 where its text goes token by token, else the problem's
/// chunk_size. Values of a later token, times 0, may enter an earlier one's sums in there.
std::int64_t tokens_together(const Trial& trial);

/// True if the order of additions depends on whether an initial state is handed in: bits of a run from zeros are
/// then not those of a run from none, nor are those of a run in parts.
bool order_depends_on_initial_state(const Trial& trial);

}  // namespace deltaproof::laws
