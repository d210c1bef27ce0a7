#include "reports/compare.hpp"

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

/// Verdicts of one key: first those of one path, in their order, then the rest in theirs.
void match(const std::vector<const Verdict*>& before, const std::vector<const Verdict*>& now, Partners& partners) {
  std::map<std::string_view, std::vector<const Verdict*>> of_path;
  for (auto old = before.rbegin(); old != before.rend(); ++old) of_path[(*old)->case_path].push_back(*old);
  std::set<const Verdict*> taken;
  for (const Verdict* verdict : now) {
    const auto found = of_path.find(verdict->case_path);
    if (found == of_path.end() || found->second.empty()) continue;
    partners[verdict] = found->second.back();
    taken.insert(found->second.back());
    found->second.pop_back();
  }
  auto next = before.begin();
  for (const Verdict* verdict : now) {
    if (partners.contains(verdict)) continue;
    while (next != before.end() && taken.contains(*next)) ++next;
    if (next == before.end()) return;
    partners[verdict] = *next++;
  }
}

int badness(Status status) {
  switch (status) {
    case Status::passed:
      return 0;
    case Status::suspect:
      return 1;
    case Status::uninformative:
    case Status::skipped:
      return 2;
    case Status::nonconforming:
      return 3;
    case Status::failed:
      return 4;
    case Status::error:
      return 5;
  }
  return 5;
}

BitsChange bits_of(const Verdict& before, const Verdict& now) {
  if (before.outputs_hash.empty() || now.outputs_hash.empty()) return BitsChange::unknown;
  return before.outputs_hash == now.outputs_hash ? BitsChange::unchanged : BitsChange::changed;
}

void add(ReportComparison& comparison, const Compared& entry) {
  comparison.entries.push_back(entry);
  ++comparison.changes[static_cast<std::size_t>(entry.change)];
  if (entry.is_new_failure()) ++comparison.new_failures;
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

const char* change_name(Change change) {
  constexpr std::array names{"same", "fixed", "regressed", "new", "gone", "not run"};
  return names[static_cast<std::size_t>(change)];
}

const char* bits_change_name(BitsChange bits) {
  constexpr std::array names{"unchanged", "changed", "unknown"};
  return names[static_cast<std::size_t>(bits)];
}

Change change_of(Status before, Status now) {
  if (before == now) return Change::same;
  if (now == Status::skipped) return Change::not_run;
  if (before == Status::skipped) return Change::added;
  if (badness(now) > badness(before)) return Change::regressed;
  return badness(now) <= badness(Status::suspect) ? Change::fixed : Change::same;
}

bool Compared::is_new_failure() const {
  return change == Change::added && badness(now->status) >= badness(Status::nonconforming);
}

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
  if (strict && comparison.count(Change::gone) + comparison.count(Change::not_run) > 0) return 1;
  return comparison.ran_twice > 0 ? 0 : 3;
}

}  // namespace deltaproof
