// `deltaproof shrink`: the smallest case that still fails in the same way, and a test of it.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <utility>

#include "cli/commands.hpp"
#include "cli/declared_case.hpp"
#include "cli/interruption.hpp"
#include "cli/kernel_devices.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/reproduction.hpp"
#include "kernels/built_in/built_in_kernel.hpp"
#include "properties/diagnose/shrink/shrunk_file.hpp"
#include "properties/diagnose/shrink/snippet.hpp"
#include "reference/problem/arithmetics.hpp"
#include "reference/problem/input_error.hpp"
#include "reports/text.hpp"
#include "reports/write.hpp"

namespace deltaproof::cli {
namespace {

namespace fs = std::filesystem;

constexpr int exit_failure = 1;
constexpr int nothing_judged = 3;

// Found before anything is judged.
void require_place(const ShrinkArguments& arguments) {
  std::error_code ignored;
  const fs::path out = arguments.out, folder = out.has_parent_path() ? out.parent_path() : fs::path(".");
  if (fs::equivalent(arguments.case_path, out, ignored)) {
    throw UsageError("shrink: --out names the case file itself; choose another file");
  }
  if (!fs::is_directory(folder, ignored)) throw InputError(folder.string() + ": no such folder to write into");
  if (!out.has_filename()) throw UsageError("shrink: --out names a folder; wanted a file");
  for (const std::string& name : {out.filename().string(), snippet_name(out)}) prepare_report_file(folder, name);
}

// The kernel and what it is put to, as `check --kernel` does.
class KernelRun {
 public:
  explicit KernelRun(const ShrinkArguments& arguments) : info_(*find_built_in_kernel(*arguments.kernel)) {
    check_.kernel.names = {*arguments.kernel};
    check_.kernel.device = arguments.device;
    check_.kernel.timeout = arguments.timeout;
  }

  bool computes_rules() const { return !info_.rules.empty(); }

  void open() {
    devices_ = open_devices(check_);
    kernel_ = std::make_unique<BuiltInKernel>(info_, devices_.main);
    for (const NamedDevice& each : devices_.schedules) {
      checks_.schedules.push_back({each.what, std::make_shared<BuiltInKernel>(info_, each.device)});
    }
    if (devices_.checked) checks_.checked = std::make_shared<BuiltInKernel>(info_, devices_.checked);
  }

  const Kernel& kernel() const { return *kernel_; }
  const RunChecks& checks() const { return checks_; }
  std::string check_line(const std::string& path, const Verdict& verdict) const {
    return with_property(check_, reproduction(check_, info_.name, quoted_path(path)), verdict);
  }

 private:
  const BuiltInInfo& info_;
  CheckArguments check_;
  KernelDevices devices_;
  std::unique_ptr<BuiltInKernel> kernel_;
  RunChecks checks_;
};

// Shows the smallest case so far; the share is that of the time.
class ShownSearch {
 public:
  ShownSearch(const ShrinkArguments& arguments, const Interruption& interruption)
      : name_(fs::path(arguments.case_path).stem().string()), seconds_(arguments.time), interruption_(interruption) {
    progress_.start(0, name_);
  }
  ~ShownSearch() { progress_.clear(); }

  ShrinkLimits limits() {
    ShrinkLimits limits;
    limits.seconds = seconds_;
    limits.stop = [this] { return interruption_.came(); };
    limits.progress = [this](const RunCase& smallest, std::int64_t tried) { show(smallest, tried); };
    return limits;
  }

 private:
  void show(const RunCase& smallest, std::int64_t tried) {
    const Dimensions& d = smallest.problem.dims();
    progress_.start(0, fmt::format("{} tried, now T {} HV {} K {} V {}", tried, d.T, d.HV, d.K, d.V));
    const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - begin_;
    progress_.update(gone.count() / seconds_);
  }

  Progress progress_{1};
  std::string name_;
  double seconds_;
  const Interruption& interruption_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

int status_of(const Verdict& verdict) { return exit_status(summarise({verdict}), false); }

int say_not_failing(const ShrinkArguments& arguments, const Verdict& verdict) {
  print(fmt::format("{}: nothing to shrink: {} is {}{}\n", shell_quote(arguments.case_path), verdict.property,
                    status_name(verdict.status), verdict.reason.empty() ? "" : ": " + printable(verdict.reason)));
  return status_of(verdict);
}

void say(const ShrinkArguments& arguments, const RunCase& before, const ShrunkCase& shrunk, const std::string& check) {
  const RunCase& after = shrunk.smallest.run;
  std::string text = fmt::format("{}: {}\n  from {}\n  to   {}\n", shell_quote(arguments.case_path),
                                 printable(to_string(shrunk.failure)), to_text(before), to_text(after));
  text += fmt::format("  {} of {} smaller cases fail in the same way{}\n", shrunk.taken, shrunk.tried,
                      shrunk.why_over.empty() ? "; none that is smaller still" : "");
  if (!shrunk.why_over.empty()) text += fmt::format("  the search ended early: {}\n", shrunk.why_over);
  for (const std::string& sentence : shrunk.kept) text += fmt::format("  {}\n", printable(sentence));
  const fs::path out = arguments.out;
  text += fmt::format("wrote {} and {}\ncheck:  {}\npython: {}\n", shell_quote(arguments.out),
                      shell_quote((out.parent_path() / snippet_name(out)).string()), check,
                      printable(python_line(after.problem, arguments.out)));
  print(text);
}

void write_all(const ShrinkArguments& arguments, const ShrunkCase& shrunk, const std::string& check) {
  const fs::path out = arguments.out;
  write_shrunk_case(out, shrunk, fs::path(arguments.case_path).filename().string());
  const bool declared_elsewhere = arguments.arithmetic && find_arithmetic(*arguments.arithmetic) == nullptr;
  const SnippetNames names{out.filename().string(), test_name(out.stem().string()), check, declared_elsewhere};
  write_report_file(out.has_parent_path() ? out.parent_path() : fs::path("."), snippet_name(out),
                    test_snippet(shrunk, names));
}

ShrunkCase search(const ShrinkArguments& arguments, RunCase run, const CaseJudge& judge, Interruption& interruption) {
  ShownSearch shown(arguments, interruption);
  return shrink_case(std::move(run), judge, shown.limits());
}

// What was found before an interruption is written; nothing smaller is nothing to write.
template <class Line>
int finish(const ShrinkArguments& arguments, const RunCase& before, const ShrunkCase& shrunk, Interruption& interruption,
           const Line& line_of) {
  if (!shrunk.fails()) return say_not_failing(arguments, shrunk.smallest.verdict);
  if (interruption.came() && shrunk.taken == 0) interruption.pass_on();
  const Verdict& verdict = shrunk.smallest.verdict;
  write_all(arguments, shrunk, line_of(fs::path(arguments.out).filename().string(), verdict));
  say(arguments, before, shrunk, line_of(arguments.out, verdict));
  interruption.pass_on();
  return status_of(verdict);
}

int shrink_run(const ShrinkArguments& arguments, const CaseFile& file, Interruption& interruption) {
  KernelRun run(arguments);
  if (!run.computes_rules()) {
    print_error(fmt::format("{} computes no rule of a case", *arguments.kernel));
    return nothing_judged;
  }
  run.open();
  const RunCase before = case_for(file, run.kernel());
  const KernelJudge judge(run.kernel(), run.checks());
  const ShrunkCase shrunk = search(arguments, before, judge, interruption);
  return finish(arguments, before, shrunk, interruption,
                [&](const std::string& path, const Verdict& verdict) { return run.check_line(path, verdict); });
}

int shrink_recorded(const ShrinkArguments& arguments, const DeclaredCase& declared, Interruption& interruption) {
  if (!declared.file.outputs) {
    print_error(fmt::format("{}: the case holds no outputs; give --kernel to run one", arguments.case_path));
    return nothing_judged;
  }
  const RunCase before = recorded_case(declared.file);
  const RecordedJudge judge(declared.file.kernel, declared.declared, AccuracyOptions{});
  const ShrunkCase shrunk = search(arguments, before, judge, interruption);
  return finish(arguments, before, shrunk, interruption, [&](const std::string& path, const Verdict&) {
    CheckArguments check;
    if (declared.declared) check.arithmetic = arguments.arithmetic;  // a name stands in the case
    return reproduction_line(check, path);
  });
}

}  // namespace

int run_shrink(const ShrinkArguments& arguments) {
  const DeclaredCase declared = read_declared_case(arguments.case_path, arguments.arithmetic);
  Interruption interruption;  // before any file is made
  require_place(arguments);
  try {
    return arguments.kernel ? shrink_run(arguments, declared.file, interruption)
                            : shrink_recorded(arguments, declared, interruption);
  } catch (const NoDevice& error) {
    print_error(error.what());
    return nothing_judged;
  } catch (const KernelError& error) {  // its library does not load
    print_error(error.what());
    return exit_failure;
  }
}

}  // namespace deltaproof::cli
