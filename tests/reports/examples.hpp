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
