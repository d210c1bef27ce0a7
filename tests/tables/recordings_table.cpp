#include "tables.hpp"

#include <fmt/format.h>

#include "kernels/recorded.hpp"
#include "properties/accuracy/tightness.hpp"

namespace deltaproof {
namespace {

std::string cells(const Tightness& t) {
  if (t.compared == 0) return "- | - | - | -";
  return fmt::format("{:.1e} | {:.3f} | {:.2g} | {:.2g}", t.relative_rms, t.largest_ratio, t.median_slack,
                     t.largest_over_largest);
}

}  // namespace

void print_recordings_table() {
  fmt::print("| recording | arithmetic | bound | o: rms | largest e/b | median b/e | max b / max e "
             "| states: rms | largest e/b | median b/e | max b / max e | violations |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const CaseFile& file : recordings()) {
    const RecordedKernel kernel(file);
    const RunTightness t = measure_tightness(file.problem, kernel, {});
    fmt::print("| {} | {} | {} | {} | {} | {} |\n", file.path.stem().string(), kernel.arithmetic(), t.bound,
               cells(t.o), cells(t.states), t.o.violations + t.states.violations);
  }
}

}  // namespace deltaproof
