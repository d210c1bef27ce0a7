#pragma once

#include "reference/bounds/chunk_formats.hpp"
#include "reference/bounds/chunk_input.hpp"
#include "reference/bounds/local_bound.hpp"
#include "reference/tensor_core.hpp"

namespace deltaproof {

/// LOC: how far a chunk kernel of the family may be off within one chunk, from its declared formats alone
/// (docs/loc.md, Theorem 4). `apart`: keep the terms apart for a message. `written`: of what each token writes, too.
LocalBound chunk_bound(const ChunkInput& in, const ChunkFormats& formats,
                       const TensorCoreModel& tensor_core, bool apart,
                       WrittenBound written = WrittenBound::none);

}  // namespace deltaproof
