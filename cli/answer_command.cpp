#include <fmt/format.h>

#include <filesystem>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "properties/accuracy/answer.hpp"
#include "reference/problem/case_file.hpp"
#include "reports/text.hpp"

namespace deltaproof::cli {

int run_answer(const AnswerArguments& arguments) {
  const CaseFile file = read_case(arguments.case_path);
  std::error_code ignored;
  if (std::filesystem::equivalent(arguments.case_path, arguments.out, ignored)) {
    throw UsageError("answer: --out names the case file itself; choose another file");
  }
  const Safetensors answer = full_answer(file.problem, AccuracyOptions{});
  write_safetensors(arguments.out, answer);
  print(fmt::format("wrote {}: the right answer of {} in {} tensors\n", shell_quote(arguments.out),
                    shell_quote(arguments.case_path), answer.tensors.size()));
  return 0;
}

}  // namespace deltaproof::cli
