// The `deltaproof` command: parses, calls, exits.
#include <exception>
#include <string>
#include <variant>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "reference/problem/input_error.hpp"
#include "reports/write.hpp"

namespace deltaproof::cli {
namespace {

constexpr int usage_status = 2;  // bad usage, unreadable input, unwritable results
constexpr int error_status = 1;

struct Run {
  int operator()(const CheckArguments& arguments) const { return run_check(arguments); }
  int operator()(const AnswerArguments& arguments) const { return run_answer(arguments); }
  int operator()(const ListArguments& arguments) const { return run_list(arguments); }
  int operator()(const DefectsArguments& arguments) const { return run_defects(arguments); }
  int operator()(const ExplainArguments& arguments) const { return run_explain(arguments); }
  int operator()(const ShrinkArguments& arguments) const { return run_shrink(arguments); }
  int operator()(const HuntArguments& arguments) const { return run_hunt(arguments); }
  int operator()(const GoldenArguments& arguments) const { return run_golden(arguments); }
  int operator()(const AuditArguments& arguments) const { return run_audit(arguments); }
  int operator()(const CompareArguments& arguments) const { return run_compare(arguments); }
  int operator()(const ReportArguments& arguments) const { return run_report(arguments); }
  int operator()(const PrintText& text) const {
    print(text.text);
    return 0;
  }
};

int run(int argc, const char* const* argv) {
  try {
    return std::visit(Run{}, parse_arguments(argc, argv));
  } catch (const UsageError& error) {
    print_error(std::string(error.what()) + " (see deltaproof --help)");
  } catch (const InputError& error) {
    print_error(error.what());
  } catch (const ReportError& error) {
    print_error(error.what());
  } catch (const OutputError& error) {
    print_error(error.what());
  } catch (const std::exception& error) {
    print_error(std::string("internal error: ") + error.what());
    return error_status;
  }
  return usage_status;
}

}  // namespace
}  // namespace deltaproof::cli

int main(int argc, char** argv) {
  deltaproof::cli::secure_standard_streams();
  return deltaproof::cli::run(argc, argv);
}
