// The checks of the HOLA paper's statements can tell: each refutes a false variant, and accepts the corrected
// statement.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/properties/claims/hola_ledger.hpp"

namespace deltaproof::claims {
namespace {

TEST(HolaVariants, HaveTheirExpectedOutcome) {
  for (const Claim& claim : hola_ledger()) {
    for (const Variant& variant : claim.variants) {
      const Result result = variant.check(Effort{});
      EXPECT_STREQ(outcome_name(result.outcome), outcome_name(variant.expected))
          << claim.id << ", variant '" << variant.statement << "': " << result.finding;
      EXPECT_EQ(result.counterexample.has_value(), variant.expected != Outcome::holds)
          << claim.id << ": " << variant.statement;
    }
  }
}

TEST(HolaVariants, OneOfEachClaimIsFalse) {
  for (const Claim& claim : hola_ledger()) {
    EXPECT_TRUE(std::any_of(claim.variants.begin(), claim.variants.end(), [](const Variant& variant) {
      return variant.expected == Outcome::refuted;
    })) << claim.id;
  }
}

TEST(HolaVariants, OneOfEachRefutedOrConditionalClaimIsTheCorrectedStatement) {
  for (const Claim& claim : hola_ledger()) {
    const Outcome outcome = claim.check(Effort{}).outcome;
    if (outcome != Outcome::refuted && outcome != Outcome::conditional) continue;
    EXPECT_TRUE(std::any_of(claim.variants.begin(), claim.variants.end(), [](const Variant& variant) {
      return variant.expected == Outcome::holds;
    })) << claim.id;
  }
}

}  // namespace
}  // namespace deltaproof::claims
