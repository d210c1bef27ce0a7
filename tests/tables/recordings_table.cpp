// Prints the table of docs/recordings.md: errors of the shipped recordings against their bounds.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "kernels/recorded.hpp"
#include "properties/accuracy/tightness.hpp"

namespace {

using namespace deltaproof;

std::string cells(const Tightness& t) {
  if (t.compared == 0) return "- | - | - | -";
  return fmt::format("{:.1e} | {:.3f} | {:.2g} | {:.2g}", t.relative_rms, t.largest_ratio, t.median_slack,
                     t.largest_over_largest);
}

void print_row(const std::filesystem::path& path) {
  const CaseFile file = read_case(path);
  const RecordedKernel kernel(file);
  const RunTightness t = measure_tightness(file.problem, kernel, {});
  fmt::print("| {} | {} | {} | {} | {} | {} |\n", path.stem().string(), kernel.arithmetic(), t.bound,
             cells(t.o), cells(t.states), t.o.violations + t.states.violations);
}

}  // namespace

int main() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(DELTAPROOF_SOURCE_DIR "/golden/recorded")) {
    if (entry.path().extension() == ".safetensors") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  fmt::print("| recording | arithmetic | bound | o: rms | largest e/b | median b/e | max b / max e "
             "| states: rms | largest e/b | median b/e | max b / max e | violations |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const auto& path : paths) print_row(path);
  return paths.empty() ? 1 : 0;
}
