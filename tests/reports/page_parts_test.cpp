// What a page is made of is refused by file, field and what was wanted.
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

#include "reports/json.hpp"
#include "reports/page.hpp"
#include "tests/reports/examples.hpp"
#include "tests/reports/report_folder.hpp"

namespace deltaproof {
namespace {

using nlohmann::json;

class PageParts : public ReportFolder {
 protected:
  /// Of `text` as `name`, with the value at `pointer` replaced.
  std::string refusal_of(const char* name, const std::string& text, const char* pointer, const json& value) {
    json document = json::parse(text);
    document[json::json_pointer(pointer)] = value;
    return refusal_of(name, document.dump());
  }
  std::string refusal_of(const char* name, const std::string& text) {
    write(folder_ / name, text);
    const std::string message = refused([&] { read_page_parts(folder_); });
    fs::remove(folder_ / name);
    return message;
  }
};

void expect_names(const std::string& message, std::initializer_list<const char*> parts) {
  for (const char* part : parts) EXPECT_NE(message.find(part), std::string::npos) << part << " in: " << message;
}

TEST_F(PageParts, AreWhatIsThere) {
  EXPECT_TRUE(read_page_parts(folder_).report.empty());
  const std::string report = json_report({example_pass(), example_failure()}, example_environment());
  write(folder_ / "report.json", report);
  write(folder_ / "claims.json", example_ledger);
  EXPECT_EQ(read_page_parts(folder_).report, report);
  EXPECT_EQ(read_page_parts(folder_).ledger, example_ledger);
  EXPECT_TRUE(read_page_parts(folder_).kill_matrix.empty());
  write(folder_ / "kill_matrix.json", example_kill_matrix);
  EXPECT_EQ(read_page_parts(folder_).kill_matrix, example_kill_matrix);
  EXPECT_TRUE(read_page_parts(folder_, "claims.json").ledger.empty());
}

TEST_F(PageParts, OfAnotherVersionAreRefused) {
  expect_names(refusal_of("kill_matrix.json", example_kill_matrix, "/schema", "deltaproof.kill_matrix/2"),
               {"kill_matrix.json", "deltaproof.kill_matrix/2", "deltaproof.kill_matrix/1"});
  expect_names(refusal_of("claims.json", example_ledger, "/schema", "deltaproof.claims/9"),
               {"claims.json", "deltaproof.claims/9", "deltaproof.claims/1"});
  expect_names(refusal_of("report.json", json_report({}, example_environment()), "/schema", "deltaproof.report/2"),
               {"report.json", "deltaproof.report/2", "deltaproof.report/1"});
  expect_names(refusal_of("claims.json", example_kill_matrix), {"claims.json", "kill matrix"});
}

TEST_F(PageParts, ThatAreDamagedAreRefused) {
  for (const char* name : {"report.json", "kill_matrix.json", "claims.json"}) {
    for (const char* text : {"", "{", "[]", "null", "{}", "\xff\xfe", "{\"schema\": 7}"}) {
      expect_names(refusal_of(name, text), {name});
    }
    fs::create_directory(folder_ / name);
    expect_names(refused([&] { read_page_parts(folder_); }), {name});
    fs::remove(folder_ / name);
  }
  const std::string& whole = example_ledger;
  for (std::size_t length = 1; length < whole.size(); length += 37) {
    expect_names(refusal_of("claims.json", whole.substr(0, length)), {"claims.json"});
  }
}

TEST_F(PageParts, FieldsOfAKillMatrixAreWhatAScriptReads) {
  const auto refusal = [&](const char* at, const json& value) {
    return refusal_of("kill_matrix.json", example_kill_matrix, at, value);
  };
  expect_names(refusal("/rows/0/id", 7), {"kill_matrix.json", "/rows/0/id", "7", "wanted"});
  expect_names(refusal("/rows/0/killed", "yes"), {"/rows/0/killed"});
  expect_names(refusal("/rows/0/cells/0/rules", json::array()), {"/rows/0/cells/0/rules", "1 rules"});
  expect_names(refusal("/rows/0/cells/0/rules/0", {1, 2}), {"/rows/0/cells/0/rules/0", "three counts"});
  expect_names(refusal("/rows/0/cells/0/rules/0/1", -1), {"/rows/0/cells/0/rules/0/1"});
  expect_names(refusal("/rows", nullptr), {"/rows"});
  expect_names(refusal("/rules/0/published", 1), {"/rules/0/published"});
}

TEST_F(PageParts, FieldsOfALedgerAreWhatAScriptReads) {
  const auto refusal = [&](const char* at, const json& value) {
    return refusal_of("claims.json", example_ledger, at, value);
  };
  expect_names(refusal("/claims/0/outcome", "perhaps"),
               {"claims.json", "/claims/0/outcome", "perhaps", "not decidable"});
  expect_names(refusal("/claims/0/paper", "kla"), {"/claims/0/paper"});
  expect_names(refusal("/claims/0/counterexample/inputs/0/value", 2), {"/claims/0/counterexample/inputs/0/value"});
  expect_names(refusal("/claims/0/cases", 1.5), {"/claims/0/cases"});
  expect_names(refusal("/assumptions/0", json::object()), {"/assumptions/0"});
  EXPECT_EQ(refusal("/claims/0/counterexample", nullptr), "");
  EXPECT_EQ(refusal("/claims/0/a_later_field", 1), "");
  EXPECT_EQ(refusal("/seed", std::numeric_limits<std::uint64_t>::max()), "");
  expect_names(refusal("/seed", "x"), {"/seed"});
}

}  // namespace
}  // namespace deltaproof
