// The page as a text; tests/page/ has it in a browser.
#include "reports/page.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <regex>

#include "reports/json.hpp"
#include "reports/page_data.hpp"
#include "tests/reports/examples.hpp"

namespace deltaproof {
namespace {

using nlohmann::json;

std::string data_of(const std::string& page, const std::string& id) {
  const std::string open = "<script type=\"application/json\" id=\"" + id + "\">";
  const std::size_t begin = page.find(open) + open.size();
  return page.substr(begin, page.find("</script>", begin) - begin);
}

std::string page_of(const std::string& report) {
  PageParts parts;
  parts.report = report;
  return html_page(parts);
}

Verdict with_profile(Status status, double ratio, std::size_t cells = 4) {
  Verdict verdict = example_pass();
  verdict.status = status;
  verdict.reason = status == Status::passed ? "" : "r";
  verdict.worst_ratio = ratio;
  TensorProfile profile;
  profile.tensor = "o";
  profile.heads = {0};
  profile.ratio = {std::vector<double>(cells, ratio)};
  profile.error = profile.allowed = std::vector<double>(cells, 0.5);
  profile.histogram = {1, 2};
  verdict.profile = {profile};
  return verdict;
}

json thinned(const std::vector<Verdict>& verdicts, const ProfileBudget& budget) {
  return json::parse(page_report(json_report(verdicts, example_environment()), budget))["verdicts"];
}

std::vector<std::size_t> kept(const json& verdicts) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const bool has = !verdicts[i]["profile"].empty();
    EXPECT_EQ(verdicts[i].contains("profile_left_out"), !has) << i;
    if (has) result.push_back(i);
  }
  return result;
}

TEST(HtmlPage, HoldsItsDataAndNothingForWhatIsNotThere) {
  const std::string report = json_report({example_pass(), example_failure()}, example_environment());
  const std::string page = page_of(report);
  EXPECT_EQ(json::parse(data_of(page, "report")), json::parse(report));
  EXPECT_EQ(data_of(page, "kill-matrix"), "null");
  EXPECT_EQ(data_of(page, "ledger"), "null");
  EXPECT_EQ(page.find("{{"), std::string::npos);
}

TEST(HtmlPage, NoNameEndsAScriptOrIsFilledIn) {
  Verdict verdict = example_failure();
  verdict.case_name = "</script><script>alert(1)</script><!--";
  verdict.kernel = "{{script}}";
  const std::string plain = page_of(json_report({example_failure()}, example_environment()));
  const std::string page = page_of(json_report({verdict}, example_environment()));
  EXPECT_EQ(data_of(page, "report").find('<'), std::string::npos);
  EXPECT_EQ(json::parse(data_of(page, "report"))["verdicts"][0]["case"], verdict.case_name);
  EXPECT_NE(data_of(page, "report").find("{{script}}"), std::string::npos);
  const std::regex tag("<(/?script|!--)");
  const auto tags = [&](const std::string& text) {
    return std::distance(std::sregex_iterator(text.begin(), text.end(), tag), std::sregex_iterator());
  };
  EXPECT_EQ(tags(page), tags(plain));
}

TEST(HtmlPage, AsksNobodyForAnything) {
  const std::string page = page_of(json_report({example_pass()}, example_environment()));
  // Addresses stand in comments and in the licence alone.
  EXPECT_FALSE(std::regex_search(page.substr(0, page.find("<style>")), std::regex("(src|href)=\"(?!#|data:,)")));
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
}

TEST(HtmlPage, IsTheSameEachTime) {
  const std::string report = json_report({example_pass(), example_failure()}, example_environment());
  EXPECT_EQ(page_of(report), page_of(report));
}

TEST(PageReport, KeepsProfilesOfWhatDidNotPassAndOfTheClosest) {
  std::vector<Verdict> verdicts;
  for (const double ratio : {0.1, 0.9, 0.5, 0.7}) verdicts.push_back(with_profile(Status::passed, ratio));
  verdicts.push_back(with_profile(Status::nonconforming, 0.01));
  verdicts.push_back(with_profile(Status::failed, 3));
  EXPECT_EQ(kept(thinned(verdicts, {.closest = 2})), (std::vector<std::size_t>{1, 3, 4, 5}));
  EXPECT_EQ(kept(thinned(verdicts, {.closest = 0})), (std::vector<std::size_t>{4, 5}));
  EXPECT_EQ(kept(thinned(verdicts, {})).size(), 6);
}

TEST(PageReport, StaysWithinItsBudgetWorstFirst) {
  std::vector<Verdict> verdicts;
  for (const double ratio : {2.0, std::numeric_limits<double>::infinity(), 5.0}) {
    verdicts.push_back(with_profile(Status::failed, ratio));
  }
  verdicts.push_back(with_profile(Status::passed, 0.9));
  const std::size_t one = thinned(verdicts, {})[2]["profile"].dump().size();
  EXPECT_EQ(kept(thinned(verdicts, {.bytes = 2 * one + 20})), (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(kept(thinned(verdicts, {.bytes = 0})), std::vector<std::size_t>{});
}

TEST(PageReport, ALargeProfileThatDoesNotFitLeavesRoomForOthers) {
  const std::vector<Verdict> verdicts{with_profile(Status::failed, 9, 4000), with_profile(Status::failed, 2, 4)};
  EXPECT_EQ(kept(thinned(verdicts, {.bytes = 2000})), std::vector<std::size_t>{1});
}

TEST(PageReport, AVerdictThatNeverHadAProfileHasNotLostOne) {
  EXPECT_FALSE(thinned({example_pass()}, {.bytes = 0})[0].contains("profile_left_out"));
}

TEST(CompactJson, IsTheSameInLessRoom) {
  const json value = {{"rows", {1, 2, 3}}, {"name", "a b"}};
  EXPECT_EQ(json::parse(compact_json(value.dump(4))), value);
  EXPECT_EQ(compact_json("[1,  2]"), "[1,2]");
  EXPECT_EQ(compact_json(""), "null");
}

TEST(ScriptJson, ReadsBackTheSame) {
  const json value = {{"</script>", "<!-- < \\u003c"}};
  const std::string text = script_json(value.dump());
  EXPECT_EQ(text.find('<'), std::string::npos);
  EXPECT_EQ(json::parse(text), value);
}

}  // namespace
}  // namespace deltaproof
