#include "reports/sarif.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string_view>
#include <tuple>

#include "reports/json_parts.hpp"
#include "reports/text.hpp"

namespace deltaproof {
namespace {

using json_parts::Json;

constexpr std::size_t related_shown = 10;
constexpr std::string_view help =  // GitHub shows it beside a rule, and wants one
    "Deltaproof ran the kernel on a host executor that follows every access to memory and every barrier, and met this "
    "there, whatever the values came to. The result's property `reproduce` is the command that meets it again.";

bool is_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// "out of bounds" as an identifier: "out-of-bounds".
std::string rule_id(std::string_view kind) {
  std::string id;
  for (const char c : kind) {
    if (is_alphanumeric(c)) {
      id += c;
    } else if (!id.empty() && id.back() != '-') {
      id += '-';
    }
  }
  while (!id.empty() && id.back() == '-') id.pop_back();
  return id.empty() ? "finding" : id;
}

/// A path as part of a URI: RFC 3986, 2.1, all but what needs no escape in a path's segment.
std::string uri_of(std::string_view path) {
  std::string uri;
  for (const char c : path) {
    if (is_alphanumeric(c) || std::string_view("-._~/+@").find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

/// A message in which viewers find no link: they look for [text](target) even in plain text.
Json message(std::string_view text) {
  std::string shown;
  for (const char c : printable(text)) {
    if (c == '(' && !shown.empty() && shown.back() == ']') shown += ' ';
    shown += c;
  }
  if (shown.empty()) shown.append("no message");
  return {{"text", shown}};
}

Json place(const SourceFinding& finding) {
  const std::string path = std::filesystem::path(finding.file).lexically_normal().string();
  Json artifact;
  if (path.starts_with('/')) {
    artifact["uri"] = "file://" + uri_of(path);
  } else {
    artifact["uri"] = uri_of(path);
    artifact["uriBaseId"] = "%SRCROOT%";
  }
  Json physical;
  physical["artifactLocation"] = artifact;
  if (finding.line > 0) physical["region"]["startLine"] = finding.line;
  return physical;
}

/// FNV-1a: the same finding of the next report has the same.
std::string fingerprint(const std::string& id, const SourceFinding& finding, const Verdict& verdict) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::string& part : {id, finding.file, std::to_string(finding.line), verdict.kernel}) {
    for (const char c : part + '\n') hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return fmt::format("{:016x}", hash);
}

/// The other places of the same verdict, for a race is between two.
Json related(const Verdict& verdict, const SourceFinding& finding) {
  Json list = Json::array();
  for (const SourceFinding& other : verdict.findings) {
    if (&other == &finding || other.file.empty() || list.size() == related_shown) continue;
    Json location;
    location["id"] = list.size() + 1;
    location["message"] = message(other.message);
    location["physicalLocation"] = place(other);
    list.push_back(location);
  }
  return list;
}

Json result(const std::string& id, std::size_t rule, const SourceFinding& finding, const Verdict& verdict) {
  Json json;
  json["ruleId"] = id;
  json["ruleIndex"] = rule;
  json["level"] = verdict.status == Status::passed ? "warning" : "error";
  json["message"] = message(finding.message);
  json["locations"] = Json::array({Json{{"physicalLocation", place(finding)}}});
  if (Json others = related(verdict, finding); !others.empty()) json["relatedLocations"] = std::move(others);
  json["partialFingerprints"] = {{"deltaproofFinding/v1", fingerprint(id, finding, verdict)}};
  json["occurrenceCount"] = 1;
  json["properties"] = {{"case", printable(verdict.case_name)},
                        {"kernel", printable(verdict.kernel)},
                        {"property", printable(verdict.property)},
                        {"reproduce", printable(verdict.reproduce)}};
  return json;
}

/// Rules and results, each place once: many cases meet the same race.
class Findings {
 public:
  void add(const SourceFinding& finding, const Verdict& verdict) {
    const std::string id = rule_id(finding.kind);
    const auto [rule, is_new] = index_.emplace(id, rules_.size());
    if (is_new) {
      rules_.push_back({{"id", id},
                        {"shortDescription", message(finding.kind)},
                        {"fullDescription", message("found by the checker of kernels: " + finding.kind)},
                        {"help", message(help)},
                        {"defaultConfiguration", {{"level", "error"}}}});
    }
    const auto [seen, is_first] =
        seen_.emplace(std::tuple(id, finding.file, finding.line, verdict.kernel), results_.size());
    if (is_first) {
      results_.push_back(result(id, rule->second, finding, verdict));
    } else {
      Json& count = results_[seen->second]["occurrenceCount"];
      count = count.get<std::int64_t>() + 1;
    }
  }
  const Json& rules() const { return rules_; }
  const Json& results() const { return results_; }

 private:
  Json rules_ = Json::array(), results_ = Json::array();
  std::map<std::string, std::size_t> index_;
  std::map<std::tuple<std::string, std::string, std::int64_t, std::string>, std::size_t> seen_;
};

}  // namespace

std::string sarif_report(const std::vector<Verdict>& verdicts, const Environment& environment) {
  Findings findings;
  for (const Verdict& verdict : verdicts) {
    for (const SourceFinding& finding : verdict.findings) {
      if (!finding.file.empty()) findings.add(finding, verdict);
    }
  }
  Json driver;
  driver["name"] = "deltaproof";
  driver["version"] = environment.version;
  driver["rules"] = findings.rules();
  Json run;
  run["tool"]["driver"] = driver;
  run["automationDetails"]["id"] = "deltaproof/";
  run["columnKind"] = "unicodeCodePoints";
  run["results"] = findings.results();
  Json json;
  json["$schema"] = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
  json["version"] = "2.1.0";
  json["runs"] = Json::array({run});
  return json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n";
}

}  // namespace deltaproof
