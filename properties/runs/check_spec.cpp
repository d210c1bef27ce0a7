#include "properties/runs/check_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "kernels/bits.hpp"
#include "properties/runs/shrink.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof {
namespace {

Verdict check_law(const Property& law, const Problem& problem, const ProblemSpec& spec, const Kernel& kernel) {
  return check_property(law, {problem, kernel, law_seed(spec)});
}

// The verdicts on one property of another problem: one that makes none, or that is refused, has none that is bad.
bool is_bad_like(const Verdict& bad, const ProblemSpec& spec, const Kernel& kernel, const RunChecks& checks) try {
  const Problem problem = problem_of(spec);
  const auto alike = [&](const Verdict& other) { return other.property == bad.property && other.status == bad.status; };
  if (const Property* law = find_law(bad.property)) return alike(check_law(*law, problem, spec, kernel));
  for (const Verdict& other : check_run(problem, kernel, checks)) {
    if (alike(other)) return true;
  }
  return false;
} catch (const InputError&) {
  return false;
}

// Only the checks that one property needs.
RunChecks checks_for(const Verdict& verdict, const RunChecks& all) {
  RunChecks needed;
  needed.accuracy = all.accuracy;
  needed.accuracy.profile = false;
  if (verdict.property == "schedules") needed.schedules = all.schedules;
  if (verdict.property == "checked") needed.checked = all.checked;
  if (verdict.property == "against_host") needed.against = all.against;
  return needed;
}

// A failure that may not come back should say so. A kernel that faults has said what is wrong.
void note_differing_runs(const Problem& problem, const Kernel& kernel, Verdict& verdict) try {
  constexpr int runs = 3;
  const Outputs first = kernel.run(problem);
  for (int run = 1; run < runs; ++run) {
    const BitDifference difference = compare_bits(problem, first, kernel.run(problem));
    if (difference.unequal == 0) continue;
    verdict.notes.push_back(fmt::format(
        "the kernel is not deterministic: {} of {} values differ between two runs of this problem; what is reported "
        "may not come back",
        difference.unequal, difference.compared));
    return;
  }
} catch (const std::exception&) {
}

// Problem number `index` begins `count` laws behind the one before. After a round of all laws the next one begins a few further
// on: rules and types take turns with `index`, too, and a law should meet them all. A law that has nothing to say of
// this problem is passed over for the next.
std::size_t first_in_turn(std::uint64_t index, std::size_t count) {
  constexpr std::uint64_t shift = 5;
  const std::uint64_t round = std::max<std::size_t>(1, all_laws().size() / std::max<std::size_t>(count, 1));
  return (index % round * count + index / round * shift) % all_laws().size();
}

void add_laws_in_turn(const Problem& problem, const ProblemSpec& spec, const Kernel& kernel, std::size_t count,
                      std::vector<Verdict>& verdicts) {
  const auto all = all_laws();
  const std::size_t first = first_in_turn(spec.index, count);
  std::size_t found = 0;
  for (std::size_t i = 0; i < all.size() && found < count; ++i) {
    Verdict verdict = check_law(*all[(first + i) % all.size()], problem, spec, kernel);
    if (verdict.status == Status::skipped || verdict.status == Status::uninformative) continue;
    verdicts.push_back(std::move(verdict));
    ++found;
  }
}

SpecVerdict examined(Verdict verdict, const ProblemSpec& spec, const Problem& problem, const Kernel& kernel,
                     const SpecChecks& checks) {
  SpecVerdict result{std::move(verdict), std::nullopt, true};
  if (!is_failure(result.verdict.status)) return result;
  note_differing_runs(problem, kernel, result.verdict);
  if (checks.shrink_budget == 0) return result;
  const RunChecks needed = checks_for(result.verdict, checks.checks);
  const auto still = [&](const ProblemSpec& other) { return is_bad_like(result.verdict, other, kernel, needed); };
  Shrunk small = shrink(spec, still, checks.shrink_budget);
  result.shrunken = std::move(small.spec);
  result.smallest = small.smallest;
  return result;
}

}  // namespace

std::uint64_t law_seed(const ProblemSpec& spec) { return spec.seed * 0x9e3779b97f4a7c15 + spec.index; }

std::vector<SpecVerdict> check_spec(const ProblemSpec& spec, const Kernel& kernel, const SpecChecks& checks) {
  const Problem problem = problem_of(spec);
  std::vector<Verdict> verdicts;
  if (checks.run) verdicts = check_run(problem, kernel, checks.checks);
  for (const Property* law : checks.laws) verdicts.push_back(check_law(*law, problem, spec, kernel));
  if (kernel.refusal(problem).empty()) add_laws_in_turn(problem, spec, kernel, checks.laws_in_turn, verdicts);
  std::vector<SpecVerdict> all;
  for (Verdict& verdict : verdicts) all.push_back(examined(std::move(verdict), spec, problem, kernel, checks));
  return all;
}

}  // namespace deltaproof
