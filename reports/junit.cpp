#include "reports/junit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "reports/terminal.hpp"
#include "reports/text.hpp"

namespace deltaproof {
namespace {

/// The element inside a test case that says how it ended.
const char* element_of(Status status) {
  switch (status) {
    case Status::passed:
      return nullptr;
    case Status::failed:
    case Status::nonconforming:
      return "failure";
    case Status::error:
      return "error";
    default:
      return "skipped";
  }
}

std::string details(const Verdict& verdict) {
  std::string text;
  for (const std::string& line : explanation(verdict)) text += line + "\n";
  for (const SourceFinding& finding : verdict.findings) {
    text += fmt::format("finding    {}:{}: {}: {}\n", printable(finding.file), finding.line, printable(finding.kind),
                        printable(finding.message));
  }
  return xml_escape(text);
}

/// Names as they are shown: bytes that XML cannot hold are spelled out, or two names that differ in them would be one.
std::string class_of(const Verdict& verdict) { return printable(verdict.property) + "." + printable(verdict.kernel); }

/// Names of test cases. Dashboards take two of one class and name for one: those get their path, or else a number.
class Names {
 public:
  explicit Names(const std::vector<Verdict>& verdicts) {
    for (const Verdict& verdict : verdicts) ++count_[{class_of(verdict), printable(verdict.case_name)}];
  }
  std::string next(const Verdict& verdict) {
    const std::string of_class = class_of(verdict);
    std::string name = printable(verdict.case_name);
    if (count_[{of_class, name}] > 1 && !verdict.case_path.empty()) {
      name += fmt::format(" ({})", printable(verdict.case_path));
    }
    std::string free = name;
    for (int& same = used_[{of_class, name}]; ++same > 1;) {
      free = fmt::format("{} #{}", name, same);
      if (used_.try_emplace({of_class, free}, 1).second) break;  // somebody may have called a case so
    }
    return free;
  }

 private:
  using Key = std::pair<std::string, std::string>;
  std::map<Key, int> count_, used_;
};

std::string test_case(const Verdict& verdict, const std::string& name) {
  std::string xml = fmt::format("    <testcase classname=\"{}\" name=\"{}\"",
                                xml_escape(class_of(verdict)), xml_escape(name));
  const char* element = element_of(verdict.status);
  if (element == nullptr) return xml + "/>\n";
  const std::string status = status_name(verdict.status);
  xml += fmt::format(">\n      <{} ", element);
  if (std::string_view(element) != "skipped") xml += fmt::format("type=\"{}\" ", status);
  xml += fmt::format("message=\"{}\">{}</{}>\n    </testcase>\n",
                     xml_escape(status + ": " + verdict.reason), details(verdict), element);
  return xml;
}

/// " timestamp=.." in the form that every schema of JUnit takes, without a zone: it is UTC. Nothing if it is no date.
std::string timestamp(const std::string& date) {
  constexpr std::string_view form = "0000-00-00T00:00:00Z";
  const auto fits = [](char c, char wanted) { return wanted == '0' ? c >= '0' && c <= '9' : c == wanted; };
  if (!std::equal(date.begin(), date.end(), form.begin(), form.end(), fits)) return {};
  return fmt::format(" timestamp=\"{}\"", date.substr(0, form.size() - 1));
}

std::string properties(const Environment& environment) {
  std::string xml = "    <properties>\n";
  const auto add = [&xml](const char* name, const std::string& value) {
    xml += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, xml_escape(value));
  };
  add("deltaproof", environment.version);
  add("compiler", environment.compiler);
  add("flags", environment.flags);
  add("cpu", environment.cpu);
  add("device", environment.device);
  add("date", environment.date);
  return xml + "    </properties>\n";
}

}  // namespace

std::string junit_report(const std::vector<Verdict>& verdicts, const Environment& environment) {
  const Summary summary = summarise(verdicts);
  const std::string counts = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"", verdicts.size(),
                                         summary.failed + summary.nonconforming, summary.error);
  // No times: how long a verdict took is not known, and 0 would be a lie.
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  xml += fmt::format("<testsuites name=\"deltaproof\" {}>\n", counts);
  xml += fmt::format("  <testsuite name=\"deltaproof\" {} skipped=\"{}\"{} hostname=\"{}\">\n", counts,
                     summary.suspect + summary.uninformative + summary.skipped, timestamp(environment.date),
                     xml_escape(environment.host));
  xml += properties(environment);
  Names names(verdicts);
  for (const Verdict& verdict : verdicts) xml += test_case(verdict, names.next(verdict));
  return xml + "  </testsuite>\n</testsuites>\n";
}

}  // namespace deltaproof
