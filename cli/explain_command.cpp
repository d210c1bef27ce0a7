// `deltaproof explain`: what is wrong with a recorded run.
#include <new>

#include "cli/commands.hpp"
#include "cli/declared_case.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/reproduction.hpp"
#include "properties/diagnose/explain/explanation.hpp"
#include "reference/problem/input_error.hpp"
#include "reports/text.hpp"

namespace deltaproof::cli {
namespace {

DeclaredCase read_it(const ExplainArguments& arguments) {
  try {
    return read_declared_case(arguments.case_path, arguments.arithmetic);
  } catch (const std::bad_alloc&) {
    throw InputError(arguments.case_path + ": not enough memory to read it");
  }
}

Explanation ended(Status status, std::string reason) {
  Explanation explanation;
  explanation.verdict.property = "accuracy";
  explanation.verdict.status = status;
  explanation.verdict.reason = std::move(reason);
  return explanation;
}

Explanation explain_run(const DeclaredCase& one, const ExplainArguments& arguments) {
  const CaseFile& file = one.file;
  if (!file.outputs) return ended(Status::skipped, "the case holds no outputs: there is nothing to explain");
  Progress progress(1);
  progress.start(0, file.path.stem().string());
  ExplainOptions options;
  options.tensor_core = arguments.tensor_core;
  options.progress = [&progress](double share) { progress.update(share); };
  try {
    return explain(file.problem, *file.outputs, one.declared, options);
  } catch (const InputError&) {
    throw;
  } catch (const std::bad_alloc&) {
    return ended(Status::error, "explaining it ran out of memory");
  } catch (const std::exception& error) {
    return ended(Status::error, std::string("explaining it broke off: ") + error.what());
  }
}

// Options that judge the run as this command does.
CheckArguments check_of(const ExplainArguments& arguments) {
  CheckArguments check;
  check.arithmetic = arguments.arithmetic;
  check.tensor_core = arguments.tensor_core;
  return check;
}

void add_commands(const ExplainArguments& arguments, const CaseFile& file, Explanation& explanation) {
  explanation.reproduce = reproduction_line(check_of(arguments), arguments.case_path);
  const Status status = explanation.verdict.status;
  if (status == Status::failed || status == Status::nonconforming) {
    const std::string& path = arguments.case_path;
    std::string line = "deltaproof shrink " + quoted_path(path);
    if (arguments.arithmetic) line += " --arithmetic " + shell_quote(*arguments.arithmetic);
    explanation.next.push_back(line + " --out smaller.safetensors");
  }
  std::string names;
  for (const std::string& name : file.gradients) names += (names.empty() ? "" : ", ") + name;
  if (!names.empty()) explanation.notes.push_back("gradients are not looked at by this version: " + names);
}

}  // namespace

int run_explain(const ExplainArguments& arguments) {
  const DeclaredCase one = read_it(arguments);
  Explanation explanation = explain_run(one, arguments);
  add_commands(arguments, one.file, explanation);
  print(arguments.json ? json_of(explanation) : text_of(explanation));
  return exit_status(summarise({explanation.verdict}), false);
}

}  // namespace deltaproof::cli
