// deltaproof_claims_table prints docs/claims.md: the ledger of all claims, audited. --write PAGE writes it there; --check
// PAGE says whether PAGE is the same but for the line that says when and where it was made.

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "properties/claims/audit.hpp"
#include "reports/environment.hpp"
#include "reports/write.hpp"

namespace deltaproof {
namespace {

constexpr const char* made = "Made ";
constexpr const char* introduction =
    "# Claims\n\n"
    "Statements of two papers and of kernels' tests, each checked by computation ([how](audit.md)), with what was found. "
    "`holds`: proved for the instances or searched without a counterexample, as the claim's method says "
    "(`deltaproof audit --claim ID --report DIR` has it). What is not simply true has its counterexample below the table. "
    "`whose` says whose words a statement follows: `stated` by the source, `worked out from it`, or `a reading`, which the "
    "source need not say and may deny: a refuted reading is no accusation.\n\n";

std::string page() {
  claims::AuditOptions options;
  for (const claims::Claim& claim : claims::claim_table()) options.claims.push_back(&claim);
  const Environment here = this_environment();
  return fmt::format("{}{}{} on {}, seed {}; deltaproof {}. Written by `deltaproof_claims_table --write docs/claims.md`; a "
                     "test fails when this page no longer follows from the code.\n\n{}",
                     introduction, made, here.date, here.cpu, options.effort.seed, here.version,
                     markdown_of(audit(options)));
}

// Without the line that may differ.
std::string lasting(const std::string& text) {
  std::istringstream lines(text);
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(made)) kept += line + "\n";
  }
  return kept;
}

int check(const char* path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  std::istringstream fresh(lasting(page())), old(lasting(text.str()));
  for (std::string expected, there; std::getline(fresh, expected);) {
    if (std::getline(old, there) && there == expected) continue;
    fmt::print(stderr, "{} no longer follows from the code; deltaproof_claims_table --write {}\n  it has: {}\n  it should "
                       "have: {}\n", path, path, there, expected);
    return 1;
  }
  std::string more;
  return std::getline(old, more) ? 1 : 0;
}

}  // namespace
}  // namespace deltaproof

int main(int argc, char** argv) {
  using namespace deltaproof;
  const std::string what = argc > 1 ? argv[1] : "";
  if (argc == 1) return std::fputs(page().c_str(), stdout) < 0 ? 1 : 0;
  if (argc == 3 && what == "--check") return check(argv[2]);
  if (argc == 3 && what == "--write") {
    const std::filesystem::path path = argv[2];
    write_report_file(path.has_parent_path() ? path.parent_path() : ".", path.filename().string(), page());
    return 0;
  }
  fmt::print(stderr, "usage: deltaproof_claims_table [--check PAGE | --write PAGE]\n");
  return 2;
}
