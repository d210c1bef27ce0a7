#pragma once

#include <vector>

#include "properties/claims/claim.hpp"

/// Statements of the Kaczmarz linear attention paper, by subject.
namespace deltaproof::claims {

std::vector<Claim> kla_token_claims();   ///< one step: projection, line search, residual factor, proximal form
std::vector<Claim> kla_chunk_claims();   ///< chunk equations, Appendix B, cost
std::vector<Claim> kla_figure_claims();  ///< arithmetic on its tables, and what does not follow from them

}  // namespace deltaproof::claims
