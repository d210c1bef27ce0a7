#pragma once

#include <string>
#include <vector>

#include "properties/claims/claim.hpp"

namespace deltaproof::claims {

/// What is wrong with the form of a result: a refutation without a counterexample, a condition of something else ..
std::vector<std::string> faults_of(const Result& result);

/// What is wrong with a claim: how it is named and described, its result, and whether its check can tell: every variant
/// gives what it expects, one is refuted, and beside a refuted claim a corrected one holds. Runs all of its checks.
std::vector<std::string> faults_of(const Claim& claim, const Effort& effort);

}  // namespace deltaproof::claims
