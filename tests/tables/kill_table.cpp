// deltaproof_kill_table NAME prints one table of docs/defects.md; without a name, the names and the page. With
// --check PAGE it works out the columns of the smallest recording and says whether the page has them.

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "properties/defects/kill_rate.hpp"
#include "properties/defects/tensor_edit.hpp"

namespace deltaproof {
namespace {

constexpr std::array recording_names = {"gdn_chunk_bf16", "gdn_chunk_bf16_strong_decay", "kla_chunk_bf16_T300",
                                        "kla_trained_layer0_T512"};
constexpr std::size_t smallest = 1;  // of them
// Places that are tried: of damages to recorded outputs, of faults, which run the kernel, and of whole channels.
constexpr std::int64_t places_in_outputs = 200, places_in_kernel = 50, channels = 20, single_elements = 1000;

struct Recording {
  explicit Recording(const std::string& name)
      : file(read_case(DELTAPROOF_SOURCE_DIR "/golden/recorded/" + name + ".safetensors")), bench(file) {}
  CaseFile file;
  DefectBench bench;
};

// Percent of places, never 0 or 100 unless it is none or all.
std::string percent(std::int64_t part, std::int64_t whole) {
  if (part == 0 || part == whole) return part == 0 ? "0" : "100";
  return fmt::format("{:.0f}", std::clamp(100.0 * static_cast<double>(part) / static_cast<double>(whole), 1.0, 99.0));
}

std::string mark(const KillRate& rate, KillRule rule) {
  const std::int64_t kills = rate.kills[static_cast<std::size_t>(rule)];
  if (rate.places == 0) return "-";
  if (rate.places == 1) return kills > 0 ? "X" : ".";
  return percent(kills, rate.places);
}

using Rates = std::vector<KillRate>;  // of one defect, on each recording

std::string cell(const Rates& rates, KillRule rule) {
  std::vector<std::string> marks;
  for (const KillRate& rate : rates) marks.push_back(mark(rate, rule));
  return fmt::format("{}", fmt::join(marks, " "));
}

void print_row(std::string_view name, std::string_view stage, const Rates& rates) {
  fmt::print("| {} | {} |", name, stage);
  for (const KillRule rule : all_kill_rules) fmt::print(" {} |", cell(rates, rule));
  fmt::print("\n");
  std::fflush(stdout);
}

KillRate rate_of(const Recording& recording, const Defect& defect) {
  if (!recording.bench.why_not(defect).empty()) return {};
  const bool in_outputs = std::holds_alternative<DamageOutputs>(defect.edit);
  const std::int64_t places = in_outputs ? places_in_outputs : places_in_kernel;
  return recording.bench.rate(defect, defect.reach == Reach::one_channel ? channels : places);
}

// rates[defect][recording] on all cores.
std::vector<Rates> rates_of_all(const std::vector<const Recording*>& recordings) {
  const auto defects = recording_defects();
  std::vector<Rates> rates(defects.size(), Rates(recordings.size()));
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < defects.size() * recordings.size(); i = next++) {
      const std::size_t defect = i / recordings.size(), recording = i % recordings.size();
      rates[defect][recording] = rate_of(*recordings[recording], defects[defect]);
    }
  };
  std::vector<std::jthread> others;
  for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) others.emplace_back(work);
  work();
  others.clear();  // joins them
  return rates;
}

// The recorded outputs, and what the emulated kernel gives without a defect.
Rates controls(const std::vector<Recording>& recordings, bool emulated) {
  Rates rates;
  for (const Recording& r : recordings) {
    const Findings found = r.bench.judge(emulated ? r.bench.kernel().run() : *r.file.outputs);
    KillRate rate{.places = 1};
    for (const KillRule rule : all_kill_rules) {
      rate.kills[static_cast<std::size_t>(rule)] = found.killed_by(rule) ? 1 : 0;
    }
    rates.push_back(rate);
  }
  return rates;
}

/// What the rules make of all defects on one recording.
struct Total {
  int applicable = 0, missed = 0;
  std::array<int, all_kill_rules.size()> kills = {};
  std::string survivors;

  void add(const Defect& defect, const KillRate& rate) {
    if (rate.places == 0 || !defect.below_rounding.empty()) return;
    ++applicable;
    for (const KillRule rule : all_kill_rules) kills[static_cast<std::size_t>(rule)] += rate.killed_by(rule) ? 1 : 0;
    if (rate.killed()) return;
    ++missed;
    survivors += fmt::format("{}{}", survivors.empty() ? "" : ", ", defect.id);
    if (rate.changes_nothing == 0) return;
    survivors += fmt::format(" (no bit changes: {} %)", percent(rate.changes_nothing, rate.places));
  }
};

void print_totals(const std::vector<Total>& totals) {
  fmt::print("\n| recording | defects | LOC | PIN | 6 sigma | structured | bits | rms | rms, loose "
             "| missed by the first four together | which |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (std::size_t i = 0; i < totals.size(); ++i) {
    fmt::print("| {} | {} |", recording_names[i], totals[i].applicable);
    for (const int kills : totals[i].kills) fmt::print(" {} |", kills);
    fmt::print(" {} | {} |\n", totals[i].missed, totals[i].survivors);
  }
}

void print_kills() {
  std::vector<Recording> recordings;
  recordings.reserve(recording_names.size());  // what is made of a file keeps its address
  for (const char* name : recording_names) recordings.emplace_back(name);
  fmt::print("| defect | stage | LOC | PIN | 6 sigma | structured | bits | rms | rms, loose |\n"
             "|---|---|---|---|---|---|---|---|---|\n");
  print_row("(as recorded)", "", controls(recordings, false));
  print_row("(emulated, no defect)", "", controls(recordings, true));
  std::vector<const Recording*> all;
  for (const Recording& recording : recordings) all.push_back(&recording);
  const std::vector<Rates> rates = rates_of_all(all);
  std::vector<Total> totals(recordings.size());
  for (std::size_t n = 0; n < rates.size(); ++n) {
    const Defect& defect = recording_defects()[n];
    for (std::size_t i = 0; i < all.size(); ++i) totals[i].add(defect, rates[n][i]);
    print_row(defect.id, stage_name(defect.stage), rates[n]);
  }
  print_totals(totals);
}

// Outputs of which many elements are moved at once: what a rule says of one element does not depend on the others.
Outputs with_elements_moved(const Outputs& right, int units) {
  TensorEdit o(right, "o");
  Generator draw(1, {});
  std::set<std::size_t> moved;
  while (std::ssize(moved) < single_elements) {
    const auto at = static_cast<std::size_t>(draw.integer(0, static_cast<int>(o.all().size()) - 1));
    const bool up = draw.integer(0, 1) == 1;
    if (!moved.insert(at).second) continue;
    o.all()[at] = neighbour(right.tensors.at("o").dtype, o.all()[at], up ? units : -units);
  }
  Outputs outputs = right;
  o.write(outputs);
  return outputs;
}

void print_single_elements() {
  fmt::print("| recording | moved by | LOC | PIN | 6 sigma | bits |\n|---|---|---|---|---|---|\n");
  const auto share = [](std::int64_t count) { return 100.0 * static_cast<double>(count) / single_elements; };
  for (const char* name : recording_names) {
    const Recording recording(name);
    for (const int units : {1, 2, 4, 8}) {
      const Findings found = recording.bench.judge(with_elements_moved(*recording.file.outputs, units));
      fmt::print("| {} | {} ulp | {:.1f} % | {:.1f} % | {:.1f} % | {:.1f} % |\n", name, units,
                 share(found.outside_loc), share(found.outside_pin), share(found.outside_sigma),
                 share(found.unequal_bits));
    }
  }
}

// Marks of one recording on the page: those of each rule, in order.
std::string marks_on_page(const std::string& page, std::string_view id) {
  std::istringstream lines(page);
  const std::string start = fmt::format("| {} | ", id);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(start)) continue;
    std::istringstream cells(line);
    std::string marks, cell;
    for (int number = 0; std::getline(cells, cell, '|'); ++number) {
      std::istringstream words(cell);
      std::string word;
      for (std::size_t i = 0; number >= 3 && i <= smallest && words >> word; ++i) {
        if (i == smallest) marks += fmt::format("{} ", word);
      }
    }
    return marks;
  }
  return {};
}

int check(const char* path) {
  std::ifstream file(path);
  std::stringstream page;
  page << file.rdbuf();
  const Recording recording(recording_names[smallest]);
  const std::vector<Rates> rates = rates_of_all({&recording});
  int wrong = 0;
  for (std::size_t n = 0; n < rates.size(); ++n) {
    const Defect& defect = recording_defects()[n];
    std::string marks;
    for (const KillRule rule : all_kill_rules) marks += fmt::format("{} ", mark(rates[n][0], rule));
    const std::string written = marks_on_page(page.str(), defect.id);
    if (written == marks) continue;
    ++wrong;
    fmt::print(stderr, "{}: {} has '{}', the rules give '{}'\n", defect.id, path, written, marks);
  }
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace deltaproof

int main(int argc, char** argv) {
  using namespace deltaproof;
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "--check" && argc > 2) return check(argv[2]);
  if (what.empty()) {
    fmt::print("kills docs/defects.md\nsingle_elements docs/defects.md\n");
  } else if (what == "kills") {
    print_kills();
  } else if (what == "single_elements") {
    print_single_elements();
  } else {
    fmt::print(stderr, "deltaproof_kill_table: no table named {}\n", what);
    return 2;
  }
  return 0;
}
