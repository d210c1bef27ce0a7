// Every claim: its form, its checks, its variants; and that each of these would be missed.
#include <gtest/gtest.h>

#include <set>

#include "properties/claims/assumptions.hpp"
#include "properties/claims/audit.hpp"
#include "properties/claims/papers.hpp"
#include "properties/in_parallel.hpp"
#include "tests/properties/claims/faults_of.hpp"

namespace deltaproof::claims {
namespace {

Result found(Outcome outcome) {
  Result result;
  result.outcome = outcome;
  result.finding = "found";
  if (outcome == Outcome::conditional) result.condition = "if";
  if (outcome == Outcome::conditional || outcome == Outcome::refuted) result.counterexample = {{{"x", "1"}}, "shown"};
  return result;
}

Check always(Outcome outcome) {
  return [outcome](const Effort&) { return found(outcome); };
}

Claim sound(Outcome outcome = Outcome::holds) {
  return {"kernels.some", {"kernels", "somewhere", ""}, "Something.", "", "by hand", always(outcome),
          {{"false", Outcome::refuted, always(Outcome::refuted)}, {"true", Outcome::holds, always(Outcome::holds)}}};
}

bool has_fault(const Claim& claim, const std::string& part) {
  for (const std::string& fault : faults_of(claim, {})) {
    if (fault.find(part) != std::string::npos) return true;
  }
  return false;
}

std::vector<const Claim*> all_claims() {
  std::vector<const Claim*> all;
  for (const Claim& claim : claim_table()) all.push_back(&claim);
  return all;
}

TEST(FaultsOf, ASoundClaimHasNone) {
  for (const Outcome outcome : {Outcome::holds, Outcome::conditional, Outcome::refuted, Outcome::undecidable}) {
    EXPECT_EQ(faults_of(sound(outcome), {}), std::vector<std::string>{}) << outcome_name(outcome);
  }
}

// The one that matters most: a check that finds everything true.
TEST(FaultsOf, ACheckThatCannotTellIsSeen) {
  Claim claim = sound();
  for (Variant& variant : claim.variants) variant.check = claim.check;
  EXPECT_TRUE(has_fault(claim, "variant 'false' is expected to be: refuted; it is: holds"));
  claim.variants.erase(claim.variants.begin());
  EXPECT_TRUE(has_fault(claim, "no variant is expected to be refuted"));
}

TEST(FaultsOf, ARefutedClaimNeedsACorrectedOne) {
  Claim claim = sound(Outcome::refuted);
  claim.variants.pop_back();
  EXPECT_TRUE(has_fault(claim, "no corrected statement holds"));
}

TEST(FaultsOf, NamesAndTextsAreAskedFor) {
  for (const char* id : {"some", "kernels.", "kla.some", "kernels.Some", "kernels.so me", "kernels.a.b"}) {
    Claim claim = sound();
    claim.id = id;
    EXPECT_TRUE(has_fault(claim, "its id")) << id;
  }
  Claim claim = sound();
  claim.source.paper = "none", claim.source.place = claim.statement = claim.method = "";
  for (const char* fault : {"paper is not known", "no place", "no statement", "no method"}) {
    EXPECT_TRUE(has_fault(claim, fault)) << fault;
  }
}

TEST(FaultsOf, TheFormOfAResultIsAskedFor) {
  Result refuted = found(Outcome::refuted), conditional = found(Outcome::conditional), holds = found(Outcome::holds);
  refuted.counterexample.reset(), conditional.condition = "", holds.condition = "if";
  for (const Result& result : {refuted, conditional, holds, Result{}}) EXPECT_FALSE(faults_of(result).empty());
  Result empty = found(Outcome::refuted);
  empty.counterexample = Counterexample{};
  EXPECT_EQ(faults_of(empty).size(), 2U);
}

TEST(ClaimTable, IdsAreUnique) {
  std::set<std::string> ids;
  for (const Claim& claim : claim_table()) {
    EXPECT_TRUE(ids.insert(claim.id).second) << claim.id;
    EXPECT_EQ(find_claim(claim.id), &claim);
  }
  EXPECT_EQ(find_claim("kernels.none"), nullptr);
}

TEST(ClaimTable, HasSixtyEntriesOfEveryPaper) {
  EXPECT_GE(claim_table().size(), 60U);
  std::set<std::string> seen;
  for (const Claim& claim : claim_table()) seen.insert(claim.source.paper);
  EXPECT_EQ(seen.size(), papers().size());
}

TEST(ClaimTable, EveryClaimIsSoundAndItsCheckCanTell) {
  const std::vector<const Claim*> all = all_claims();
  std::vector<std::vector<std::string>> faults(all.size());
  in_parallel(all.size(), 0, [&](std::size_t i) { faults[i] = faults_of(*all[i], {}); });
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const std::string& fault : faults[i]) ADD_FAILURE() << all[i]->id << ": " << fault;
  }
}

TEST(ClaimTable, TheLedgerDoesNotDependOnThreadsNorItsOutcomesOnTheSeed) {
  AuditOptions options{.claims = all_claims(), .effort = {}, .threads = 1, .progress = {}};
  const Ledger one = audit(options);
  options.threads = 3;
  EXPECT_EQ(json_of(one, {}), json_of(audit(options), {}));
  options.effort.seed = 1;
  const Ledger other = audit(options);
  for (std::size_t i = 0; i < one.entries.size(); ++i) {
    EXPECT_EQ(one.entries[i].result.outcome, other.entries[i].result.outcome) << options.claims[i]->id;
  }
}

TEST(Assumptions, EachSaysWhereItIsFromAndWhatFollows) {
  std::set<std::string> seen;
  for (const Assumption& each : assumptions()) {
    EXPECT_TRUE(seen.insert(each.what).second) << each.what;
    EXPECT_FALSE(each.group.empty() || each.value.empty() || each.source.empty() || each.if_wrong.empty()) << each.what;
  }
  EXPECT_GT(seen.size(), 30U);
}

}  // namespace
}  // namespace deltaproof::claims
