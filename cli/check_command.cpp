#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <new>

#include "cli/check_kernel.hpp"
#include "cli/commands.hpp"
#include "cli/declared_case.hpp"
#include "cli/explanations.hpp"
#include "cli/kept_profiles.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/reproduction.hpp"
#include "kernels/recorded.hpp"
#include "properties/accuracy/accuracy.hpp"
#include "reference/problem/case_file.hpp"
#include "reference/problem/input_error.hpp"
#include "reports/terminal.hpp"
#include "reports/text.hpp"
#include "reports/write.hpp"

namespace deltaproof::cli {
namespace {

/// All cases, or an exit with one line for each that cannot be read.
std::vector<DeclaredCase> read_cases(const CheckArguments& arguments) {
  std::vector<DeclaredCase> cases;
  std::vector<std::string> errors;
  const auto refused = [&errors](std::string why) {  // a declaration is refused once, not for each case
    if (std::find(errors.begin(), errors.end(), why) == errors.end()) errors.push_back(std::move(why));
  };
  for (const std::string& path : arguments.cases) {
    try {
      cases.push_back(read_declared_case(path, arguments.arithmetic));
    } catch (const InputError& error) {
      refused(error.what());
    } catch (const std::bad_alloc&) {
      refused(path + ": not enough memory to read it");
    }
  }
  if (errors.empty()) return cases;
  for (std::size_t i = 0; i + 1 < errors.size(); ++i) print_error(errors[i]);
  throw InputError(errors.back());
}

Verdict labelled(Verdict verdict, const CaseFile& file, const CheckArguments& arguments) {
  verdict.case_name = file.path.stem().string();
  verdict.case_path = file.path.string();
  verdict.kernel = file.kernel;
  verdict.arithmetic = file.problem.options().arithmetic;
  verdict.reproduce = reproduction_line(arguments, file.path.string());
  return verdict;
}

Verdict ended(const char* property, Status status, std::string reason) {
  Verdict verdict;
  verdict.property = property;
  verdict.status = status;
  verdict.reason = std::move(reason);
  return verdict;
}

Verdict judge_accuracy(const DeclaredCase& one, const AccuracyOptions& options) {
  const CaseFile& file = one.file;
  if (!file.outputs) {
    return ended("accuracy", Status::skipped, "the case holds no outputs: nothing to judge");
  }
  try {
    return check_accuracy(file.problem, RecordedKernel(file, one.declared), options);
  } catch (const InputError&) {
    throw;
  } catch (const std::bad_alloc&) {
    return ended("accuracy", Status::error, "the check ran out of memory");
  } catch (const std::exception& error) {
    return ended("accuracy", Status::error, std::string("the check broke off: ") + error.what());
  }
}

std::string gradient_reason(const CaseFile& file) {
  std::string names;
  for (const std::string& name : file.gradients) names += (names.empty() ? "" : ", ") + name;
  return "gradients are not judged by this version: " + names;
}

}  // namespace

std::string reproduction_line(const CheckArguments& arguments, const std::string& path) {
  std::string line = "deltaproof check " + quoted_path(path);
  const CheckArguments defaults;
  if (arguments.arithmetic) line += " --arithmetic " + shell_quote(*arguments.arithmetic);
  if (arguments.sample < 1)
    line += fmt::format(" --sample {} --seed {}", arguments.sample, arguments.seed);
  if (arguments.tensor_core != defaults.tensor_core)
    line += " --tensor-core " + shell_quote(arguments.tensor_core);
  if (arguments.strict) line += " --strict";
  return line;
}

namespace {

std::string explain_line(const CheckArguments& arguments, const CaseFile& file) {
  std::string line = "deltaproof explain " + quoted_path(file.path.string());
  if (arguments.arithmetic) line += " --arithmetic " + shell_quote(*arguments.arithmetic);
  if (arguments.tensor_core != CheckArguments().tensor_core) line += " --tensor-core " + shell_quote(arguments.tensor_core);
  return line;
}

std::vector<Verdict> judge_recorded(const CheckArguments& arguments, const std::vector<DeclaredCase>& cases) {
  Progress progress(cases.size());
  AccuracyOptions options;
  options.tensor_core = arguments.tensor_core;
  options.sample = arguments.sample;
  options.seed = arguments.seed;
  options.profile = arguments.report.has_value();
  options.progress = [&progress](double share) { progress.update(share); };

  std::vector<Verdict> verdicts;
  KeptProfiles profiles;
  Explanations explanations(arguments);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const CaseFile& file = cases[i].file;
    progress.start(i, file.path.stem().string());
    verdicts.push_back(labelled(judge_accuracy(cases[i], options), file, arguments));
    profiles.look_at(verdicts);
    explanations.explain(file.problem, [&file] { return *file.outputs; }, cases[i].declared, explain_line(arguments, file),
                         verdicts.back());
    if (!file.gradients.empty()) {
      verdicts.push_back(
          labelled(ended("gradients", Status::skipped, gradient_reason(file)), file, arguments));
    }
  }
  progress.clear();
  return verdicts;
}

std::vector<Verdict> run_and_judge(const CheckArguments& arguments, std::vector<DeclaredCase> cases) {
  std::vector<CaseFile> files;
  for (DeclaredCase& each : cases) files.push_back(std::move(each.file));
  std::vector<Verdict> verdicts = check_kernels(arguments, files);
  for (const CaseFile& file : files) {
    if (file.gradients.empty()) continue;
    verdicts.push_back(labelled(ended("gradients", Status::skipped, gradient_reason(file)), file, arguments));
  }
  return verdicts;
}

}  // namespace

int run_check(const CheckArguments& arguments) {
  std::vector<DeclaredCase> cases = read_cases(arguments);
  if (arguments.report) prepare_report_folder(*arguments.report);
  const std::vector<Verdict> verdicts = arguments.kernel.names.empty() ? judge_recorded(arguments, cases)
                                                                       : run_and_judge(arguments, std::move(cases));
  if (arguments.report) write_reports(*arguments.report, verdicts, environment_of(verdicts));
  print(terminal_report(verdicts, colour_wanted()));
  print(against_host_line(verdicts));
  return exit_status(summarise(verdicts), arguments.strict);
}

}  // namespace deltaproof::cli
