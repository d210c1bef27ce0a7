#include "cli/arguments.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <filesystem>
#include <sstream>

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

void validate(const CheckArguments& check) {
  if (check.cases.empty()) {
    throw UsageError(
        "check: no case given; name at least one case file, as in "
        "`deltaproof check run.safetensors`");
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

/// The three commands as CLI11 sees them. Values are validated by us, for messages that say what
/// was wrong and what would be right.
struct Parser {
  CLI::App app{"Judges runs of linear-attention kernels against the right answer.", "deltaproof"};
  CheckArguments check;
  AnswerArguments answer;
  ListArguments list;
  std::string sample = "1", seed = "0";
  CLI::App* check_command;
  CLI::App* answer_command;
  CLI::App* list_command;

  Parser()
      : check_command(app.add_subcommand("check", "Judge recorded runs")),
        answer_command(app.add_subcommand("answer", "Write the right answer of a case")),
        list_command(app.add_subcommand("list", "List what is built in")) {
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
    check_command->add_option("--seed", seed, "Seed of the sample (default 0)")->type_name("S");
    check_command->add_flag("--strict", check.strict, "A suspect verdict fails");
    check_command
        ->add_option("--tensor-core", check.tensor_core,
                     "Tensor core whose accumulation is assumed: " + names_of(tensor_core_table()) +
                         " (default any: every one since Ampere; the declared order on the one it names)")
        ->type_name("NAME");
    check_command
        ->add_option("--report", check.report, "Write report.json and junit.xml into this folder")
        ->type_name("DIR");
  }
};

/// CLI11 would only say that a subcommand is required, whatever stands in its place.
void refuse_unknown_command(int argc, const char* const* argv) {
  constexpr const char* known = "it is one of check, answer, list";
  if (argc < 2) throw UsageError(fmt::format("no command given; {}", known));
  const std::string first = argv[1];
  if (first == "check" || first == "answer" || first == "list") return;
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
    validate(parser.check);
    return parser.check;
  }
  if (parser.answer_command->parsed()) {
    validate(parser.answer);
    return parser.answer;
  }
  validate(parser.list);
  return parser.list;
}

}  // namespace deltaproof::cli
