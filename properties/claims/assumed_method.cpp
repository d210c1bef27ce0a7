// What is taken to be so of the machine that judges, of models, and of what is judged.
#include "properties/claims/assumption_groups.hpp"
#include "properties/defects/catalogue.hpp"
#include "properties/defects/published_rules.hpp"
#include "properties/regimes/families.hpp"

#include <fmt/format.h>

namespace deltaproof::claims {

std::vector<Assumption> toolchain_assumptions() {
  const char* group = "toolchain";
  return {
      {group, "the compiler keeps IEEE 754", "-ffp-contract=off, no -ffast-math", "GCC and Clang manuals",
       "radii and emulated bits could be wrong in any direction",
       "docs/kernels.md: kernels from GCC and Clang have the same bits; tests/reference"},
      {group, "the CPU's double and fp32 are IEEE 754, rounding to nearest, subnormal numbers kept", "x86-64 SSE2 and AVX2",
       "IEEE 754; Intel and AMD manuals", "radii and emulated bits could be wrong in any direction",
       "docs/gpu-results.md: 62,583,417,269 results against another architecture"},
      {group, "exp and log of the C library", "2 ulp in double", "glibc manual: below 1 ulp",
       "the certificate of a double run could be too small; the run in MPFR and intervals would contradict it",
       "AssumptionA.ExpAndLogAreWithinTwoUlpInDouble"},
      {group, "GMP, MPFR and MPFI are right", "correct rounding; intervals that enclose",
       "their documentation and proofs", "a certified right answer could be wrong: verdicts in any direction",
       "docs/certificate.md: double, MPFR, MPFI and the chunk form, which share no code, agree within radii"},
      {group, "Boost.Multiprecision is right", "exact rationals (claims), numbers of MPFR, MPFI", "its documentation",
       "a claim could be held true or refuted wrongly", "false variants of each claim are refuted by the same check"},
      {group, "Eigen multiplies matrices with each sum of n terms within gamma_n", "in double, any order",
       "each element is a dot product in some order", "bounds could be too small by rounding",
       "docs/bounds.md, Evaluation: results are raised by 2^-20"},
  };
}

std::vector<Assumption> method_assumptions() {
  const char* group = "method";
  return {
      {group, "the equations of docs/semantics.md are what a kernel is meant to compute", "rule by rule",
       "the papers and the code of each rule", "a right answer to another question", "docs/semantics.md; docs/claims.md"},
      {group, "longhorn and longhorn_exact are the published rules", "not checked against the paper's text",
       "the code of others that implements them", "verdicts on these two rules are on another rule than the paper's", ""},
      {group, "proofs of LOC, ADJ, PIN, of scores and reads", "on paper",
       "docs/loc.md, docs/adj.md, docs/pin.md, docs/read-bound.md", "a correct kernel `failed`, or a bound too wide",
       "docs/false-alarms.md: correct kernels in bulk, none `failed`; tests/reference/bounds"},
      {group, "what papers print, and where", "figures, sections, equations and pages of claims",
       "reading notes of the two papers; the papers themselves were not read for the ledger",
       "a claim may be about a figure that is not printed, or stand at another place; no verdict on a kernel rests on it", ""},
      {group, "published tolerance rules", fmt::format("{} rules", published_rules().size()),
       "transcribed by hand from their sources (docs/kill-matrix.md); the sources are not run",
       "what is said of a rule is about another one; no verdict on a kernel rests on it",
       "tests/properties/defects/published_rules_test.cpp: that they compute what was transcribed"},
      {group, "roundings err independently (advisory tier)", "sub-Gaussian; false alarms below 1e-6 a verdict",
       "docs/advisory.md: a model, no theorem about kernels", "alarms on correct kernels: `suspect`, a pass unless --strict",
       "docs/false-alarms.md: 2,000 correct runs, no alarm"},
      {group, "the catalogue stands for the ways in which kernels go wrong",
       fmt::format("{} defects", defect_catalogue().size()), "docs/defects.md",
       "a defect outside it may pass; no verdict follows from the catalogue, only what is said of its power",
       "docs/mutation.md, docs/kernel-faults.md: faults that the catalogue was not made for"},
      {group, "generated inputs stand for all inputs", fmt::format("{} families", regimes().size()), "docs/regimes.md",
       "`passed` is about the inputs that were run: a kernel may fail on others",
       "docs/hunt.md, docs/fuzzing.md: searches beyond the families"},
      {group, "a recording holds what the kernel saw and returned", "inputs, options and outputs of one run",
       "docs/recording.md", "a verdict about another run; states that a recorder makes up defeat teacher forcing",
       "final_state must have the bits of the last of chunk_states; `check --kernel` needs no recording"},
      {group, "what a kernel declares of its arithmetic", "its name, or a file", "the case file",
       "nothing: that it has the declared order is what is judged; undeclared, the assumed `generic` never says `failed`",
       "docs/verdicts.md, Conformity"},
  };
}

}  // namespace deltaproof::claims
