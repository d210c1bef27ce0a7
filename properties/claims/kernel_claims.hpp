#pragma once

#include <vector>

#include "properties/claims/claim.hpp"

namespace deltaproof::claims {

/// Statements about kernels: splits, prefixes, repeats, and what published tolerance rules accept.
std::vector<Claim> kernel_claims();

}  // namespace deltaproof::claims
