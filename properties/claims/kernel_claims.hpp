#pragma once

#include <vector>

#include "properties/claims/claim.hpp"

/// Statements about kernels, by subject.
namespace deltaproof::claims {

std::vector<Claim> kernel_run_claims();   ///< splits, prefixes, repeats
std::vector<Claim> kernel_power_claims();  ///< what published tolerance rules say of known defects
std::vector<Claim> kernel_fairness_claims();  ///< of right kernels
std::vector<Claim> kernel_zero_claims();  ///< of a run of zeros
std::vector<Claim> kernel_sign_claims();  ///< of a flipped sign, of NaN and of nothing

/// All of them.
std::vector<Claim> kernel_claims();

}  // namespace deltaproof::claims
