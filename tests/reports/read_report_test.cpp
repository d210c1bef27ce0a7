#include "reports/read_report.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>

#include "reports/json.hpp"
#include "reports/write.hpp"
#include "tests/reports/rich_examples.hpp"

namespace deltaproof {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

std::string good() { return json_report(example_all(), example_environment()); }

std::string written_again(const std::string& json) {
  const Report report = parse_report(json, "r.json");
  return json_report(report.verdicts, report.environment);
}

/// The message with which it is refused; a failure if it is not.
std::string refusal(const std::string& json) {
  try {
    parse_report(json, "r.json");
  } catch (const ReportError& error) {
    return error.what();
  }
  ADD_FAILURE() << "was read: " << json.substr(0, 200);
  return {};
}

std::string changed(const std::function<void(Json&)>& change) {
  Json json = Json::parse(good());
  change(json);
  return json.dump();
}

void expect_refused(const std::string& json, const std::vector<std::string>& parts) {
  const std::string message = refusal(json);
  EXPECT_TRUE(message.starts_with("r.json: ")) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  EXPECT_LT(message.size(), 400);
  for (const std::string& part : parts) EXPECT_NE(message.find(part), std::string::npos) << part << " in " << message;
}

TEST(ReadReport, GivesEverythingBackByteForByte) {
  EXPECT_EQ(written_again(good()), good());
  const std::string empty = json_report({}, example_environment());
  EXPECT_EQ(written_again(empty), empty);
}

TEST(ReadReport, NumbersComeBackToTheLastBit) {
  Verdict verdict = example_pass();
  for (const double value : {0x1.fffffffffffffp-1000, 5e-324, -0.0, 1.7976931348623157e308, 0.1}) {
    verdict.value = value;
    const Report report = parse_report(json_report({verdict}, example_environment()), "r.json");
    EXPECT_EQ(std::signbit(report.verdicts[0].value), std::signbit(value));
    EXPECT_EQ(report.verdicts[0].value, value);
  }
}

TEST(ReadReport, AReportOfBeforeHasNoFindingsProfileOrExplanation) {
  const std::string json = changed([](Json& report) {
    for (Json& verdict : report["verdicts"]) {
      for (const char* field : {"findings", "profile", "explained"}) verdict.erase(field);
    }
  });
  const Report report = parse_report(json, "r.json");
  EXPECT_EQ(report.verdicts.size(), example_all().size());
  EXPECT_TRUE(report.verdicts[3].findings.empty());
}

TEST(ReadReport, UnknownFieldsAreIgnored) {
  const std::string json = changed([](Json& report) {
    report["later"] = {{"deep", {1, 2, 3}}};
    report["verdicts"][0]["later"] = 1;
    report["verdicts"][0]["location"]["later"] = "x";
  });
  EXPECT_EQ(written_again(json), good());
}

TEST(ReadReport, AnotherVersionOrAnotherFileIsRefusedByName) {
  const auto schema = [](const Json& value) { return changed([&](Json& report) { report["schema"] = value; }); };
  expect_refused(schema("deltaproof.report/2"),
                 {"r.json: deltaproof.report/2: this version reads deltaproof.report/1"});
  expect_refused(schema("deltaproof.kill_matrix/1"),
                 {"a kill matrix (deltaproof.kill_matrix/1)", "deltaproof.report/1"});
  expect_refused(schema("deltaproof.claims/1"), {"a ledger of claims (deltaproof.claims/1)"});
  expect_refused(schema("sarif"), {"of schema \"sarif\""});
  expect_refused(schema(1), {"/schema: no text"});
  expect_refused("{}", {"/schema: no text", "deltaproof.report/1"});
  expect_refused("[1]", {"no JSON object"});
}

TEST(ReadReport, AWrongFieldIsNamedWithWhatItIsAndWhatWasWanted) {
  const auto with = [](const char* pointer, const Json& value) {
    return changed([&](Json& report) { report[Json::json_pointer(pointer)] = value; });
  };
  expect_refused(with("/verdicts/3/status", "flaky"), {"/verdicts/3/status: \"flaky\"; wanted: passed, failed"});
  expect_refused(with("/verdicts/0/status", nullptr), {"/verdicts/0/status: null; wanted: a text"});
  expect_refused(with("/verdicts/0/compared", -1), {"/verdicts/0/compared: -1; wanted: a whole number of at least 0"});
  expect_refused(with("/verdicts/0/compared", 1.5), {"/verdicts/0/compared: 1.5; wanted: a whole number"});
  expect_refused(with("/verdicts/0/compared", 9223372036854775808u), {"/verdicts/0/compared: 9223372036854775808"});
  expect_refused(with("/verdicts/0/value", "infinity"),
                 {"/verdicts/0/value: \"infinity\"; wanted: a number, or \"inf\""});
  expect_refused(with("/verdicts/0/value", Json::array()), {"/verdicts/0/value: a list of 0"});
  expect_refused(with("/verdicts/0/location", "o"), {"/verdicts/0/location: \"o\"; wanted: an object"});
  expect_refused(with("/verdicts/0/location/head", -2), {"/verdicts/0/location/head: -2"});
  expect_refused(with("/verdicts/0/probes/0/accepted", 1), {"/verdicts/0/probes/0/accepted: 1; wanted: true or false"});
  expect_refused(with("/verdicts/3/findings/0/line", "12"), {"/verdicts/3/findings/0/line: \"12\""});
  expect_refused(with("/verdicts/3/profile/0/ratio", Json::array()), {"/verdicts/3/profile/0/ratio", "of 2 heads"});
  expect_refused(with("/verdicts/3/profile/0/tokens_a_cell", 0), {"tokens_a_cell: 0", "at least 1"});
  const std::string profile = "/verdicts/3/profile/0";
  const auto in_profile = [&](const char* field, const Json& value) { return with((profile + field).c_str(), value); };
  for (const char* field : {"/ratio/0", "/ratio/1", "/error", "/allowed"}) {
    for (const Json& value : {Json::array(), Json{0.5, 0.5}, Json{0.5, 0.5, 0.5, 0.5}}) {
      expect_refused(in_profile(field, value), {profile + field + ": a list", "3 entries, one for each 2 of 5 tokens"});
    }
  }
  expect_refused(in_profile("/heads", {0}), {profile + "/ratio: a list of 2", "a row for each of 1 heads"});
  expect_refused(in_profile("/tokens", 7), {profile + "/ratio/0: a list of 3; wanted: 4 entries"});
  expect_refused(in_profile("/tokens", 9223372036854775807), {profile + "/tokens: 9223372036854775807"});
  expect_refused(in_profile("/tokens", 1000000), {profile + "/tokens_a_cell: 2", "4096 cells at most"});
  expect_refused(in_profile("/chunk_size", 3), {profile + "/position: a list of 2; wanted: 3 entries"});
  expect_refused(in_profile("/histogram", Json::array()), {profile + "/histogram: a list of 0"});
  const Json too_many(std::vector<int>(5000, 1));
  expect_refused(in_profile("/histogram", too_many), {profile + "/histogram: a list of 5000", "at most"});
  expect_refused(in_profile("/histogram_from", "nan"), {profile + "/histogram_from: \"nan\"; wanted: a finite"});
  expect_refused(in_profile("/histogram_step", -1), {profile + "/histogram_step: -1"});
  expect_refused(with("/verdicts", Json::object()), {"/verdicts: an object; wanted: a list"});
  expect_refused(with("/verdicts/1", 5), {"/verdicts/1: 5; wanted: an object"});
  expect_refused(with("/environment/cpu", 5), {"/environment/cpu: 5; wanted: a text"});
  expect_refused(with("/summary/failed", 7), {"/summary/failed: 7; wanted: 2, which is how many there are"});
}

TEST(ReadReport, NoFieldMayBeMissing) {
  const Json report = Json::parse(good());
  for (const char* field : {"environment", "summary", "verdicts"}) {
    expect_refused(changed([&](Json& json) { json.erase(field); }), {"/: no field `" + std::string(field) + "`"});
  }
  for (const auto& [field, value] : report["verdicts"][0].items()) {
    if (field == "findings" || field == "profile" || field == "explained") continue;
    expect_refused(changed([&key = field](Json& json) { json["verdicts"][0].erase(key); }),
                   {"/verdicts/0: no field `" + field + "`"});
  }
}

TEST(ReadReport, WhatIsNotJsonIsRefused) {
  expect_refused("", {"the file is empty"});
  expect_refused("<?xml version=\"1.0\"?>", {"not JSON", "line 1"});
  expect_refused(good().substr(0, good().size() / 2), {"not JSON, or cut off", "line "});
  expect_refused(good() + "x", {"not JSON"});
  expect_refused(R"({"schema": NaN})", {"not JSON"});
  expect_refused(R"({"schema": 1e999})", {"1e999"});
  expect_refused("{\"schema\": \"\xff\"}", {"not JSON"});
  expect_refused(std::string("{\"schema\": \"\0\"}", 14), {"not JSON"});
  expect_refused("\"" + std::string(1000000, 'x'), {"not JSON"});
  expect_refused(R"({"schema": "deltaproof.report/1", "schema": "deltaproof.report/1"})", {"\"schema\" stands twice"});
}

TEST(ReadReport, DeepNestingIsRefusedWithoutAStackForIt) {
  for (const std::string& opening : {std::string("["), std::string("{\"a\":"), std::string("[{\"b\":")}) {
    std::string bomb;
    for (int i = 0; i < 100000; ++i) bomb += opening;
    expect_refused(bomb, {"nested deeper"});
    expect_refused(R"({"schema": "deltaproof.report/1", "later": )" + bomb, {"nested deeper"});
  }
}

TEST(ReadReport, FilesThatCannotBeReadAreRefusedByName) {
  std::string pattern = (fs::temp_directory_path() / "deltaproof-read-XXXXXX").string();
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  const fs::path folder = pattern;
  const auto message = [](const fs::path& file) -> std::string {
    try {
      read_report(file);
    } catch (const ReportError& error) {
      return error.what();
    }
    return "was read";
  };
  EXPECT_NE(message(folder / "none.json").find("none.json: No such file"), std::string::npos);
  EXPECT_NE(message(folder).find("it is a folder"), std::string::npos);
  EXPECT_NE(message("/dev/null").find("not a regular file"), std::string::npos);
  std::ofstream(folder / "large.json") << "x";
  fs::resize_file(folder / "large.json", (std::uintmax_t{1} << 30) + 1);  // sparse: no disk is used
  EXPECT_NE(message(folder / "large.json").find("1073741825 bytes"), std::string::npos);
  std::ofstream(folder / "good.json") << good();
  EXPECT_EQ(read_report(folder / "good.json").verdicts.size(), example_all().size());
  fs::remove_all(folder);
}

// Whatever is done to a report, it is read or refused in one line; what is read can be written again.
TEST(ReadReport, DamageIsReadOrRefused) {
  const std::string report = json_report({example_everything()}, example_environment());
  const std::string alphabet = "0123456789-+.eE\"\\{}[],:nul truefalsinf\x01\xff\xc3";
  std::mt19937 random(1);
  const auto below = [&random](std::size_t limit) { return random() % limit; };
  int read = 0, refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string damaged = report;
    if (i % 4 == 0) damaged.resize(below(damaged.size()));
    for (std::size_t edits = 1 + below(3); i % 4 != 0 && edits > 0; --edits) {
      const std::size_t at = below(damaged.size()), length = below(8);
      const char letter = alphabet[below(alphabet.size())];
      switch (below(4)) {
        case 0: damaged[at] = letter; break;
        case 1: damaged.erase(at, length); break;
        case 2: damaged.insert(at, 1, letter); break;
        default: damaged.insert(at, damaged.substr(below(damaged.size()), length)); break;
      }
    }
    try {
      const Report result = parse_report(damaged, "r.json");
      EXPECT_FALSE(json_report(result.verdicts, result.environment).empty());
      ++read;
    } catch (const ReportError& error) {
      EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(read, 100);  // the damage is not so coarse that only the JSON parser is met
  EXPECT_GT(refused, 1000);
}

// The same on the level of values: one of any place is replaced by one of another type or range.
TEST(ReadReport, AnyValueInAnyPlaceIsReadOrRefused) {
  const Json flat = Json::parse(json_report({example_everything()}, example_environment())).flatten();
  const std::vector<Json> values{nullptr, true, -1, 0, 1e300, "inf", "", Json::array(), Json::object(), {1, "x"}};
  std::size_t refused = 0;
  for (const auto& [pointer, old] : flat.items()) {
    for (const Json& value : values) {
      Json report = flat.unflatten();
      report[Json::json_pointer(pointer)] = value;
      try {
        parse_report(report.dump(), "r.json");
      } catch (const ReportError&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, flat.size() * 5);
}

}  // namespace
}  // namespace deltaproof
