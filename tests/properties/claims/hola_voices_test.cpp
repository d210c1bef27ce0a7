// Whose words the statements of the HOLA paper follow.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/properties/claims/hola_ledger.hpp"

namespace deltaproof::claims {
namespace {

constexpr Outcome refuted = Outcome::refuted;

// A refutation of what the source states is a heavier thing than one of what somebody may read into it.
TEST(HolaVoices, OnlyTheseThatTheSourceStatesAreRefuted) {
  std::set<std::string> found;
  for (const Claim& claim : hola_ledger()) {
    if (claim.source.voice == Voice::stated && claim.check(Effort{}).outcome == refuted) found.insert(claim.id);
  }
  EXPECT_EQ(found, (std::set<std::string>{"hola.attention_ceiling"}));
}

// What is worked out from the source is right by its own numbers: what is not is a reading of it.
TEST(HolaVoices, OnlyTheseThatAreWorkedOutAreRefuted) {
  std::set<std::string> found;
  for (const Claim& claim : hola_ledger()) {
    if (claim.source.voice == Voice::derived && claim.check(Effort{}).outcome == refuted) found.insert(claim.id);
  }
  EXPECT_TRUE(found.empty()) << *found.begin();
}

TEST(HolaVoices, AreStatementsThatReadAlone) {
  for (const Claim& claim : hola_ledger()) {
    EXPECT_FALSE(claim.statement.ends_with('.')) << claim.id;
    for (const char* without_subject : {"That ", "that ", "It ", "it ", "They ", "they ", "So ", "so ", "By ", "by "}) {
      EXPECT_FALSE(claim.statement.starts_with(without_subject)) << claim.id << ": " << claim.statement;
    }
  }
}

}  // namespace
}  // namespace deltaproof::claims
