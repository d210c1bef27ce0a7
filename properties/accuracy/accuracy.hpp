#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "kernels/kernel.hpp"
#include "reference/verdict.hpp"

namespace deltaproof {

struct ComparedBlock;

struct AccuracyOptions {
  /// Generation whose accumulator is assumed. `any`: for LOC and ADJ every one since Ampere, for the declared
  /// order of roundings the one it names.
  std::string tensor_core = "any";
  bool conformity = true;           ///< hold the run against the declared order of roundings, too
  bool profile = false;             ///< fill the verdict's profile of errors, too
  bool name_fits = true;            ///< where it does not conform: search for the declarations that would fit
  double sample = 1;                ///< share of (sequence, head, segment) units judged, at least one each head
  std::uint64_t seed = 0;           ///< of the sample
  int threads = 0;                  ///< 0: all cores
  std::function<void(double)> progress;  ///< called with the share done, from any thread
  /// Called with each block that was compared with the right answer, under the hypothesis on stored rows that the
  /// verdict reports; in no order, one call at a time.
  std::function<void(const ComparedBlock&)> observe = {};
};

/// Holds a kernel's outputs against the right answer and the bound of its declared arithmetic.
/// Fills everything of the verdict but case_path and reproduce. Throws InputError for an unknown arithmetic.
Verdict check_accuracy(const Problem& problem, const Kernel& kernel, const AccuracyOptions& options);

}  // namespace deltaproof
