#pragma once

#include <functional>
#include <string>

#include "properties/laws/property.hpp"
#include "reference/problem/case_file.hpp"

namespace deltaproof::laws {

/// Which values a law is about; empty: all, also of rows that belong to no sequence.
using About = std::function<bool(const Location&)>;

/// Whether the sequence of a value is computed, so that the value has a right answer; false for rows of no sequence.
bool is_judged(const Problem& problem, const Location& where);

/// Values of `got` must have the bits of `expected` (two NaN are equal). Both are runs of `problem`'s shapes; tensors
/// o and final_state, and what else both have: scores, selected, chunk_states. Counts into the verdict; the first
/// difference makes it `failed`, with `what` ("in two parts").
void expect_bits(const Problem& problem, const Outputs& expected, const Outputs& got, const std::string& what,
                 Verdict& verdict, const About& about = {});

/// The right answer of a problem and how far a right kernel's values may be from it: rounding to the type that the
/// kernel stores and what the reference does not know are in it. Infinite where nothing is proved. Tensors
/// o and final_state in f64, shaped and laid out as the kernel's.
struct RunBound {
  Outputs expected, bound;
};
/// Of the kernel's arithmetic (docs/bounds.md). `outputs`: of a run, for the types that it stores.
RunBound run_bound(const Problem& problem, const Kernel& kernel, const Outputs& outputs);

/// a + b elementwise, in f64 and rounded upwards: the bound of a difference of two runs. Shapes alike.
Outputs sum_of(const Outputs& a, const Outputs& b);

}  // namespace deltaproof::laws
