#pragma once

#include <vector>

#include "properties/claims/claim.hpp"

/// Statements of the HOLA paper, by subject.
namespace deltaproof::claims {

std::vector<Claim> hola_write_claims();   ///< scores, ranks, eigenvalues
std::vector<Claim> hola_cache_claims();   ///< selection, causality, reads, memory
std::vector<Claim> hola_figure_claims();  ///< arithmetic on its tables, and what does not follow from them

}  // namespace deltaproof::claims
