#include "cli/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/listed_properties.hpp"
#include "kernels/built_in/capabilities.hpp"
#include "kernels/simt/schedule.hpp"
#include "properties/regimes/families.hpp"
#include "reference/problem/arithmetics.hpp"
#include "reference/tensor_core.hpp"
#include "reports/text.hpp"

namespace deltaproof::cli {
namespace {

// An option of runs in a check without a kernel would be lost in silence.
void refuse_without_kernel(const KernelArguments& given) {
  const KernelArguments defaults;
  const char* option = given.device != defaults.device       ? "--device"
                       : given.regime != defaults.regime     ? "--regime"
                       : given.count                         ? "--cases"
                       : given.only                          ? "--only"
                       : given.problem                       ? "--problem"
                       : !given.properties.empty()           ? "--property"
                       : given.schedule != defaults.schedule ? "--schedule"
                       : given.against_host                  ? "--against-host"
                       : given.timeout != defaults.timeout   ? "--timeout"
                                                             : nullptr;
  if (option != nullptr) {
    throw UsageError(fmt::format("check: {} is about a kernel that is run; name one with --kernel ({}, all)", option,
                                 names_of(built_in_kernels())));
  }
}

template <class Table>
void require_name(const char* option, const std::string& name, const Table& table, const char* besides) {
  for (const auto& entry : table) {
    if (entry.name == name) return;
  }
  throw UsageError(
      fmt::format("{}: unknown {}; known are {}{}", option, shell_quote(name), names_of(table), besides));
}

void require_property(const std::string& name) {
  if (name != "all") require_name("--property", name, listed_properties(), ", all");
}

void validate(const KernelArguments& kernel, bool has_cases) {
  for (const std::string& name : kernel.names) {
    if (name != "all") require_name("--kernel", name, built_in_kernels(), ", all");
  }
  validate_device(kernel.device);
  if (kernel.regime != "all") require_name("--regime", kernel.regime, regimes(), ", all");
  for (const std::string& name : kernel.properties) require_property(name);
  if (kernel.schedule != "all") require_name("--schedule", kernel.schedule, schedule_table(), ", all");
  if (kernel.device == "cuda" && kernel.schedule != KernelArguments{}.schedule) {
    throw UsageError("--schedule: a GPU schedules its threads itself; the option is for --device host");
  }
  if (kernel.against_host && kernel.device != "cuda") {
    throw UsageError("--against-host: compares another device with the host; give --device cuda");
  }
  if (has_cases && (kernel.count || kernel.only)) {
    throw UsageError("check: --cases and --only are about generated cases; give them or case files, not both");
  }
  if (kernel.problem && (kernel.problem->empty() || kernel.problem->size() > 4096)) {
    throw UsageError("--problem: wanted a text of 1 to 4096 characters, as in --problem 'regime=resets rule=kla T=9'");
  }
  if (kernel.problem && (has_cases || kernel.count || kernel.only)) {
    throw UsageError("check: --problem is one generated problem; give it, or case files, or --cases, or --only");
  }
  if (kernel.count && kernel.only) throw UsageError("check: give --cases or --only, not both");
}

}  // namespace

void validate_kernel(const std::string& name) { require_name("--kernel", name, built_in_kernels(), ""); }

void validate_device(const std::string& name) {
  if (name == "host" || name == "cuda") return;
  throw UsageError(fmt::format("--device: {} is neither host nor cuda", shell_quote(name)));
}

void validate_arithmetic(const std::optional<std::string>& given) {
  if (!given || find_arithmetic(*given) != nullptr || std::filesystem::is_regular_file(*given)) return;
  throw UsageError(fmt::format("--arithmetic: {} is neither a known arithmetic ({}) nor a file with a declaration",
                               shell_quote(*given), names_of(arithmetic_table())));
}

void validate_tensor_core(const std::string& name) {
  if (find_tensor_core(name) != nullptr) return;
  throw UsageError(fmt::format("--tensor-core: unknown tensor core {}; known are {}", shell_quote(name),
                               names_of(tensor_core_table())));
}

void validate(const CheckArguments& check) {
  if (check.kernel.names.empty()) {
    refuse_without_kernel(check.kernel);
  } else {
    validate(check.kernel, !check.cases.empty());
    if (check.arithmetic) {
      throw UsageError("--arithmetic: a built-in kernel is judged by its own; the option is for recorded runs");
    }
  }
  if (check.cases.empty() && check.kernel.names.empty()) {
    throw UsageError(
        "check: no case given; name at least one case file, as in "
        "`deltaproof check run.safetensors`, or a kernel to run, as in `deltaproof check --kernel chunk`");
  }
  validate_arithmetic(check.arithmetic);
  validate_tensor_core(check.tensor_core);
  if (check.report && check.report->empty()) throw UsageError("--report: no folder given");
}

void validate(const AnswerArguments& answer) {
  if (answer.case_path.empty()) throw UsageError("answer: no case given");
  if (answer.out.empty()) throw UsageError("answer: no --out FILE given");
}

void validate(const ListArguments& list) {
  std::string topics;
  for (const std::string& topic : list_topics()) {
    if (topic == list.what) return;
    topics += (topics.empty() ? "" : ", ") + topic;
  }
  const std::string problem = list.what.empty() ? "list: nothing to list given"
                                                : "list: unknown topic " + shell_quote(list.what);
  throw UsageError(problem + "; known are " + topics);
}

}  // namespace deltaproof::cli
