#include "tally.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace deltaproof::campaign {
namespace {

// What kind of reason it is, without numbers and places.
std::string kind_of(const Verdict& verdict) {
  if (verdict.reason.find("would also accept wrong answers") != std::string::npos) {
    return verdict.bound + " accepts a wrong answer";
  }
  if (verdict.reason.find("have no finite bound") != std::string::npos) return verdict.bound + " is not finite";
  return verdict.reason;
}

}  // namespace

bool is_alarm(Status status) { return status != Status::passed && status != Status::uninformative; }

bool is_alarm(const Verdict& verdict) {
  const bool by_chance = verdict.advisory && (verdict.advisory->sigma_outside > 0 || !verdict.advisory->structures.empty());
  return is_alarm(verdict.status) || by_chance;
}

void Tally::add(const CorrectRun& run, const Verdict& verdict) {
  const auto as = static_cast<std::size_t>(run.judged_as);
  const std::string kernel = fmt::format("{}, {}", run.declared.text, rule_info(run.rule).name);
  for (Row* row : {&regimes_[std::string(run.regime->name)], &kernels_[kernel]}) {
    Count& count = row->by_judged_as[as];
    std::int64_t& counted = is_alarm(verdict)                     ? count.alarms
                            : verdict.status == Status::passed ? count.passed
                                                               : count.uninformative;
    ++counted;
    row->ratio = std::max(row->ratio, verdict.worst_ratio);
    if (!verdict.advisory || verdict.advisory->sigma_compared == 0) continue;
    ++row->judged_by_chance;
    row->sigma = std::max(row->sigma, verdict.advisory->sigma_largest / verdict.advisory->sigma_limit);
  }
  if (verdict.status == Status::uninformative) ++reasons_[kind_of(verdict)][as];
}

void Tally::Row::add(const Row& other) {
  for (std::size_t as = 0; as < judged_as_count; ++as) {
    by_judged_as[as].passed += other.by_judged_as[as].passed;
    by_judged_as[as].uninformative += other.by_judged_as[as].uninformative;
    by_judged_as[as].alarms += other.by_judged_as[as].alarms;
  }
  ratio = std::max(ratio, other.ratio);
  judged_by_chance += other.judged_by_chance;
  sigma = std::max(sigma, other.sigma);
}

Tally::Count Tally::Row::total() const {
  Count sum;
  for (const Count& count : by_judged_as) {
    sum.passed += count.passed;
    sum.uninformative += count.uninformative;
    sum.alarms += count.alarms;
  }
  return sum;
}

std::int64_t Tally::runs() const {
  std::int64_t sum = 0;
  for (const auto& [name, row] : regimes_) {
    const Count total = row.total();
    sum += total.passed + total.uninformative + total.alarms;
  }
  return sum;
}

std::int64_t Tally::alarms() const {
  std::int64_t sum = 0;
  for (const auto& [name, row] : regimes_) sum += row.total().alarms;
  return sum;
}

std::string Tally::table(const std::string& heading, const Rows& rows) {
  std::string text = fmt::format("| {} | runs |", heading), rule = "|---|---|";
  for (int as = 0; as < judged_as_count; ++as) {
    text += fmt::format(" {} |", judged_as_name(static_cast<JudgedAs>(as)));
    rule += "---|";
  }
  text += " alarms | of the bound | of the sigma limit |\n" + rule + "---|---|---|\n";
  const auto add_line = [&](const std::string& name, const Row& row) {
    const Count total = row.total();
    text += fmt::format("| {} | {} |", name, total.passed + total.uninformative + total.alarms);
    for (const Count& count : row.by_judged_as) {
      text += fmt::format(" {} + {} |", count.passed, count.uninformative);
    }
    const std::string sigma =
        row.judged_by_chance == 0 ? "-" : fmt::format("{:.2f} ({} runs)", row.sigma, row.judged_by_chance);
    text += fmt::format(" {} | {:.3f} | {} |\n", total.alarms, row.ratio, sigma);
  };
  Row all;
  for (const auto& [name, row] : rows) {
    add_line("`" + name + "`", row);
    all.add(row);
  }
  add_line("all", all);
  return text;
}

std::string Tally::reasons_table() const {
  std::string text = "| uninformative because |", rule = "|---|";
  for (int as = 0; as < judged_as_count; ++as) {
    text += fmt::format(" {} |", judged_as_name(static_cast<JudgedAs>(as)));
    rule += "---|";
  }
  text += "\n" + rule + "\n";
  for (const auto& [reason, counts] : reasons_) {
    text += fmt::format("| {} |", reason);
    for (const std::int64_t count : counts) text += fmt::format(" {} |", count);
    text += "\n";
  }
  return text;
}

std::string Tally::markdown() const {
  return table("inputs", regimes_) + "\n" + table("kernel, rule", kernels_) + "\n" + reasons_table();
}

}  // namespace deltaproof::campaign
