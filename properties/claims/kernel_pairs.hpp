#pragma once

#include <functional>
#include <string>

#include "properties/claims/claim.hpp"
#include "reference/problem/case_file.hpp"

namespace deltaproof::claims {

using Run = std::function<Outputs(const Problem&)>;

/// Two runs that a statement says have the same bits.
struct Pair {
  Outputs expected, got;
};
/// Of a problem and a token, 1 .. T - 1.
using MakePair = std::function<Pair(const Problem&, std::int64_t at)>;
/// Which tokens a statement is about.
using WantedToken = std::function<bool(std::int64_t at)>;

/// A kernel of that order of roundings, emulated.
Run kernel(const std::string& arithmetic);

/// One run, and two with the state handed on, in fp32 or narrower.
MakePair split(const Run& run, Dtype handed_on = Dtype::f32);
/// Rows of o before the token, and a run of the tokens before it.
MakePair prefix(const Run& run);
/// The state after the token's chunk begins, and the final state of a run of so many tokens less `short_by`.
MakePair prefix_state(const std::string& arithmetic, std::int64_t short_by);
/// A run, and another one after a run of something else.
MakePair repeated(const Run& run);
MakePair of_two(const Run& one, const Run& other);

/// Whether the pairs have the same bits (-0 is 0) on drawn problems, from the shortest on, at every wanted token.
Check same_bits_check(const MakePair& make, const WantedToken& wanted, bool initial_state = true);

}  // namespace deltaproof::claims
