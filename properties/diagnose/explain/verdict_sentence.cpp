#include <fmt/format.h>

#include "properties/diagnose/explain/explanation.hpp"

namespace deltaproof {
namespace {

std::string what_was_checked(const Verdict& verdict) {
  std::string text = fmt::format("all {} values are within {} of the right answer", verdict.compared, verdict.bound);
  if (!verdict.conformity) return text + "; no order of roundings is declared that they could be held against";
  const ConformityReport& report = *verdict.conformity;
  if (!report.pin.empty()) text += fmt::format(" and within what {} can give ({})", report.declaration, report.pin);
  if (!report.bits.empty() && report.bits_unequal == 0) {
    text += fmt::format("; all {} values that were emulated have its bits", report.bits_compared);
  }
  return text;
}

// A run that only a declared order is broken by computes the right function.
std::string of_nonconforming(const Explanation& explanation) {
  if (explanation.by == ExplainedBy::bound) return "wrong, if the kernel rounds as was assumed: " + explanation.verdict.reason;
  return "every value is within the bound of the right answer, but the kernel does not round as it declares: " +
         explanation.verdict.reason;
}

}  // namespace

std::string verdict_sentence(const Explanation& explanation) {
  const Verdict& verdict = explanation.verdict;
  switch (verdict.status) {
    case Status::passed: return "nothing is wrong: " + what_was_checked(verdict);
    case Status::failed: return "failed: " + verdict.reason;
    case Status::nonconforming: return "nonconforming: " + of_nonconforming(explanation);
    case Status::suspect:
      return "suspect: no value is out of bound, but correct kernels of this kind are hardly ever like this: " + verdict.reason;
    case Status::uninformative: return "nothing is proved: no value is out of bound, and a wrong one need not be: " + verdict.reason;
    case Status::skipped: return "nothing is proved: " + verdict.reason;
    case Status::error: return "error: " + verdict.reason;
  }
  return verdict.reason;
}

}  // namespace deltaproof
