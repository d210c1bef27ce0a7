#pragma once

#include <limits>

#include "reference/verdict.hpp"
#include "reports/environment.hpp"

namespace deltaproof {

inline Location example_location() {
  return {.tensor = "o",
          .sequence = 0,
          .token = 70,
          .chunk = 1,
          .chunk_position = 6,
          .head = 1,
          .column = 12};
}

inline ConformityReport example_conformity() {
  ConformityReport report;
  report.declaration = "the built-in fla-chunk";
  report.layout = "scan pairs instead of pieces_of_32";
  report.pin = "PIN";
  report.bits = "hopper";
  report.pin_compared = report.bits_compared = 1000;
  report.pin_unknown = 2;
  report.pin_unambiguous = 700;
  report.bits_unequal = 1;
  report.bits_first = {
      .tensor = "o", .sequence = 0, .token = 3, .chunk = 0, .chunk_position = 3, .head = 1, .column = 5};
  report.fits = {"another"};
  return report;
}

/// Of a run in which the probabilistic tier found nothing.
inline AdvisoryReport example_advisory() {
  AdvisoryReport report;
  report.units = 8;
  report.sigma_limit = 7.25;
  report.sigma_compared = 1000;
  report.sigma_largest = 4.25;
  report.sigma_worst = example_location();
  report.statistics = 42;
  return report;
}

/// Of a run in which both of its tests alarm.
inline AdvisoryReport example_alarm() {
  AdvisoryReport report = example_advisory();
  report.sigma_outside = 3;
  report.sigma_largest = 9.5;
  report.structures = {{"energy", "o", "position", 63, 5.1, 1, 2.3},
                       {"slope", "states", "all", -1, -3e-4, 1.1e-5, 9.8e-5}};
  return report;
}

inline Verdict example_pass() {
  Verdict verdict;
  verdict.case_name = "gdn";
  verdict.case_path = "runs/gdn.safetensors";
  verdict.kernel = "fla";
  verdict.arithmetic = "fla-chunk";
  verdict.property = "accuracy";
  verdict.bound = "LOC";
  verdict.status = Status::passed;
  verdict.worst_ratio = 0.4375;
  verdict.worst = example_location();
  verdict.value = 1.5;
  verdict.expected = 1.25;
  verdict.error = 0.25;
  verdict.bound_value = 0.5;
  verdict.terms = {{"state copy", 0.125}, {"output", 0.375}};
  verdict.compared = 1000;
  verdict.probes = {{"o", 0, "zeros", false}};
  verdict.conformity = example_conformity();
  verdict.advisory = example_advisory();
  verdict.outputs_hash = "abc";
  verdict.reproduce = "deltaproof check runs/gdn.safetensors";
  verdict.notes = {"eta was not used"};
  return verdict;
}

inline Verdict example_failure() {
  Verdict verdict = example_pass();
  verdict.case_name = "a longer <name> & \"quotes\"";
  verdict.status = Status::failed;
  verdict.reason = "1 value is out of bound";
  verdict.worst_ratio = std::numeric_limits<double>::infinity();
  verdict.value = -std::numeric_limits<double>::infinity();
  verdict.error = std::numeric_limits<double>::quiet_NaN();
  verdict.has_first_bad = true;
  verdict.first_bad = example_location();
  verdict.first_bad.token = 65;
  verdict.violations = 3;
  return verdict;
}

inline Verdict example_suspect() {
  Verdict verdict = example_pass();
  verdict.status = Status::suspect;
  verdict.reason = "the errors are not those of chance";
  verdict.advisory = example_alarm();
  return verdict;
}

inline Verdict example_ended(Status status, const char* reason) {
  Verdict verdict;
  verdict.case_name = "case";
  verdict.kernel = "kernel";
  verdict.property = "accuracy";
  verdict.status = status;
  verdict.reason = reason;
  return verdict;
}

inline Environment example_environment() {
  return {"1.2.3", "gcc", "-O3", "host", "cpu", "none", "2020-01-02T03:04:05Z"};
}

}  // namespace deltaproof
