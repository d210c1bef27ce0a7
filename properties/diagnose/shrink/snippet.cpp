#include "properties/diagnose/shrink/snippet.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>

namespace deltaproof {
namespace {

std::string line_of(const std::string& text) {
  std::string line;
  for (const unsigned char c : text) line += c >= ' ' && c < 127 ? static_cast<char>(c) : '?';
  return line;
}

// As a C++ string literal, in quotes.
std::string literal(const std::string& text) {
  std::string result(1, '"');
  for (const unsigned char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c >= ' ' && c < 127) result += static_cast<char>(c);
    else result += fmt::format("\\{:03o}", c);
  }
  return result + '"';
}

constexpr const char* kTest = R"cpp(// {what}
// {reason}
// Found by deltaproof shrink. Again: {reproduce}
// Inputs for a function of your own, in Python:
//   {python}
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "kernels/recorded.hpp"
#include "properties/runs/check_run.hpp"

// A header that defines `std::unique_ptr<deltaproof::Kernel> kernel_under_test()`: your kernel, derived from
// deltaproof::Kernel (kernels/kernel.hpp).
#ifdef KERNEL_UNDER_TEST
#include KERNEL_UNDER_TEST
#endif
#ifndef CASE_FOLDER  // where the case lies
#define CASE_FOLDER std::filesystem::path(__FILE__).parent_path()
#endif

namespace {{

deltaproof::CaseFile shrunk_case() {{ return deltaproof::read_case(std::filesystem::path(CASE_FOLDER) / {file}); }}
{recorded}
TEST({name}, KernelPasses) {{
#ifdef KERNEL_UNDER_TEST
  const deltaproof::CaseFile file = shrunk_case();
  const auto kernel = kernel_under_test();
  for (const auto& verdict : deltaproof::check_run(file.problem, *kernel, {{}})) {{
    using enum deltaproof::Status;  // so small a case may be uninformative of a right run
    EXPECT_TRUE(verdict.status == passed || verdict.status == uninformative) << verdict.property << ": " << verdict.reason;
  }}
#else
  GTEST_SKIP() << "no kernel given: compile with -DKERNEL_UNDER_TEST='\"my_kernel.hpp\"'";
#endif
}}

}}  // namespace
)cpp";

constexpr const char* kRecorded = R"cpp(
// What is recorded in the case fails as it was found: the case is whole.
TEST({name}, RecordedRunFails) {{
  const deltaproof::CaseFile file = shrunk_case();
  const auto verdict = deltaproof::check_accuracy(file.problem, deltaproof::RecordedKernel(file), {{}});
  EXPECT_EQ(deltaproof::status_name(verdict.status), std::string({status})) << verdict.reason;
}}
)cpp";

// Whether the outputs alone show it; else the kernel has to be run.
bool shows_in_outputs(const ShrunkCase& shrunk) {
  const Verdict& verdict = shrunk.smallest.verdict;
  if (verdict.property != "accuracy" || verdict.status == Status::error) return false;
  return verdict.status != Status::failed || verdict.violations > 0;
}

}  // namespace

std::string test_name(const std::string& stem) {
  std::string name;
  for (const unsigned char c : stem) name += std::isalnum(c) != 0 && c < 128 ? static_cast<char>(c) : '_';
  if (name.empty() || std::isalpha(static_cast<unsigned char>(name[0])) == 0) name = "case_" + name;
  return name;
}

std::string python_line(const Problem& problem, const std::string& file) {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : problem.tensors()) names.push_back(name);
  return fmt::format("from safetensors.torch import load_file; case = load_file({}); {} = (case[n] for n in '{}'.split())",
                     literal(file), fmt::join(names, ", "), fmt::join(names, " "));
}

std::string test_snippet(const ShrunkCase& shrunk, const SnippetNames& names) {
  const Verdict& verdict = shrunk.smallest.verdict;
  const std::string status = literal(status_name(verdict.status));
  const bool shows = shows_in_outputs(shrunk) && !names.declared_elsewhere;
  const std::string recorded =
      shows ? fmt::format(kRecorded, fmt::arg("name", names.test), fmt::arg("status", status)) : "";
  return fmt::format(kTest, fmt::arg("what", line_of(to_string(shrunk.smallest.failure))),
                     fmt::arg("reason", line_of(verdict.reason)), fmt::arg("reproduce", line_of(names.reproduce)),
                     fmt::arg("python", line_of(python_line(shrunk.smallest.run.problem, names.file))),
                     fmt::arg("file", literal(names.file)), fmt::arg("name", names.test),
                     fmt::arg("recorded", recorded));
}

}  // namespace deltaproof
