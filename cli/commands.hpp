#pragma once

#include "cli/arguments.hpp"

namespace deltaproof::cli {

/// Each runs one command and returns the exit status. They throw InputError for input that cannot
/// be read, ReportError and OutputError for results that cannot be written.
int run_check(const CheckArguments& arguments);
int run_answer(const AnswerArguments& arguments);
int run_list(const ListArguments& arguments);
/// Throws UsageError for names that are not known.
int run_defects(const DefectsArguments& arguments);
int run_explain(const ExplainArguments& arguments);
int run_shrink(const ShrinkArguments& arguments);
int run_hunt(const HuntArguments& arguments);
int run_golden(const GoldenArguments& arguments);
/// Throws UsageError for claims that are not known.
int run_audit(const AuditArguments& arguments);
int run_compare(const CompareArguments& arguments);
int run_report(const ReportArguments& arguments);

/// The command line that judges `path` again in the same way.
std::string reproduction_line(const CheckArguments& arguments, const std::string& path);

}  // namespace deltaproof::cli
