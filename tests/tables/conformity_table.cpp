#include "tables.hpp"

#include <fmt/format.h>

#include "kernels/recorded.hpp"
#include "properties/accuracy/accuracy.hpp"
#include "properties/accuracy/tightness.hpp"

namespace deltaproof {
namespace {

std::string number(double x) { return x > 0 ? fmt::format("{:.3g}", x) : "-"; }

std::string cells(const Tightness& t) {
  if (t.compared == 0) return "- | - | -";
  return fmt::format("{:.1f} % | {} | {}", 100 * t.unambiguous, number(t.median_slack),
                     number(t.largest_over_largest));
}

}  // namespace

void print_conformity_table() {
  fmt::print("| recording | sets | o: known to the bit | median r/e | max r / max e | states: known to the bit "
             "| median r/e | max r / max e | outside | unequal bits |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|---|\n");
  for (const CaseFile& file : recordings()) {
    const RecordedKernel kernel(file);
    const RunTightness pin = measure_pin(file.problem, kernel);
    const Verdict verdict = check_accuracy(file.problem, kernel, {});
    fmt::print("| {} | {} | {} | {} | {} | {} of {} |\n", file.path.stem().string(), pin.bound, cells(pin.o),
               cells(pin.states), pin.o.violations + pin.states.violations, verdict.conformity->bits_unequal,
               verdict.conformity->bits_compared);
  }
}

}  // namespace deltaproof
