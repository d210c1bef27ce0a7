// deltaproof_shrink_table prints the table of docs/shrink.md: every defect of the catalogue, in a long run that fails,
// shrunk by running the kernel and by slicing its recording. deltaproof_shrink_table CHANNELS ID .. takes K = V = CHANNELS,
// and these defects alone.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "properties/defects/catalogue.hpp"
#include "tests/properties/diagnose/shrink/defect_case.hpp"

namespace deltaproof {
namespace {

constexpr double most_seconds = 60;      // of processor time, so that nothing else on the machine counts
constexpr double patience = 600;         // by the clock

struct Shrinking {
  ShrunkCase shrunk;
  double seconds = 0;
};

Shrinking timed(RunCase run, const CaseJudge& judge) {
  const std::clock_t begin = std::clock();
  ShrinkLimits limits;
  limits.seconds = patience;
  ShrunkCase shrunk = shrink_case(std::move(run), judge, limits);
  return {std::move(shrunk), static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC};
}

std::int64_t most_chunks(const Problem& problem) {
  std::int64_t most = 0;
  for (const Sequence& s : problem.sequences()) most = std::max(most, state_count(s.length, problem.options().chunk_size));
  return most;
}

// How far it came: sequences, tokens (chunks of the longest), value heads, K x V, bytes, cases, seconds.
std::string cells(const Shrinking& s) {
  const Problem& p = s.shrunk.smallest.run.problem;
  const Dimensions& d = p.dims();
  return fmt::format("{} | {} ({}) | {} | {} x {} | {} | {} | {:.1f}{}", d.N, d.B * d.T, most_chunks(p), d.HV, d.K, d.V,
                     s.shrunk.after.bytes, s.shrunk.tried, s.seconds, s.shrunk.why_over.empty() ? "" : "+");
}

struct Counts {
  int defects = 0, by_running = 0, by_slicing = 0, either = 0;
};

bool reached(const Shrinking& s) {
  const Problem& p = s.shrunk.smallest.run.problem;
  return s.shrunk.fails() && p.dims().HV == 1 && most_chunks(p) <= 2 && s.seconds < most_seconds;
}

void print_row(const Defect& defect, std::int64_t channels, Counts& counts) {
  const std::optional<DefectCase> found = failing_case(defect, channels);
  if (!found) {
    fmt::print("| {} | none fails | | | | | | | | | | | | | | |\n", defect.id);
    return;
  }
  RunChecks checks;
  checks.accuracy.name_fits = false;
  RunCase inputs = found->run.run;
  inputs.outputs = {};
  const Shrinking run = timed(std::move(inputs), KernelJudge(*found->kernel, checks));
  std::string sliced = " | | | | | |";
  bool sliced_far = false;
  if (std::optional<RunCase> recorded = recorded_run(defect, *found)) {
    const RecordedJudge judge(found->kernel->name(), std::nullopt, checks.accuracy);
    const Shrinking s = timed(std::move(*recorded), judge);
    sliced = s.shrunk.fails() ? cells(s) : "passes | | | | | |";
    sliced_far = reached(s);
  }
  ++counts.defects;
  counts.by_running += reached(run) ? 1 : 0;
  counts.by_slicing += sliced_far ? 1 : 0;
  counts.either += reached(run) || sliced_far ? 1 : 0;
  fmt::print("| {} | {}, {} | {} | {} |\n", defect.id, found->order, to_string(run.shrunk.failure), cells(run), sliced);
  std::fflush(stdout);
}

void print_table(const std::vector<const Defect*>& defects, std::int64_t channels) {
  fmt::print("| defect | kernel, failure | run: N | tokens (chunks) | heads | K x V | bytes | tried | CPU s "
             "| recorded: N | tokens (chunks) | heads | K x V | bytes | tried | CPU s |\n"
             "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  Counts counts;
  for (const Defect* defect : defects) print_row(*defect, channels, counts);
  fmt::print("\nOf {} defects, to at most 2 chunks and 1 head in under {} s of processor time: {} by running the kernel, {} by slicing its "
             "recording, {} by one or the other.\n",
             counts.defects, most_seconds, counts.by_running, counts.by_slicing, counts.either);
}

}  // namespace
}  // namespace deltaproof

int main(int argc, char** argv) {
  using namespace deltaproof;
  const std::int64_t channels = argc > 1 ? std::atoll(argv[1]) : 0;
  if (channels < 8 || channels % 8 != 0) {
    fmt::print(stderr, "deltaproof_shrink_table: wanted the number of channels, a multiple of 8, and defects, if not all\n");
    return 2;
  }
  std::vector<const Defect*> defects;
  for (int i = 2; i < argc; ++i) {
    const Defect* defect = find_defect(argv[i]);
    if (defect == nullptr) {
      fmt::print(stderr, "deltaproof_shrink_table: no defect named {}\n", argv[i]);
      return 2;
    }
    defects.push_back(defect);
  }
  for (const Defect& defect : defect_catalogue()) {
    if (argc == 2 && defect.equivalent.empty() && defect.stage != Stage::none) defects.push_back(&defect);
  }
  print_table(defects, channels);
  return 0;
}
