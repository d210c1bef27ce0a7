#pragma once

#include "reference/problem/problem.hpp"

namespace deltaproof {

/// Whether no step expands the state by more than the families of inputs do (`stays_in_fp32`): 0 <= b |k|^2 <= 2.05 at every
/// token, by the rule's own b and the key it writes with; rules without a residual always. Beyond, errors grow from token to token like
/// the state, and relative to a later output they are anything: a search would find nothing else.
bool in_domain(const Problem& problem);

}  // namespace deltaproof
