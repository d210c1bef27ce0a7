#include "reports/compare.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

namespace deltaproof {
namespace {

using Key = std::tuple<std::string_view, std::string_view, std::string_view>;
using Groups = std::map<Key, std::vector<const Verdict*>>;

Groups grouped(const std::vector<Verdict>& verdicts) {
  Groups groups;
  for (const Verdict& verdict : verdicts) {
    groups[{verdict.case_name, verdict.kernel, verdict.property}].push_back(&verdict);
  }
  return groups;
}

using Partners = std::map<const Verdict*, const Verdict*>;  // of now: of before
using Verdicts = std::vector<const Verdict*>;

void match_rest(Verdicts before, Verdicts now, Partners& partners) {
  if (now.size() < before.size()) {
    const auto better = [](const Verdict* x, const Verdict* y) { return badness(x->status) < badness(y->status); };
    std::stable_sort(before.begin(), before.end(), better);
    std::stable_sort(now.begin(), now.end(), [&](const Verdict* x, const Verdict* y) { return better(y, x); });
  }
  for (std::size_t i = 0; i < std::min(before.size(), now.size()); ++i) partners[now[i]] = before[i];
}

/// Verdicts of one key: first those of one path, in their order, then the rest.
void match(const Verdicts& before, const Verdicts& now, Partners& partners) {
  std::map<std::string_view, Verdicts> of_path;
  for (auto old = before.rbegin(); old != before.rend(); ++old) of_path[(*old)->case_path].push_back(*old);
  std::set<const Verdict*> taken;
  Verdicts rest_before, rest;
  for (const Verdict* verdict : now) {
    const auto found = of_path.find(verdict->case_path);
    if (found == of_path.end() || found->second.empty()) {
      rest.push_back(verdict);
      continue;
    }
    partners[verdict] = found->second.back();
    taken.insert(found->second.back());
    found->second.pop_back();
  }
  std::copy_if(before.begin(), before.end(), std::back_inserter(rest_before),
               [&](const Verdict* verdict) { return !taken.contains(verdict); });
  match_rest(std::move(rest_before), std::move(rest), partners);
}

BitsChange bits_of(const Verdict& before, const Verdict& now) {
  if (before.outputs_hash.empty() || now.outputs_hash.empty()) return BitsChange::unknown;
  return before.outputs_hash == now.outputs_hash ? BitsChange::unchanged : BitsChange::changed;
}

void add(ReportComparison& comparison, const Compared& entry) {
  comparison.entries.push_back(entry);
  ++comparison.changes[static_cast<std::size_t>(entry.change)];
  comparison.new_failures += entry.is_new_failure() ? 1 : 0;
  comparison.new_doubts += entry.is_new_doubt() ? 1 : 0;
  comparison.worse_failures += entry.is_worse_failure() ? 1 : 0;
  if (entry.before == nullptr || entry.now == nullptr) return;
  ++comparison.bits[static_cast<std::size_t>(entry.bits)];
  if (entry.before->status != Status::skipped && entry.now->status != Status::skipped) ++comparison.ran_twice;
}

class Differences {
 public:
  void note(const std::string& what, const std::string& before, const std::string& now) {
    if (before != now && seen_.emplace(what, before, now).second) list_.push_back({what, before, now});
  }
  std::vector<Difference> take() { return std::move(list_); }

 private:
  std::set<std::tuple<std::string, std::string, std::string>> seen_;
  std::vector<Difference> list_;
};

std::vector<Difference> differences(const Report& before, const Report& now, const std::vector<Compared>& entries) {
  Differences found;
  found.note("deltaproof", before.environment.version, now.environment.version);
  found.note("compiler", before.environment.compiler, now.environment.compiler);
  found.note("flags", before.environment.flags, now.environment.flags);
  found.note("cpu", before.environment.cpu, now.environment.cpu);
  found.note("device", before.environment.device, now.environment.device);
  for (const Compared& entry : entries) {
    if (entry.before == nullptr || entry.now == nullptr) continue;
    const Provenance &then = entry.before->ran, &ran = entry.now->ran;
    if (then.device.empty() || ran.device.empty()) continue;  // a recorded run, or nothing ran
    const std::string of_kernel = " of " + entry.now->kernel;
    found.note("source" + of_kernel, then.source_hash, ran.source_hash);
    found.note("compiler" + of_kernel, then.compiler, ran.compiler);
    found.note("flags" + of_kernel, then.flags, ran.flags);
    found.note("device" + of_kernel, then.device, ran.device);
    found.note("driver" + of_kernel, then.driver, ran.driver);
    found.note("tensor core" + of_kernel, then.tensor_core, ran.tensor_core);
  }
  return found.take();
}

std::size_t ambiguous_in(const Groups& groups) {
  std::size_t count = 0;
  for (const auto& [key, verdicts] : groups) count += verdicts.size() > 1 ? verdicts.size() : 0;
  return count;
}

}  // namespace

ReportComparison compare_reports(const Report& before, const Report& now) {
  const Groups old_groups = grouped(before.verdicts), groups = grouped(now.verdicts);
  Partners partners;
  for (const auto& [key, verdicts] : groups) {
    const auto old = old_groups.find(key);
    if (old != old_groups.end()) match(old->second, verdicts, partners);
  }
  ReportComparison comparison;
  std::set<const Verdict*> matched;
  for (const Verdict& verdict : now.verdicts) {
    const auto partner = partners.find(&verdict);
    if (partner == partners.end()) {
      add(comparison, {nullptr, &verdict, Change::added, BitsChange::unknown});
      continue;
    }
    const Verdict& old = *partner->second;
    matched.insert(&old);
    add(comparison, {&old, &verdict, change_of(old.status, verdict.status), bits_of(old, verdict)});
  }
  for (const Verdict& verdict : before.verdicts) {
    if (!matched.contains(&verdict)) add(comparison, {&verdict, nullptr, Change::gone, BitsChange::unknown});
  }
  comparison.ambiguous = ambiguous_in(old_groups) + ambiguous_in(groups);
  comparison.differences = differences(before, now, comparison.entries);
  return comparison;
}

int exit_status(const ReportComparison& comparison, bool strict) {
  if (comparison.count(Change::regressed) + comparison.new_failures > 0) return 1;
  const std::size_t in_doubt = comparison.count(Change::gone) + comparison.count(Change::not_run) +
                               comparison.new_doubts + comparison.worse_failures;
  if (strict && in_doubt > 0) return 1;
  return comparison.ran_twice > 0 ? 0 : 3;
}

}  // namespace deltaproof
