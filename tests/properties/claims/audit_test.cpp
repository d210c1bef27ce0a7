// The forms of the ledger, of a made one: text, JSON, a page.
#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>

#include "properties/claims/assumptions.hpp"
#include "properties/claims/audit.hpp"

namespace deltaproof::claims {
namespace {

Claim claim_of(const char* id, Outcome outcome, Voice voice = Voice::stated) {
  Claim claim{id, {"kernels", "a|b *place*", "7", voice}, "A <script>alert(1)</script> statement.",
              "x is small", "by hand", {}, {}};
  claim.check = [outcome](const Effort& effort) {
    Result result;
    result.outcome = outcome;
    result.finding = "seed " + std::to_string(effort.seed) + "\n\x1b[31m\xc3\xa9";
    if (outcome == Outcome::conditional) result.condition = "x > 0";
    if (outcome != Outcome::holds) result.counterexample = {{{"x", "-1`"}}, "it is -1"};
    result.numbers = {{"tries", "3"}};
    result.cases = 3;
    return result;
  };
  claim.variants = {{"true instead", Outcome::holds, claim.check}, {"never true", Outcome::refuted, claim.check}};
  return claim;
}

const std::vector<Claim>& made() {
  static const std::vector<Claim> claims = {
      claim_of("kernels.one", Outcome::holds), claim_of("kernels.two", Outcome::conditional),
      claim_of("kernels.three", Outcome::refuted, Voice::derived),
      claim_of("kernels.four", Outcome::undecidable, Voice::reading)};
  return claims;
}

Ledger ledger(std::uint64_t seed = 0, int threads = 1) {
  AuditOptions options;
  for (const Claim& claim : made()) options.claims.push_back(&claim);
  options.effort.seed = seed, options.threads = threads;
  return audit(options);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Audit, KeepsTheOrderAndTellsItsProgress) {
  AuditOptions options;
  for (const Claim& claim : made()) options.claims.push_back(&claim);
  std::atomic<int> told = 0;
  options.threads = 3, options.progress = [&](double) { ++told; };
  const Ledger found = audit(options);
  ASSERT_EQ(found.entries.size(), made().size());
  for (std::size_t i = 0; i < made().size(); ++i) EXPECT_EQ(found.entries[i].claim, &made()[i]);
  EXPECT_EQ(told, 4);
}

TEST(Audit, CountsAreOfOutcomes) {
  const OutcomeCounts counts = count(ledger());
  EXPECT_EQ(std::vector({counts.holds, counts.conditional, counts.refuted, counts.undecidable}),
            std::vector({1, 1, 1, 1}));
  EXPECT_EQ(text_of(counts), "1 hold, 1 hold under a condition, 1 refuted, 1 not decidable");
}

TEST(Audit, AReproductionLineHasTheSeedThatIsNotTheDefault) {
  const Ledger plain = ledger(), seeded = ledger(5);
  EXPECT_EQ(reproduction_line(plain, plain.entries[1]), "deltaproof audit --claim kernels.two");
  EXPECT_EQ(reproduction_line(seeded, seeded.entries[1]), "deltaproof audit --claim kernels.two --seed 5");
}

TEST(Audit, TextIsPrintableLinesWithDetailsOfWhatIsNotTrue) {
  const std::string text = text_of(ledger());
  for (const char c : text) EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << static_cast<int>(c);
  EXPECT_TRUE(has(text, "holds                    kernels.one    a|b *place*  stated              seed 0\\x0a\\x1b[31m\\xc3\\xa9\n"
                        "holds under a condition  kernels.two")) << text;
  EXPECT_TRUE(has(text, "    given           x is small\n    condition       x > 0\n    counterexample  x = -1`\n    shows           it is -1\n"
                        "    number          tries: 3\n    reproduce       deltaproof audit --claim kernels.two\n"))
      << text;
  EXPECT_TRUE(text.ends_with("\n1 hold, 1 hold under a condition, 1 refuted, 1 not decidable; "
                             "of the 2 stated by the sources: 1 hold, 1 hold under a condition, 0 refuted, 0 not decidable; "
                             "of the 1 worked out from them: 0 hold, 0 hold under a condition, 1 refuted, 0 not decidable; "
                             "of the 1 readings of them: 0 hold, 0 hold under a condition, 0 refuted, 1 not decidable\n"))
      << text;
  EXPECT_FALSE(has(text, "by hand")) << text;
}

TEST(Audit, InFullItSaysWhatIsClaimedByWhomAndHowItIsChecked) {
  const std::string text = text_of(ledger(), Detail::everything);
  for (const char* part : {"    statement       A <script>alert(1)</script> statement.\n"
                           "    given           x is small\n    method          by hand\n",
                           "worked out from it  seed 0", "a reading           seed 0",
                           "    reproduce       deltaproof audit --claim kernels.one\n"}) {
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
  }
}

TEST(Audit, JsonHasWhatTheFormatPromises) {
  Environment environment;
  environment.version = "9";
  const auto json = nlohmann::json::parse(json_of(ledger(), environment));
  EXPECT_EQ(json.at("schema"), "deltaproof.claims/1");
  EXPECT_EQ(json.at("seed"), 0);
  EXPECT_EQ(json.at("environment").at("version"), "9");
  EXPECT_EQ(json.at("counts"), nlohmann::json::parse(
                                   R"({"holds": 1, "conditional": 1, "refuted": 1, "undecidable": 1})"));
  const auto& two = json.at("claims").at(1);
  for (const char* key : {"id", "paper", "place", "pages", "voice", "statement", "conditions", "method", "outcome", "finding",
                          "condition", "counterexample", "numbers", "cases", "reproduce"}) {
    EXPECT_TRUE(two.contains(key)) << key;
  }
  EXPECT_EQ(two.at("paper").at("id"), "kernels");
  EXPECT_EQ(two.at("voice"), "stated");
  EXPECT_EQ(json.at("counts_by_voice").at("worked out from it").at("refuted"), 1);
  EXPECT_EQ(json.at("counts_by_voice").at("stated").at("holds"), 1);
  EXPECT_EQ(two.at("outcome"), "holds under a condition");
  EXPECT_EQ(two.at("counterexample").at("inputs").at(0).at("value"), "-1`");
  EXPECT_TRUE(json.at("claims").at(0).at("counterexample").is_null());
  EXPECT_EQ(json.at("assumptions").size(), assumptions().size());
  EXPECT_TRUE(json.at("assumptions").at(0).contains("if_wrong"));
}

TEST(Audit, BrokenUtf8IsReplacedInJson) {
  Claim claim = made().front();
  claim.statement = "\xff";
  Ledger broken;
  broken.entries = {{&claim, {}}};
  EXPECT_TRUE(nlohmann::json::accept(json_of(broken, {})));
}

TEST(Audit, ThePageHasNoMarkupOfClaims) {
  const std::string page = markdown_of(ledger());
  for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
    EXPECT_EQ(page[at - 1], '\\') << page.substr(at);
  }
  EXPECT_TRUE(has(page, "\\<script>alert(1)\\</script>")) << page;
  EXPECT_TRUE(has(page, "| `kernels.one` | a\\|b \\*place\\*, p. 7 |")) << page;
  EXPECT_TRUE(has(page, "statement. (given: x is small) | stated | holds |")) << page;
  EXPECT_TRUE(has(page, "4 claims: 1 hold, ")) << page;
  EXPECT_TRUE(has(page, "; of the 2 stated by the sources: 1 hold, ")) << page;
  EXPECT_TRUE(has(page, "- true instead: true instead\n")) << page;
  EXPECT_FALSE(has(page, "never true")) << page;
  EXPECT_TRUE(has(page, "- counterexample: x = `-1'`. it is -1\n")) << page;
  EXPECT_TRUE(has(page, "`deltaproof audit --claim kernels.three`")) << page;
}

}  // namespace
}  // namespace deltaproof::claims
