#pragma once

#include <vector>

#include "reference/bounds/head_bound.hpp"

namespace deltaproof {

/// What a kernel does with the rows of q and k that it normalises itself (`qk_l2norm`). Chunk kernels of the
/// families either store them in the input's type or keep them in fp32, both alike; a run is judged under each
/// and may satisfy either (docs/loc.md, section 5).
enum class Rows {
  as_given,  ///< nothing is normalised, or the bound covers every choice
  stored,
  in_fp32,
};

/// The hypotheses to try, in order.
std::vector<Rows> row_hypotheses(const Problem& problem, const BoundChoice& choice);

/// "" or a remark for the verdict.
const char* describe(Rows rows);

/// The head under a hypothesis. Stored rows become the exact inputs, rounded to `input` from the exactly
/// normalised ones, with an error where the kernel's fp32 error can cross a rounding boundary.
HeadInputs with_rows(HeadInputs head, Rows rows, const Format& input);

}  // namespace deltaproof
