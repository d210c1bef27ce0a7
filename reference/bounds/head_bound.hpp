#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reference/bounds/chunk_formats.hpp"
#include "reference/bounds/local_bound.hpp"
#include "reference/oracle/answer.hpp"
#include "reference/tensor_core.hpp"

namespace deltaproof {

/// Bound of a run of tokens of one head, at the boundaries of a HeadAnswer.
struct HeadBound {
  Terms o;                    ///< tokens x V, before o is rounded to its stored type
  std::vector<Terms> states;  ///< one per boundary of the answer
  std::vector<Terms> slot_values = {};  ///< the same for the second part of a gsa state
  Terms u = Terms();                    ///< tokens x V: of what each token writes, if it was asked for
};

/// What a run is judged by: the bound's name, or why there is none.
struct BoundChoice {
  enum class Kind { none, chunk, token, fp64 } kind = Kind::none;
  bool assumed = false;     ///< `generic`: nothing was declared
  bool exact_states = true; ///< the kernel's state between chunks is fp32, so fp32 records hold it exactly
  std::string why_none;
};

/// Which bound the arithmetic `name` has for this problem (docs/bounds.md).
BoundChoice choose_bound(std::string_view name, const Problem& problem);

/// The bound for tokens with exactly known initial state (within `initial_error`, 0 x 0: exactly), taken in
/// steps of `block` tokens: the kernel's chunk for chunk kernels, any number for the others. `answer` must hold
/// the states after each block (request.every = block). `apart`: keep the terms apart. `written`: fill `u`, too.
HeadBound head_bound(std::string_view arithmetic, BoundChoice::Kind kind, const HeadInputs& run,
                     const HeadAnswer& answer, Index block, const Format& input,
                     const Matrix& initial_error, const TensorCoreModel& tensor_core, bool apart,
                     WrittenBound written = WrittenBound::none);

/// Formats of a chunk arithmetic for these tokens (chunk_formats; also what depends on the type of b). Throws
/// std::bad_optional_access if there are none: choose_bound says so.
ChunkFormats formats_of(std::string_view arithmetic, const HeadInputs& run, const Format& input, Index chunk_size);

/// The format with the fewest significant bits among q, k and v.
const Format& coarsest_input(const Problem& problem);

}  // namespace deltaproof
