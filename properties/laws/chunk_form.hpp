#pragma once

#include "reference/problem/head.hpp"
#include "reference/verdict.hpp"

namespace deltaproof::laws {

/// Whether the token recurrence of one head and the chunk (WY) form of another, which is the same unless a test says
/// otherwise, meet: intervals of both enclose the exact answer, so that no tolerance decides; the double run with its
/// certified radius must meet them, too. More bits are taken until the intervals decide 40 bits; where they never do,
/// the verdict is `uninformative`. `place`: sequence and head.
void compare_routes(const HeadInputs& by_token, const HeadInputs& by_chunk, Index chunk_size, const Location& place,
                    Verdict& verdict);

}  // namespace deltaproof::laws
