#include "reports/junit.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "tests/reports/examples.hpp"
#include "tests/reports/xml_reader.hpp"

namespace deltaproof {
namespace {

/// The suite without its properties: its test cases.
XmlElement suite_of(const std::vector<Verdict>& verdicts) {
  const std::string xml = junit_report(verdicts, example_environment());
  const auto root = XmlReader::read(xml);
  EXPECT_TRUE(root.has_value()) << xml;
  if (!root || root->children.size() != 1) throw std::runtime_error("not a report: " + xml);
  EXPECT_EQ(root->name, "testsuites");
  XmlElement suite = root->children[0];
  if (suite.children.empty() || suite.children[0].name != "properties") throw std::runtime_error("none: " + xml);
  suite.children.erase(suite.children.begin());
  return suite;
}

// The reader that judges the reports must itself refuse what is broken.
TEST(XmlReader, RefusesWhatIsNotWellFormed) {
  const std::string head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  EXPECT_TRUE(XmlReader::read(head + "<a b=\"1\"><c/>x</a>\n"));
  for (const char* broken : {"<a>", "<a></b>", "<a b=\"<\"/>", "<a b=1/>", "<a>&</a>", "<a/><b/>",
                             "<a>\x01</a>", "<a b=\"1\" b=\"2\"/>", ""}) {
    EXPECT_FALSE(XmlReader::read(head + broken)) << broken;
  }
}

TEST(JunitReport, EachStatusHasItsElement) {
  using enum Status;
  const XmlElement suite =
      suite_of({example_pass(), example_failure(), example_ended(nonconforming, "n"),
                example_ended(suspect, "s"), example_ended(uninformative, "u"),
                example_ended(skipped, "k"), example_ended(error, "e")});
  const std::vector<std::string> elements{"",        "failure", "failure", "skipped",
                                          "skipped", "skipped", "error"};
  ASSERT_EQ(suite.children.size(), elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const auto& inside = suite.children[i].children;
    ASSERT_EQ(inside.size(), elements[i].empty() ? 0 : 1) << i;
    for (const XmlElement& element : inside) EXPECT_EQ(element.name, elements[i]);
  }
  EXPECT_EQ(suite.attributes.at("tests"), "7");
  EXPECT_EQ(suite.attributes.at("failures"), "2");
  EXPECT_EQ(suite.attributes.at("errors"), "1");
  EXPECT_EQ(suite.attributes.at("skipped"), "3");
  EXPECT_EQ(suite.children[4].children[0].attributes.at("message"), "uninformative: u");
}

TEST(JunitReport, NamesSurviveMarkup) {
  const XmlElement suite = suite_of({example_failure()});
  EXPECT_EQ(suite.children[0].attributes.at("name"), "a longer <name> & \"quotes\"");
  EXPECT_EQ(suite.children[0].attributes.at("classname"), "accuracy.fla");
  const XmlElement& failure = suite.children[0].children[0];
  EXPECT_EQ(failure.attributes.at("message"), "failed: 1 value is out of bound");
  EXPECT_NE(failure.text.find("token 65"), std::string::npos) << failure.text;
  EXPECT_NE(failure.text.find("reproduce: deltaproof check"), std::string::npos) << failure.text;
}

TEST(JunitReport, ASuspectIsSkippedWithWhatTheAdvisoryTierFound) {
  const XmlElement skipped = suite_of({example_suspect()}).children[0].children[0];
  EXPECT_EQ(skipped.name, "skipped");
  EXPECT_EQ(skipped.attributes.at("message"), "suspect: the errors are not those of chance");
  for (const char* line : {"advisory   6 sigma: 3 of 1000 beyond 7.25 sigma, largest 9.5;",
                           "largest at o: sequence 0, token 70", "energy of o, position 63: 5.1 (limit 2.3)"}) {
    EXPECT_NE(skipped.text.find(line), std::string::npos) << line << " in " << skipped.text;
  }
}

TEST(JunitReport, AdvisoryTextSurvivesMarkup) {
  Verdict off = example_failure();
  off.advisory->off = "cond > 1000 & <b>\x01\xff";
  Verdict part = example_failure();
  part.advisory->units_off = 2;
  part.advisory->why_units_off = "<why>";
  const XmlElement suite = suite_of({off, part});
  EXPECT_NE(suite.children[0].children[0].text.find("advisory   off: cond > 1000 & <b>\\x01\\xff\n"),
            std::string::npos);
  EXPECT_NE(suite.children[1].children[0].text.find("2 of 10 chunks left out: <why>\n"), std::string::npos);
}

TEST(JunitReport, ControlCharactersAreLeftOut) {
  Verdict verdict = example_ended(Status::failed, "a\x01z\x1b[31m\xff\xef\xbf\xbe");
  EXPECT_EQ(suite_of({verdict}).children[0].children[0].attributes.at("message"), "failed: az[31m");
}

TEST(JunitReport, CasesOfOneNameAreToldApart) {
  Verdict one = example_pass(), other = example_pass(), nameless = example_pass();
  other.case_path = "other/gdn.safetensors";
  nameless.case_path = "";
  const XmlElement suite = suite_of({one, other, one, nameless, nameless});
  std::vector<std::string> names;
  for (const XmlElement& test : suite.children) names.push_back(test.attributes.at("name"));
  EXPECT_EQ(names, (std::vector<std::string>{"gdn (runs/gdn.safetensors)", "gdn (other/gdn.safetensors)",
                                             "gdn (runs/gdn.safetensors) #2", "gdn", "gdn #2"}));
}

TEST(JunitReport, NamesThatXmlCannotHoldAreToldApart) {
  const std::vector<std::string> given{"same\xff", "same\xfe", "same\x01", "same", "same\\xff",
                                       "a",        "a",        "a #2",     "a #3"};
  std::vector<Verdict> verdicts;
  for (const std::string& name : given) {
    verdicts.push_back(example_ended(Status::passed, ""));
    verdicts.back().case_name = name;
    verdicts.push_back(example_ended(Status::passed, ""));  // and as names of kernels
    verdicts.back().kernel = name;
  }
  verdicts[1].kernel = "b.c";
  verdicts[3].property = "accuracy.b";
  verdicts[3].kernel = "c";
  std::set<std::pair<std::string, std::string>> names;
  for (const XmlElement& test : suite_of(verdicts).children) {
    names.emplace(test.attributes.at("classname"), test.attributes.at("name"));
  }
  EXPECT_EQ(names.size(), verdicts.size());
  EXPECT_TRUE(names.contains({"accuracy.kernel", "same\\xff"}));
  EXPECT_TRUE(names.contains({"accuracy.kernel", "same\\xfe"}));
}

TEST(JunitReport, FindingsAreInTheBody) {
  Verdict verdict = example_failure();
  verdict.findings = {{"race", "two threads write", "a<b>.cu", 12}};
  EXPECT_NE(suite_of({verdict}).children[0].children[0].text.find("finding    a<b>.cu:12: race: two threads write\n"),
            std::string::npos);
}

TEST(JunitReport, ADateThatIsNoneIsLeftOut) {
  Environment environment = example_environment();
  EXPECT_NE(junit_report({}, environment).find(" timestamp=\"2020-01-02T03:04:05\""), std::string::npos);
  environment.date = "unknown";
  EXPECT_EQ(junit_report({}, environment).find("timestamp"), std::string::npos);
}

TEST(JunitReport, NoVerdictsIsAnEmptySuite) { EXPECT_EQ(suite_of({}).attributes.at("tests"), "0"); }

}  // namespace
}  // namespace deltaproof
