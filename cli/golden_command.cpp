// `deltaproof golden`: writes golden vectors, or verifies them.
#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/interruption.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "properties/golden/golden.hpp"

namespace deltaproof::cli {
namespace {

using golden::VerifiedVector;

constexpr int nothing_proved = 3;

golden::GoldenOptions options_of(Progress& progress, const Interruption& interruption) {
  progress.start(0, "golden vectors");
  golden::GoldenOptions options;
  options.progress = [&progress](double share) { progress.update(share); };
  options.stop = [&interruption] { return interruption.came(); };
  return options;
}

int write_vectors(const std::string& folder) {
  Progress progress(1);
  Interruption interruption;
  const golden::Written written =
      golden::write(folder, golden::drawn_vectors(), options_of(progress, interruption));
  progress.clear();
  interruption.pass_on();
  for (const std::string& path : written.strange) {
    print(fmt::format("note: {} is no vector of this version; delete it\n", path));
  }
  print(fmt::format("wrote {} vectors and their entries in the manifest\n", written.vectors.size()));
  return 0;
}

std::string line_of(const VerifiedVector& vector) {
  const golden::Verification& v = vector.verification;
  if (!v.wrong.empty()) return fmt::format("wrong     {}  {}  {}\n", vector.path, v.rule, v.wrong);
  const std::string alone = v.alone == 0 ? "" : fmt::format(", {} by the first route alone", v.alone);
  return fmt::format("verified  {}  {}  {} numbers, {} bits{}\n", vector.path, v.rule, v.numbers, v.bits, alone);
}

int verify_vectors(const std::string& folder) {
  Progress progress(1);
  Interruption interruption;
  const golden::Verified verified = golden::verify(folder, options_of(progress, interruption));
  progress.clear();
  interruption.pass_on();
  for (const VerifiedVector& vector : verified.vectors) print(line_of(vector));
  for (const std::string& difference : verified.differences) print(fmt::format("manifest  {}\n", difference));
  const auto wrong = std::ranges::count_if(verified.vectors,
                                           [](const VerifiedVector& v) { return !v.verification.wrong.empty(); });
  print(fmt::format("{} vectors verified, {} wrong; {} files in the manifest, {} differences\n",
                    static_cast<std::ptrdiff_t>(verified.vectors.size()) - wrong, wrong, verified.files,
                    verified.differences.size()));
  if (!verified.right()) return 1;
  return verified.vectors.empty() ? nothing_proved : 0;
}

}  // namespace

int run_golden(const GoldenArguments& arguments) {
  return arguments.action == "write" ? write_vectors(arguments.folder) : verify_vectors(arguments.folder);
}

}  // namespace deltaproof::cli
