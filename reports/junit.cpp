#include "reports/junit.hpp"

#include <fmt/format.h>

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
  return xml_escape(text);
}

std::string test_case(const Verdict& verdict) {
  std::string xml = fmt::format("    <testcase classname=\"{}\" name=\"{}\"",
                                xml_escape(verdict.property + "." + verdict.kernel),
                                xml_escape(verdict.case_name));
  const char* element = element_of(verdict.status);
  if (element == nullptr) return xml + "/>\n";
  const std::string status = status_name(verdict.status);
  xml += fmt::format(">\n      <{} ", element);
  if (std::string_view(element) != "skipped") xml += fmt::format("type=\"{}\" ", status);
  xml += fmt::format("message=\"{}\">{}</{}>\n    </testcase>\n",
                     xml_escape(status + ": " + verdict.reason), details(verdict), element);
  return xml;
}

}  // namespace

std::string junit_report(const std::vector<Verdict>& verdicts, const Environment& environment) {
  const Summary summary = summarise(verdicts);
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"", verdicts.size(),
                  summary.failed + summary.nonconforming, summary.error,
                  summary.suspect + summary.uninformative + summary.skipped);
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  xml += fmt::format("<testsuites {}>\n", counts);
  xml += fmt::format("  <testsuite name=\"deltaproof\" {} timestamp=\"{}\" hostname=\"{}\">\n",
                     counts, xml_escape(environment.date), xml_escape(environment.host));
  for (const Verdict& verdict : verdicts) xml += test_case(verdict);
  return xml + "  </testsuite>\n</testsuites>\n";
}

}  // namespace deltaproof
