#include "properties/runs/check_spec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "emulated_kernel.hpp"
#include "properties/laws/table.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof {
namespace {

const ProblemSpec& spec() {
  static const ProblemSpec small = parse_spec("T=40 K=16 V=16 B=2 HV=2 chunk_size=16 arithmetic=fla-chunk");
  return small;
}

SpecChecks with_law(const Property& law) {
  SpecChecks checks;
  checks.run = false;
  checks.laws = {&law};
  checks.shrink_budget = 300;
  return checks;
}

// Every second run has another bit.
EmulatedKernel::Damage flickering() {
  return [count = std::make_shared<int>(0)](const Problem&, Outputs& outputs) {
    if (++*count % 2 == 0) outputs.tensors["o"].bytes[0] ^= std::byte{1};
  };
}

bool notes_contain(const Verdict& verdict, const std::string& part) {
  return std::any_of(verdict.notes.begin(), verdict.notes.end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

TEST(CheckSpec, RightKernelPassesAndNothingShrinks) {
  SpecChecks checks = with_law(laws::repeatable);
  checks.run = true;
  const auto verdicts = check_spec(spec(), EmulatedKernel(), checks);
  ASSERT_EQ(verdicts.size(), 2u);
  for (const SpecVerdict& each : verdicts) {
    EXPECT_EQ(each.verdict.status, Status::passed) << each.verdict.reason;
    EXPECT_FALSE(each.shrunken);
  }
}

TEST(CheckSpec, FailureShrinksToTheSmallestThatFailsTheSameWay) {
  // Wrong in the last row of o wherever there are more than 16 tokens.
  const EmulatedKernel wrong([](const Problem& problem, Outputs& outputs) {
    if (problem.dims().T <= 16) return;
    Tensor& o = outputs.tensors["o"];
    std::fill(o.bytes.end() - 2 * problem.dims().V, o.bytes.end(), std::byte{0x44});
  });
  SpecChecks checks;
  checks.shrink_budget = 500;
  const auto verdicts = check_spec(spec(), wrong, checks);
  ASSERT_EQ(verdicts.size(), 1u);
  EXPECT_EQ(verdicts[0].verdict.status, Status::failed);
  ASSERT_TRUE(verdicts[0].shrunken);
  EXPECT_TRUE(verdicts[0].smallest);
  const RegimeShape& s = verdicts[0].shrunken->shape;
  EXPECT_EQ(s.tokens, 17);
  EXPECT_EQ(s.B * s.HV, 1);
  const auto again = check_spec(parse_spec(to_text(*verdicts[0].shrunken)), wrong, {});
  EXPECT_EQ(again[0].verdict.status, Status::failed) << "the text replays it";
}

TEST(CheckSpec, KernelThatIsNotDeterministicIsSaidToBeSo) {
  const auto law = check_spec(spec(), EmulatedKernel(flickering()), with_law(laws::repeatable));
  EXPECT_EQ(law[0].verdict.status, Status::failed);
  EXPECT_NE(law[0].verdict.reason.find("not deterministic"), std::string::npos) << law[0].verdict.reason;
  SpecChecks run;
  const auto accuracy = check_spec(spec(), EmulatedKernel(flickering()), run);
  EXPECT_NE(accuracy[0].verdict.status, Status::passed);
  EXPECT_TRUE(notes_contain(accuracy[0].verdict, "the kernel is not deterministic"));
}

TEST(CheckSpec, RefusedProblemIsSkippedOnce) {
  ProblemSpec other = spec();
  other.options["rule"] = "linear";
  SpecChecks checks;
  checks.laws_in_turn = 4;
  const auto verdicts = check_spec(other, EmulatedKernel(), checks);
  ASSERT_EQ(verdicts.size(), 1u);
  EXPECT_EQ(verdicts[0].verdict.status, Status::skipped);
}

TEST(CheckSpec, LawsTakeTurns) {
  SpecChecks checks;
  checks.run = false;
  checks.laws_in_turn = 3;
  std::vector<std::string> seen;
  for (std::uint64_t i = 0; i < all_laws().size(); ++i) {
    ProblemSpec turn = spec();
    turn.index = i;
    for (const SpecVerdict& each : check_spec(turn, EmulatedKernel(), checks)) {
      EXPECT_EQ(each.verdict.status, Status::passed) << each.verdict.property << ": " << each.verdict.reason;
      if (std::find(seen.begin(), seen.end(), each.verdict.property) == seen.end()) seen.push_back(each.verdict.property);
    }
  }
  EXPECT_GT(seen.size(), all_laws().size() / 2) << "of those that say something of plain rows";
}

// Rules take turns by the number of a problem, as laws do: a law must not meet the same rule again and again.
TEST(CheckSpec, EveryLawMeetsProblemsOfEveryParity) {
  SpecChecks checks;
  checks.run = false;
  checks.laws_in_turn = 2;
  std::map<std::string, std::set<std::uint64_t>> eighths;
  for (std::uint64_t i = 0; i < 6 * all_laws().size(); ++i) {
    ProblemSpec turn = parse_spec("T=3 K=8 V=8 chunk_size=16 arithmetic=fla-chunk");
    turn.index = i;
    for (const SpecVerdict& each : check_spec(turn, EmulatedKernel(), checks)) eighths[each.verdict.property].insert(i % 8);
  }
  for (const auto& [law, seen] : eighths) EXPECT_GE(seen.size(), 4u) << law;
}

TEST(CheckSpec, TextThatIsNoProblemIsRefused) {
  ProblemSpec bad = spec();
  bad.regime = "mild";
  EXPECT_THROW(check_spec(bad, EmulatedKernel(), {}), InputError);
}

}  // namespace
}  // namespace deltaproof
