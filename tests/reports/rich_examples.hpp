#pragma once

#include <limits>
#include <string>
#include <vector>

#include "tests/reports/examples.hpp"

namespace deltaproof {

/// A name that is markup to every reader: XML, HTML, Markdown, a terminal, a shell.
inline std::string hostile_name() {
  return "<script>alert(1)</script> | `code` *bold* [x](http://e.example) @someone #1 & \"q\" 'q' \\ \n# head\n"
         "- item ]]> --> \x1b[31m \xff \xc3\xa9 <!-- ~~~ ``` <img src=x onerror=y> &lt; http://e.example $(x)";
}

inline TensorProfile example_profile() {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  TensorProfile profile;
  profile.tensor = "o";
  profile.heads = {0, 3};
  profile.tokens = 5;
  profile.tokens_a_cell = 2;
  profile.ratio = {{0.25, nan, 1e-300}, {infinity, -0.0, 0.1}};
  profile.error = {1e-3, nan, 0.0};
  profile.allowed = {2e-3, 0.5, 0.7};
  profile.chunk_size = 2;
  profile.position = {0.25, 0.125};
  profile.histogram_from = -3;
  profile.histogram_step = 0.1;
  profile.histogram = {0, 5, 9007199254740993};
  return profile;
}

/// Of a run of a kernel that was checked: every field of a verdict holds something.
inline Verdict example_everything() {
  Verdict verdict = example_failure();
  verdict.case_name = hostile_name();
  verdict.kernel = "<kernel> & co";
  verdict.property = "checked";
  verdict.conformity->has_pin_first_bad = true;
  verdict.conformity->pin_first_bad = example_location();
  verdict.conformity->missing = {"no emulation"};
  verdict.advisory = example_alarm();
  verdict.advisory->units_off = 2;
  verdict.advisory->why_units_off = "too much amplified";
  verdict.probes.push_back({"states", -1, "flipped sign", true, 4, example_location()});
  verdict.ran = {"abcdef0123456789", "gcc 12", "-O2", "host executor, schedule random, seed 0", "580", "hopper",
                 "128 threads a block"};
  verdict.compared = 9223372036854775807;
  verdict.findings = {{"race", "two warps write <one> word | of `shared` memory", "kernels/cuda/chunk.cu", 120},
                      {"deadlock", "a barrier that not all threads reach", "", 0}};
  verdict.profile = {example_profile(), {}};
  verdict.explained = {"starts at o: sequence 0", "behaves as if | <b>"};
  return verdict;
}

/// One verdict of each status, among them hostile ones, and one with everything.
inline std::vector<Verdict> example_all() {
  using enum Status;
  std::vector<Verdict> verdicts{example_pass(), example_failure(), example_suspect(), example_everything()};
  for (const Status status : {nonconforming, uninformative, skipped, error}) {
    verdicts.push_back(example_ended(status, "a <reason> | of `one` @kind & another"));
  }
  Verdict off = example_pass();
  off.advisory = AdvisoryReport{};
  off.advisory->off = "the inverse truncates";
  off.conformity = ConformityReport{};
  off.conformity->declaration = "d";
  verdicts.push_back(off);
  return verdicts;
}

}  // namespace deltaproof
