#include "cli/arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <limits>
#include <sstream>

#include "cli/audit_options.hpp"
#include "cli/compare_options.hpp"
#include "cli/explain_options.hpp"
#include "cli/golden_options.hpp"
#include "cli/hunt_options.hpp"
#include "cli/numbers.hpp"
#include "cli/report_options.hpp"
#include "cli/shrink_options.hpp"
#include "cli/validate.hpp"
#include "kernels/built_in/capabilities.hpp"
#include "kernels/simt/schedule.hpp"
#include "reference/tensor_core.hpp"
#include "reports/text.hpp"

namespace deltaproof::cli {
namespace {

// Verdicts are kept until all are there.
constexpr std::int64_t most_cases = 100'000;

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
  ExplainOptions explain{app};
  ShrinkOptions shrink{app};
  HuntOptions hunt{app};
  GoldenOptions golden{app};
  AuditOptions audit{app};
  CompareOptions compare{app};
  ReportOptions report{app};

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
                             "rules, arithmetics, regimes, properties, defects, kernels or claims");
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
    defects_command->add_option("--report", defects.report, "Write kill_matrix.json and index.html into this folder")
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
        ->add_option("--report", check.report,
                     "Write report.json, junit.xml, summary.md, findings.sarif and index.html into this folder")
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
  constexpr std::array commands = {"check",  "explain", "shrink", "hunt",    "defects", "answer",
                                   "golden", "audit",   "report", "compare", "list"};
  const std::string known = fmt::format("it is one of {}", fmt::join(commands, ", "));
  if (argc < 2) throw UsageError(fmt::format("no command given; {}", known));
  const std::string first = argv[1];
  if (std::find(commands.begin(), commands.end(), first) != commands.end()) return;
  const bool answered = first == "--help" || first == "-h" || first == "--version";
  if (answered) return;
  throw UsageError(fmt::format("unknown {} {}; {}", first.starts_with('-') ? "option" : "command",
                               shell_quote(first),
                               first.starts_with('-') ? "options follow the command" : known.c_str()));
}

}  // namespace

const std::vector<std::string>& list_topics() {
  static const std::vector<std::string> topics{"rules",   "arithmetics", "regimes", "properties",
                                               "defects", "kernels",     "claims"};
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
    parser.check.seed = parse_seed(parser.seed);
    if (!parser.count.empty()) parser.check.kernel.count = parse_count("--cases", parser.count, 0, most_cases);
    if (!parser.only.empty())
      parser.check.kernel.only = parse_count("--only", parser.only, 0, std::numeric_limits<std::int64_t>::max());
    parser.check.kernel.timeout = parse_seconds("--timeout", parser.timeout);
    validate(parser.check);
    return parser.check;
  }
  if (parser.answer_command->parsed()) {
    validate(parser.answer);
    return parser.answer;
  }
  if (parser.defects_command->parsed()) {
    parser.defects.seed = parse_seed(parser.seed);
    if (parser.defects.report && parser.defects.report->empty()) throw UsageError("--report: no folder given");
    return parser.defects;
  }
  if (parser.explain.parsed()) return parser.explain.finish();
  if (parser.shrink.parsed()) return parser.shrink.finish();
  if (parser.hunt.parsed()) return parser.hunt.finish();
  if (parser.golden.parsed()) return parser.golden.finish();
  if (parser.audit.parsed()) return parser.audit.finish();
  if (parser.compare.parsed()) return parser.compare.finish();
  if (parser.report.parsed()) return parser.report.finish();
  validate(parser.list);
  return parser.list;
}

}  // namespace deltaproof::cli
