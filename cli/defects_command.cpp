// `deltaproof defects`: which rule sees which known defect, on which inputs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "properties/defects/catalogue.hpp"
#include "properties/defects/kill_matrix_report.hpp"
#include "reports/text.hpp"
#include "reports/write.hpp"

namespace deltaproof::cli {
namespace {

// Those named, each once, in the order of the catalogue; all if none is.
template <class Entry, class Name>
std::vector<const Entry*> chosen(const std::vector<const Entry*>& all, const std::vector<std::string>& names,
                                 const char* option, const Name& name_of) {
  std::string known;
  for (const Entry* entry : all) known += fmt::format("{}{}", known.empty() ? "" : ", ", name_of(*entry));
  for (const std::string& name : names) {
    const bool found =
        std::any_of(all.begin(), all.end(), [&](const Entry* entry) { return name_of(*entry) == name; });
    if (!found) throw UsageError(fmt::format("{}: {} is not known; known are {}", option, shell_quote(name), known));
  }
  if (names.empty()) return all;
  std::vector<const Entry*> some;
  for (const Entry* entry : all) {
    if (std::find(names.begin(), names.end(), name_of(*entry)) != names.end()) some.push_back(entry);
  }
  return some;
}

}  // namespace

int run_defects(const DefectsArguments& arguments) {
  MatrixOptions options;
  options.kernel = arguments.kernel;
  const auto known = matrix_kernels();
  if (std::find(known.begin(), known.end(), options.kernel) == known.end()) {
    throw UsageError(fmt::format("--kernel: no defects are put into {}; known are {}", shell_quote(options.kernel),
                                 fmt::join(known, ", ")));
  }
  options.defects = chosen(all_defects(), arguments.defects, "--defect", [](const Defect& d) { return d.id; });
  options.regimes = chosen(all_regimes(), arguments.regimes, "--regime", [](const Regime& r) { return r.name; });
  options.seed = arguments.seed;
  constexpr const char* file = "kill_matrix.json";
  if (arguments.report) prepare_report_part(*arguments.report, file);

  Progress progress(1);
  progress.start(0, fmt::format("{} defects on {} regimes", options.defects.size(), options.regimes.size()));
  options.progress = [&](double share) { progress.update(share); };
  const KillMatrix matrix = kill_matrix(options);
  progress.clear();
  if (arguments.report) write_report_part(*arguments.report, file, json_of(matrix));
  print(text_of(matrix));
  return matrix.survivors().empty() && matrix.false_alarms().empty() ? 0 : 1;
}

}  // namespace deltaproof::cli
