// Writes reports for the readers of others that the Python tests beside it ask: write_samples DIR.
#include <filesystem>
#include <fstream>
#include <iostream>

#include "reports/json.hpp"
#include "reports/junit.hpp"
#include "reports/markdown.hpp"
#include "reports/sarif.hpp"
#include "tests/reports/rich_examples.hpp"

namespace deltaproof {
namespace {

Verdict failure_number(int number) {
  Verdict verdict = example_everything();
  verdict.case_name = "case " + std::to_string(number);
  verdict.findings[0].line = number;
  verdict.explained.assign(60, hostile_name() + hostile_name());
  return verdict;
}

/// No value is out of its bound, and yet it is known where it starts to be wrong.
Verdict within_bounds() {
  Verdict verdict = example_failure();
  verdict.status = Status::nonconforming;
  verdict.violations = 0;
  verdict.worst_ratio = 0.25;
  return verdict;
}

/// Something other than a value is wrong, and no place is known.
Verdict failed_without_a_place() {
  Verdict verdict = within_bounds();
  verdict.status = Status::failed;
  verdict.has_first_bad = false;
  verdict.conformity.reset();
  return verdict;
}

/// Longer names and texts than anybody would read.
Verdict endless() {
  Verdict verdict = example_everything();
  for (std::string* text : {&verdict.case_name, &verdict.kernel, &verdict.property, &verdict.reason, &verdict.bound,
                            &verdict.reproduce, &verdict.worst.tensor}) {
    *text = std::string(800, '`') + std::string(800, '\xff');
  }
  verdict.findings.assign(20, {verdict.reason, verdict.reason, verdict.reason, 1});
  verdict.explained.assign(60, verdict.reason);
  return verdict;
}

/// Verdicts whose every text is one that could be taken for markup.
std::vector<Verdict> hostile() {
  std::vector<Verdict> verdicts;
  for (const std::string& name : {hostile_name(), std::string("``"), std::string(" "), std::string("a\n\n# b"),
                                  std::string("](http://e.example)"), std::string("x\\"), std::string("~~~")}) {
    for (const Status status : {Status::failed, Status::suspect, Status::uninformative}) {
      Verdict verdict = example_everything();
      verdict.status = status;
      verdict.case_name = verdict.kernel = verdict.property = verdict.reason = verdict.bound = name;
      verdict.case_path = verdict.reproduce = verdict.worst.tensor = verdict.first_bad.tensor = name;
      verdict.findings = {{name, name, name, 3}, {name, name, "", 0}, {name, name, "/abs/" + name, 0}};
      verdict.explained.assign(status == Status::failed ? 2 : 0, name);
      verdict.notes = {name};
      verdicts.push_back(verdict);
    }
  }
  return verdicts;
}

}  // namespace
}  // namespace deltaproof

int main(int argc, char** argv) {
  using namespace deltaproof;
  if (argc != 2) return 2;
  const std::filesystem::path folder = argv[1];
  std::vector<Verdict> many(30, example_pass());
  for (int i = 0; i < 200; ++i) many.push_back(failure_number(i));
  const std::vector<std::pair<std::string, std::vector<Verdict>>> samples{
      {"all", example_all()}, {"empty", {}}, {"passed", {example_pass()}}, {"hostile", hostile()},
      {"many", many},         {"endless", std::vector<Verdict>(30, endless())},
      {"within", {within_bounds()}},
      {"elsewhere", {failed_without_a_place()}}};
  Environment environment = example_environment();
  for (const auto& [name, verdicts] : samples) {
    if (name == "hostile") environment.version = environment.compiler = environment.host = hostile_name();
    std::ofstream(folder / (name + ".json"), std::ios::binary) << json_report(verdicts, environment);
    std::ofstream(folder / (name + ".xml"), std::ios::binary) << junit_report(verdicts, environment);
    std::ofstream(folder / (name + ".md"), std::ios::binary) << markdown_summary(verdicts, environment);
    std::ofstream(folder / (name + ".sarif"), std::ios::binary) << sarif_report(verdicts, environment);
  }
  return 0;
}
