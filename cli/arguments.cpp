#include "cli/arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <sstream>

#include "kernels/built_in/capabilities.hpp"
#include "kernels/simt/schedule.hpp"
#include "properties/laws/property.hpp"
#include "properties/regimes/families.hpp"
#include "properties/runs/run_properties.hpp"
#include "properties/runs/solve_properties.hpp"
#include "reference/problem/arithmetics.hpp"
#include "reference/tensor_core.hpp"
#include "reports/text.hpp"

namespace deltaproof::cli {
namespace {

template <class Table>
std::string names_of(const Table& table) {
  std::string names;
  for (const auto& entry : table) names += (names.empty() ? "" : ", ") + std::string(entry.name);
  return names;
}

template <class Number>
Number parse_number(const char* option, const std::string& text, const char* wanted) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) {
    throw UsageError(fmt::format("{}: {} is not {}", option, shell_quote(text), wanted));
  }
  return value;
}

double parse_sample(const std::string& text) {
  constexpr const char* wanted = "a number above 0 and at most 1";
  const auto sample = parse_number<double>("--sample", text, wanted);
  if (!(sample > 0 && sample <= 1)) {
    throw UsageError(fmt::format("--sample: {} is not {}", shell_quote(text), wanted));
  }
  return sample;
}

// Verdicts are kept until all are there.
constexpr std::int64_t most_cases = 100'000;

std::int64_t parse_count(const char* option, const std::string& text, std::int64_t least, std::int64_t most) {
  const std::string wanted = fmt::format("a whole number from {} to {}", least, most);
  const auto count = parse_number<std::int64_t>(option, text, wanted.c_str());
  if (count < least || count > most)
    throw UsageError(fmt::format("{}: {} is not {}", option, shell_quote(text), wanted));
  return count;
}

double parse_timeout(const std::string& text) {
  constexpr const char* wanted = "a number of seconds above 0 and at most 86400";
  const auto seconds = parse_number<double>("--timeout", text, wanted);
  if (!(seconds > 0 && seconds <= 86400)) {
    throw UsageError(fmt::format("--timeout: {} is not {}", shell_quote(text), wanted));
  }
  return seconds;
}

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

// Of runs, laws and the solve.
std::vector<std::string> property_names() {
  std::vector<std::string> names;
  for (const RunProperty& each : run_properties()) names.emplace_back(each.name);
  for (const Property* law : all_laws()) names.emplace_back(law->name);
  for (const SolveProperty* each : solve_properties()) {
    if (!is_run_property(each->name)) names.emplace_back(each->name);
  }
  return names;
}

void require_property(const std::string& name) {
  const std::vector<std::string> known = property_names();
  if (name == "all" || std::find(known.begin(), known.end(), name) != known.end()) return;
  throw UsageError(
      fmt::format("--property: unknown {}; known are {}, all", shell_quote(name), fmt::join(known, ", ")));
}

void validate(const KernelArguments& kernel, bool has_cases) {
  for (const std::string& name : kernel.names) {
    if (name != "all") require_name("--kernel", name, built_in_kernels(), ", all");
  }
  if (kernel.device != "host" && kernel.device != "cuda") {
    throw UsageError(fmt::format("--device: {} is neither host nor cuda", shell_quote(kernel.device)));
  }
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
  if (check.arithmetic && find_arithmetic(*check.arithmetic) == nullptr &&
      !std::filesystem::is_regular_file(*check.arithmetic)) {
    throw UsageError(fmt::format("--arithmetic: {} is neither a known arithmetic ({}) nor a file with a declaration",
                                 shell_quote(*check.arithmetic), names_of(arithmetic_table())));
  }
  if (find_tensor_core(check.tensor_core) == nullptr) {
    throw UsageError(fmt::format("--tensor-core: unknown tensor core {}; known are {}",
                                 shell_quote(check.tensor_core), names_of(tensor_core_table())));
  }
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

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// The commands as CLI11 sees them. Values are validated by us, for messages that say what
/// was wrong and what would be right.
struct Parser {
  CLI::App app{"Judges runs of linear-attention kernels against the right answer.", "deltaproof"};
  CheckArguments check;
  AnswerArguments answer;
  ListArguments list;
  DefectsArguments defects;
  std::string sample = "1", seed = "0", count, only, timeout = "30";
  CLI::App* check_command;
  CLI::App* answer_command;
  CLI::App* list_command;
  CLI::App* defects_command;

  Parser()
      : check_command(app.add_subcommand("check", "Judge recorded runs, or run a kernel and judge it")),
        answer_command(app.add_subcommand("answer", "Write the right answer of a case")),
        list_command(app.add_subcommand("list", "List what is built in")),
        defects_command(app.add_subcommand("defects", "Put known defects into a kernel: which rule sees which")) {
    app.set_version_flag("--version", "deltaproof " DELTAPROOF_VERSION);
    app.require_subcommand(1);
    app.footer(
        "Exit status: 0 passed, 1 something failed, 2 bad usage or unreadable input,\n"
        "3 something was uninformative or not judged.");
    add_check();
    answer_command->add_option("CASE", answer.case_path, "Case file (safetensors)");
    answer_command->add_option("--out", answer.out, "File to write")->type_name("FILE");
    list_command->add_option("WHAT", list.what,
                             "rules, arithmetics, regimes, properties, defects or kernels");
    add_defects();
  }

  void add_defects() {
    defects_command
        ->add_option("--kernel", defects.kernel,
                     "chunk (default), recurrent or fla-chunk, emulated to the bit; a defect with no place in it is "
                     "put into the first that has one")
        ->type_name("NAME");
    defects_command->add_option("--defect", defects.defects, "This defect alone (may be repeated; default: all)")
        ->type_name("ID");
    defects_command->add_option("--regime", defects.regimes, "Inputs of this family alone (may be repeated)")
        ->type_name("NAME");
    defects_command->add_option("--seed", seed, "Seed of the inputs and of places of defects (default 0)")
        ->type_name("S");
    defects_command->add_option("--report", defects.report, "Write kill_matrix.json into this folder")
        ->type_name("DIR");
  }

  void add_check() {
    check_command->add_option("CASE", check.cases, "Case files (safetensors)");
    check_command
        ->add_option("--arithmetic", check.arithmetic,
                     "Judge by this arithmetic (a name, or a JSON file with a declaration), not the case's")
        ->type_name("NAME|FILE");
    check_command
        ->add_option("--sample", sample,
                     "Share of sequences, heads and segments to judge (default 1)")
        ->type_name("SHARE");
    check_command->add_option("--seed", seed, "Seed of the sample, of generated cases and schedules (default 0)")
        ->type_name("S");
    check_command->add_flag("--strict", check.strict, "A suspect verdict fails");
    check_command
        ->add_option("--tensor-core", check.tensor_core,
                     "Tensor core whose accumulation is assumed: " + names_of(tensor_core_table()) +
                         " (default any: every one since Ampere; the declared order on the one it names)")
        ->type_name("NAME");
    check_command
        ->add_option("--report", check.report, "Write report.json and junit.xml into this folder")
        ->type_name("DIR");
    add_kernel_options(check.kernel);
  }

  void add_kernel_options(KernelArguments& kernel) {
    check_command
        ->add_option("--kernel", kernel.names,
                     "Run this kernel on the cases' inputs, or on generated ones: " + names_of(built_in_kernels()) +
                         ", all")
        ->type_name("NAME");
    check_command->add_option("--device", kernel.device, "Where it runs: host (default) or cuda")->type_name("NAME");
    check_command->add_option("--regime", kernel.regime, "Family of generated inputs (default typical), or all in turn")
        ->type_name("NAME");
    check_command
        ->add_option("--property", kernel.properties,
                     "Put it to this property alone (`deltaproof list properties`), or to all; default: those of "
                     "every run, and laws in turn")
        ->type_name("NAME");
    check_command->add_option("--problem", kernel.problem, "The generated problem that this text describes, alone")
        ->type_name("TEXT");
    check_command->add_option("--cases", count, "How many are generated (default: one of each rule and type)")
        ->type_name("N");
    check_command->add_option("--only", only, "Generated case I alone")->type_name("I");
    check_command
        ->add_option("--schedule", kernel.schedule,
                     "Order of threads on the host: " + names_of(schedule_table()) +
                         "; all (default): every one, with one run checked for races and bounds")
        ->type_name("NAME");
    check_command->add_flag("--against-host", kernel.against_host, "Compare a GPU's bits with the host executor's");
    check_command->add_option("--timeout", timeout, "Seconds a launch on the host may take (default 30)")
        ->type_name("S");
  }
};

/// CLI11 would only say that a subcommand is required, whatever stands in its place.
void refuse_unknown_command(int argc, const char* const* argv) {
  constexpr const char* known = "it is one of check, answer, list, defects";
  if (argc < 2) throw UsageError(fmt::format("no command given; {}", known));
  const std::string first = argv[1];
  if (first == "check" || first == "answer" || first == "list" || first == "defects") return;
  const bool answered = first == "--help" || first == "-h" || first == "--version";
  if (answered) return;
  throw UsageError(fmt::format("unknown {} {}; {}", first.starts_with('-') ? "option" : "command",
                               shell_quote(first),
                               first.starts_with('-') ? "options follow the command" : known));
}

}  // namespace

const std::vector<std::string>& list_topics() {
  static const std::vector<std::string> topics{"rules",      "arithmetics", "regimes",
                                               "properties", "defects",     "kernels"};
  return topics;
}

Command parse_arguments(int argc, const char* const* argv) {
  Parser parser;
  refuse_unknown_command(argc, argv);
  try {
    parser.app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream text, message;
    if (parser.app.exit(error, text, message) == 0) return PrintText{text.str()};
    throw UsageError(printable(first_line(error.what())));
  }
  if (parser.check_command->parsed()) {
    parser.check.sample = parse_sample(parser.sample);
    parser.check.seed = parse_number<std::uint64_t>("--seed", parser.seed, "a whole number from 0");
    if (!parser.count.empty()) parser.check.kernel.count = parse_count("--cases", parser.count, 0, most_cases);
    if (!parser.only.empty())
      parser.check.kernel.only = parse_count("--only", parser.only, 0, std::numeric_limits<std::int64_t>::max());
    parser.check.kernel.timeout = parse_timeout(parser.timeout);
    validate(parser.check);
    return parser.check;
  }
  if (parser.answer_command->parsed()) {
    validate(parser.answer);
    return parser.answer;
  }
  if (parser.defects_command->parsed()) {
    parser.defects.seed = parse_number<std::uint64_t>("--seed", parser.seed, "a whole number from 0");
    if (parser.defects.report && parser.defects.report->empty()) throw UsageError("--report: no folder given");
    return parser.defects;
  }
  validate(parser.list);
  return parser.list;
}

}  // namespace deltaproof::cli
