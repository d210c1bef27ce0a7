// What a page is made of, refused here if a script would stumble over it later.
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <system_error>

#include "reports/json_document.hpp"
#include "reports/json_field.hpp"
#include "reports/page.hpp"
#include "reports/read_file.hpp"
#include "reports/read_report.hpp"
#include "reports/text.hpp"
#include "reports/write.hpp"

namespace deltaproof {
namespace {

namespace fs = std::filesystem;
using Field = const JsonField&;

void texts(Field json, std::initializer_list<const char*> keys) {
  for (const char* key : keys) json[key].text();
}

int check_named(Field json) {
  texts(json, {"name", "value"});
  return 0;
}

void check_cell(Field json, std::size_t rules) {
  json["regime"].text();
  const auto counts = json["rules"].list([](Field rule) {
    if (rule.list([](Field count) { return count.count(); }).size() != 3) rule.refuse("three counts");
    return 0;
  });
  if (counts.size() != rules) json["rules"].refuse(fmt::format("counts of each of {} rules", rules));
}

void check_kill_matrix(Field json) {
  json["kernel"].text();
  json["seed"].number();  // of 64 bits, more than a count may be
  const auto names = json["rules"].list([](Field rule) {
    rule["published"].boolean();
    return rule["name"].text();
  });
  const std::size_t rules = names.size();
  json["rows"].list([rules](Field row) {
    texts(row, {"id", "kernel", "survives_because"});
    row["should_survive"].boolean();
    row["killed"].boolean();
    if (row.has("sentence")) texts(row, {"stage", "class", "sentence"});
    row["cells"].list([rules](Field cell) { check_cell(cell, rules); return 0; });
    return 0;
  });
}

void check_claim(Field claim) {
  texts(claim, {"id", "place", "pages", "statement", "conditions", "method", "finding", "condition", "reproduce"});
  texts(claim["paper"], {"id", "title", "version", "date"});
  const std::string& outcome = claim["outcome"].text();
  const auto known = {"holds", "holds under a condition", "refuted", "not decidable"};
  if (std::find(known.begin(), known.end(), outcome) == known.end()) {
    claim["outcome"].refuse("holds, holds under a condition, refuted or not decidable");
  }
  if (const JsonField found = claim["counterexample"]; !found.is_null()) {
    found["inputs"].list(check_named);
    found["shows"].text();
  }
  claim["numbers"].list(check_named);
  claim["cases"].count();
}

void check_ledger(Field json) {
  json["seed"].number();
  json["claims"].list([](Field claim) { check_claim(claim); return 0; });
  if (!json.has("assumptions")) return;
  json["assumptions"].list([](Field each) { texts(each, {"what", "value", "source", "if_wrong"}); return 0; });
}

/// Empty if there is no such file.
std::string read_part(const fs::path& file) {
  std::error_code ignored;
  if (fs::symlink_status(file, ignored).type() == fs::file_type::not_found) return "";
  std::string text = read_report_file(file);
  if (text.empty()) throw ReportError(shell_quote(file.string()) + ": the file is empty");
  return text;
}

void check_part(const std::string& json, const std::string& name, const char* schema, void (*check)(Field)) {
  if (json.empty()) return;
  const nlohmann::json document = parse_json_document(json, name);
  require_schema(document, schema, name);
  check(JsonField(document, name));
}

}  // namespace

PageParts read_page_parts(const fs::path& folder, const std::string& written) {
  const auto read = [&](const char* name) { return name == written ? std::string() : read_part(folder / name); };
  PageParts parts{read("report.json"), read("kill_matrix.json"), read("claims.json")};
  if (!parts.report.empty()) parse_report(parts.report, (folder / "report.json").string());
  check_part(parts.kill_matrix, (folder / "kill_matrix.json").string(), "deltaproof.kill_matrix/1", check_kill_matrix);
  check_part(parts.ledger, (folder / "claims.json").string(), "deltaproof.claims/1", check_ledger);
  return parts;
}

}  // namespace deltaproof
