#include "reports/json.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "tests/reports/examples.hpp"

namespace deltaproof {
namespace {

using Json = nlohmann::json;

Json report_of(const std::vector<Verdict>& verdicts) {
  return Json::parse(json_report(verdicts, example_environment()));
}

TEST(JsonReport, HoldsEverythingOfAVerdict) {
  const Json report = report_of({example_pass()});
  EXPECT_EQ(report["schema"], "deltaproof.report/1");
  ASSERT_EQ(report["verdicts"].size(), 1);
  const Json expected = Json::parse(R"({
    "case": "gdn", "path": "runs/gdn.safetensors", "kernel": "fla", "arithmetic": "fla-chunk",
    "property": "accuracy", "bound": "LOC", "status": "passed", "reason": "", "worst_ratio": 0.4375,
    "location": {"tensor": "o", "sequence": 0, "token": 70, "chunk": 1, "chunk_position": 6,
                 "head": 1, "row": null, "column": 12},
    "value": 1.5, "expected": 1.25, "error": 0.25, "bound_value": 0.5,
    "terms": [{"name": "state copy", "value": 0.125}, {"name": "output", "value": 0.375}],
    "first_bad": null, "compared": 1000, "violations": 0,
    "probes": [{"tensor": "o", "head": 0, "wrong_answer": "zeros", "accepted": false, "places": 0, "first": null}],
    "conformity": {"declaration": "the built-in fla-chunk", "layout": "scan pairs instead of pieces_of_32",
      "pin": {"bound": "PIN", "compared": 1000, "violations": 0, "unknown": 2, "unambiguous": 700,
              "first_bad": null},
      "bits": {"tensor_core": "hopper", "compared": 1000, "unequal": 1,
               "first": {"tensor": "o", "sequence": 0, "token": 3, "chunk": 0, "chunk_position": 3,
                         "head": 1, "row": null, "column": 5}},
      "would_fit": ["another"], "missing": []},
    "advisory": {"off": "", "units": 8, "units_off": 0, "why_units_off": "",
      "sigma": {"limit": 7.25, "compared": 1000, "outside": 0, "largest": 4.25,
                "worst": {"tensor": "o", "sequence": 0, "token": 70, "chunk": 1, "chunk_position": 6,
                          "head": 1, "row": null, "column": 12}},
      "statistics": 42, "structures": []},
    "ran": null, "outputs_hash": "abc", "reproduce": "deltaproof check runs/gdn.safetensors",
    "notes": ["eta was not used"], "findings": [], "profile": [], "explained": []})");
  EXPECT_EQ(report["verdicts"][0], expected);
}

TEST(JsonReport, HoldsWhatAKernelWasBuiltFromAndWhereItRan) {
  Verdict verdict = example_pass();
  verdict.ran = {"abcdef", "nvcc 13", "-fmad=false", "a GPU", "580", "hopper", "128 threads a block"};
  const Json expected = {{"source_hash", "abcdef"}, {"compiler", "nvcc 13"}, {"flags", "-fmad=false"},
                         {"device", "a GPU"},       {"driver", "580"},       {"tensor_core", "hopper"},
                         {"launch", "128 threads a block"}};
  EXPECT_EQ(report_of({verdict})["verdicts"][0]["ran"], expected);
}

TEST(JsonReport, NonFiniteNumbersAreStrings) {
  const Json verdict = report_of({example_failure()})["verdicts"][0];
  EXPECT_EQ(verdict["worst_ratio"], "inf");
  EXPECT_EQ(verdict["value"], "-inf");
  EXPECT_EQ(verdict["error"], "nan");
  EXPECT_EQ(verdict["first_bad"]["token"], 65);
}

TEST(JsonReport, NumbersSurviveToTheLastBit) {
  Verdict verdict = example_pass();
  verdict.value = 0x1.fffffffffffffp-1000;
  EXPECT_EQ(report_of({verdict})["verdicts"][0]["value"].get<double>(), verdict.value);
}

TEST(JsonReport, NothingComparedHasNoLocation) {
  const Json verdict = report_of({example_ended(Status::skipped, "why")})["verdicts"][0];
  EXPECT_TRUE(verdict["location"].is_null());
  EXPECT_EQ(verdict["reason"], "why");
}

TEST(JsonReport, AdvisoryHoldsEveryStructureInItsOrder) {
  const Json advisory = report_of({example_suspect()})["verdicts"][0]["advisory"];
  EXPECT_EQ(advisory["sigma"]["outside"], 3);
  EXPECT_EQ(advisory["sigma"]["largest"], 9.5);
  EXPECT_EQ(advisory["structures"], Json::parse(R"([
    {"statistic": "energy", "tensor": "o", "group": "position", "index": 63, "value": 5.1, "expected": 1,
     "limit": 2.3},
    {"statistic": "slope", "tensor": "states", "group": "all", "index": null, "value": -3e-4,
     "expected": 1.1e-5, "limit": 9.8e-5}])"));
}

TEST(JsonReport, HoldsTheProfileOfATensor) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Verdict verdict = example_pass();
  TensorProfile profile;
  profile.tensor = "o";
  profile.heads = {0, 7};
  profile.tokens = 5;
  profile.tokens_a_cell = 3;
  profile.ratio = {{0.5, nan}, {std::numeric_limits<double>::infinity(), 0.25}};
  profile.error = {1e-3, nan};
  profile.allowed = {2e-3, nan};
  profile.chunk_size = 2;
  profile.position = {0.5, 0.25};
  profile.histogram_from = -8;
  profile.histogram_step = 0.5;
  profile.histogram = {3, 0, 4};
  verdict.profile = {profile};
  EXPECT_EQ(report_of({verdict})["verdicts"][0]["profile"], Json::parse(R"([
    {"tensor": "o", "heads": [0, 7], "tokens": 5, "tokens_a_cell": 3, "ratio": [[0.5, "nan"], ["inf", 0.25]],
     "error": [0.001, "nan"], "allowed": [0.002, "nan"], "chunk_size": 2, "position": [0.5, 0.25],
     "histogram_from": -8.0, "histogram_step": 0.5, "histogram": [3, 0, 4]}])"));
}

TEST(JsonReport, HoldsFindingsAndAnExplanationByLines) {
  Verdict verdict = example_pass();
  verdict.findings = {{"race", "reads 4 bytes", "kernels/chunk.cuh", 123}};
  verdict.explained = {"starts     o", "  \xff"};
  const Json json = report_of({verdict})["verdicts"][0];
  EXPECT_EQ(json["findings"], Json::parse(R"([
    {"kind": "race", "message": "reads 4 bytes", "file": "kernels/chunk.cuh", "line": 123}])"));
  EXPECT_EQ(json["explained"], Json::parse(R"(["starts     o", "  \ufffd"])"));
}

TEST(JsonReport, AdvisoryIsNullWhereThereIsNone) {
  const Json verdict = report_of({example_ended(Status::skipped, "why")})["verdicts"][0];
  ASSERT_TRUE(verdict.contains("advisory"));
  EXPECT_TRUE(verdict["advisory"].is_null());
}

TEST(JsonReport, AdvisorySaysWhyItIsOffAndWhatItLeftOut) {
  Verdict off = example_pass();
  off.advisory = AdvisoryReport{};
  off.advisory->off = "the inverse truncates";
  Verdict part = example_pass();
  part.advisory->units_off = 3;
  part.advisory->why_units_off = "too much amplified";
  const Json verdicts = report_of({off, part})["verdicts"];
  EXPECT_EQ(verdicts[0]["advisory"], Json::parse(R"({"off": "the inverse truncates", "units": 0, "units_off": 0,
    "why_units_off": "", "sigma": {"limit": 0, "compared": 0, "outside": 0, "largest": 0, "worst": null},
    "statistics": 0, "structures": []})"));
  EXPECT_EQ(verdicts[1]["advisory"]["units_off"], 3);
  EXPECT_EQ(verdicts[1]["advisory"]["why_units_off"], "too much amplified");
}

TEST(JsonReport, AdvisoryNumbersThatAreNotFiniteAreStrings) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Verdict verdict = example_suspect();
  verdict.advisory->sigma_largest = infinity;
  verdict.advisory->sigma_limit = nan;
  verdict.advisory->structures = {{"slope", "o", "all", -1, -infinity, nan, infinity}};
  const Json advisory = report_of({verdict})["verdicts"][0]["advisory"];
  EXPECT_EQ(advisory["sigma"]["largest"], "inf");
  EXPECT_EQ(advisory["sigma"]["limit"], "nan");
  EXPECT_EQ(advisory["structures"][0]["value"], "-inf");
  EXPECT_EQ(advisory["structures"][0]["expected"], "nan");
  EXPECT_EQ(advisory["structures"][0]["limit"], "inf");
}

TEST(JsonReport, SaysWhereItWasMadeAndCounts) {
  const Json report =
      report_of({example_pass(), example_failure(), example_ended(Status::nonconforming, "x")});
  EXPECT_EQ(report["environment"], Json::parse(R"({"deltaproof": "1.2.3", "compiler": "gcc",
    "flags": "-O3", "host": "host", "cpu": "cpu", "device": "none",
    "date": "2020-01-02T03:04:05Z"})"));
  EXPECT_EQ(report["summary"]["failed"], 1);
  EXPECT_EQ(report["summary"]["nonconforming"], 1);
  EXPECT_EQ(report["summary"].size(), 7);
}

TEST(JsonReport, TakesAnyBytesAndIsAscii) {
  Verdict verdict = example_pass();
  verdict.case_name = "broken \xff utf-8, \x01 control, \xc3\xa9";
  verdict.advisory->off = verdict.advisory->why_units_off = verdict.case_name;
  verdict.advisory->structures = {{verdict.case_name, "o", "all"}};
  const std::string text = json_report({verdict}, example_environment());
  for (const char c : text) EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << int{c};
  EXPECT_EQ(Json::parse(text)["verdicts"][0]["case"],
            "broken \xef\xbf\xbd utf-8, \x01 control, \xc3\xa9");
  EXPECT_EQ(Json::parse(text)["verdicts"][0]["advisory"]["structures"][0]["statistic"],
            "broken \xef\xbf\xbd utf-8, \x01 control, \xc3\xa9");
}

TEST(Environment, IsFilledIn) {
  const Environment here = this_environment();
  for (const std::string& field :
       {here.version, here.compiler, here.flags, here.host, here.cpu, here.date}) {
    EXPECT_FALSE(field.empty());
  }
  EXPECT_EQ(here.device, "none");
  EXPECT_EQ(here.date.size(), std::string("2020-01-02T03:04:05Z").size());
}

}  // namespace
}  // namespace deltaproof
