#include "properties/claims/hola_figures.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaproof::claims {
namespace {

/// To 6 places, without zeros at the end.
std::string brief(const Rational& value) {
  std::string digits = decimal(value, 6);
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.ends_with('.')) digits.pop_back();
  return digits;
}

std::string span(const Range& range) {
  return range.low == range.high ? brief(range.low) : fmt::format("{} to {}", brief(range.low), brief(range.high));
}

std::string arrow(const Figure& from, const Figure& to) { return fmt::format("{} -> {}", from.text, to.text); }

/// By how much `other` is better than the subject of the contest, as printed.
Rational lead(const Contest& contest, const Figure& other) {
  return contest.lower_is_better ? contest.subject.value - other.value : other.value - contest.subject.value;
}

struct Standing {
  int best = 0, tied = 0, worse = 0;
  std::vector<std::string> losses;
  std::optional<Counterexample> first;
};

Standing standing(const std::vector<Contest>& contests) {
  Standing result;
  for (const Contest& contest : contests) {
    const auto ahead =
        std::max_element(contest.others.begin(), contest.others.end(),
                         [&](const Figure& a, const Figure& b) { return lead(contest, a) < lead(contest, b); });
    const Rational by = lead(contest, *ahead);
    (by > 0 ? result.worse : by == 0 ? result.tied : result.best) += 1;
    if (by <= 0) continue;
    result.losses.push_back(
        fmt::format("{} against {} ({}; {})", contest.subject.text, ahead->text, contest.subject.what, ahead->what));
    if (!result.first) {
      result.first = Counterexample{{{contest.subject.what, contest.subject.text}, {ahead->what, ahead->text}},
                                    result.losses.front()};
    }
  }
  return result;
}

Result of(const Standing& standing) {
  Result result;
  result.cases = standing.best + standing.tied + standing.worse;
  result.numbers = {{"better", std::to_string(standing.best)},
                    {"equal as printed", std::to_string(standing.tied)},
                    {"worse", std::to_string(standing.worse)}};
  result.finding = fmt::format("Better in {} of {}, equal as printed in {}, worse in {}", standing.best, result.cases,
                               standing.tied, standing.worse);
  for (const std::string& loss : standing.losses)
    result.finding.append(&loss == &standing.losses.front() ? ": " : "; ").append(loss);
  result.finding.append(".");
  return result;
}

}  // namespace

Figure hola(const std::string& key) {
  Figure found = figure("hola", key);
  // Coordinates that the curves of Figure 1b are plotted from: nothing is rounded away.
  if (key.starts_with("f1_")) found.range = exactly(found.value);
  return found;
}

Derived change(const Figure& from, const Figure& to) {
  return {arrow(from, to), to.value - from.value, to.range - from.range};
}

Derived percent_change(const Figure& from, const Figure& to) {
  // 100 (to / from - 1): each figure once, so that the range is no wider than it need be.
  return {arrow(from, to) + " in percent", 100 * (to.value / from.value - 1),
          exactly(100) * (to.range / from.range - exactly(1))};
}

Derived point_change(const Figure& from, const Figure& to) {
  return {arrow(from, to) + " in points", 100 * (to.value - from.value), exactly(100) * (to.range - from.range)};
}

Derived ratio(const Figure& a, const Figure& b) {
  return {a.text + " / " + b.text, a.value / b.value, a.range / b.range};
}

Derived share_of_change(const Figure& from, const Figure& between, const Figure& to) {
  // 100 / (1 + (between - to) / (from - between)) depends on each difference once.
  const Range rest = (between.range - to.range) / (from.range - between.range);
  return {fmt::format("{} of {}, in percent", arrow(from, between), arrow(from, to)),
          100 * (from.value - between.value) / (from.value - to.value), exactly(100) / (exactly(1) + rest)};
}

Derived exact_number(const std::string& what, const Rational& value) { return {what, value, exactly(value)}; }

Check is_printed(const Derived& value, const Figure& printed_result) {
  return [=](const Effort&) { return follows(printed_result, value.value, value.range, value.what); };
}

Check is_printed(const Derived& value, const std::string& printed_result) {
  return is_printed(value, printed(printed_result));
}

Check lies_in(const Derived& value, const Range& range) {
  return [=](const Effort&) {
    Result result;
    result.cases = 1;
    const bool exact = value.range.low == value.range.high;
    result.numbers = {{value.what, brief(value.value)}, {"possible", span(value.range)}, {"stated", span(range)}};
    result.finding = fmt::format("{} is {}{}; stated: {}.", value.what, brief(value.value),
                                 exact ? "" : ", with unprinted digits " + span(value.range), span(range));
    if (range.low <= value.range.low && value.range.high <= range.high) {
      result.outcome = Outcome::holds;
      return result;
    }
    const bool never = value.range.high < range.low || value.range.low > range.high;
    result.outcome = never ? Outcome::refuted : Outcome::conditional;
    if (!never) result.condition = "the unprinted digits are such";
    const Rational outside = never ? value.value : value.range.low < range.low ? value.range.low : value.range.high;
    result.counterexample =
        Counterexample{{{value.what, brief(outside)}},
                       fmt::format("it {} {}, not {}", never ? "is" : "may be", brief(outside), span(range))};
    return result;
  };
}

Check best_in_all(const std::vector<Contest>& contests) {
  return [=](const Effort&) {
    const Standing found = standing(contests);
    Result result = of(found);
    result.outcome = found.worse == 0 ? Outcome::holds : Outcome::refuted;
    result.counterexample = found.first;
    return result;
  };
}

Check best_in_most(const std::vector<Contest>& contests) {
  return [=](const Effort&) {
    const Standing found = standing(contests);
    Result result = of(found);
    result.outcome = 2 * (found.best + found.tied) > std::ssize(contests) ? Outcome::holds : Outcome::refuted;
    if (result.outcome == Outcome::refuted) result.counterexample = found.first;
    return result;
  };
}

Check compared(const Comparison& comparison) {
  return [=](const Effort& effort) {
    std::string missing;
    for (const Needed* each : {&comparison.left, &comparison.right}) {
      if (each->key.empty()) missing.append(missing.empty() ? "" : "; ").append(each->what);
    }
    if (missing.empty()) {
      const Figure left = hola(comparison.left.key), right = hola(comparison.right.key);
      if (comparison.order == Order::same) return one_number(left, right)(effort);
      return best_in_all({{left, {right}, comparison.order == Order::at_most}})(effort);
    }
    Result result;
    result.outcome = Outcome::undecidable;
    result.finding = "By reading, not published: " + missing + ".";
    result.numbers = {{"figures in figures/hola.json, as transcribed", std::to_string(figure_keys("hola").size())}};
    return result;
  };
}

Check one_number(const Figure& a, const Figure& b) {
  return [=](const Effort&) {
    Result result;
    result.cases = 1;
    const bool possible = a.range.low <= b.range.high && b.range.low <= a.range.high;
    result.outcome = possible ? Outcome::holds : Outcome::refuted;
    result.numbers = {{a.what + " (" + a.place + ")", span(a.range)}, {b.what + " (" + b.place + ")", span(b.range)}};
    result.finding = fmt::format("{} stands for {}, {} for {}.", a.text, span(a.range), b.text, span(b.range));
    if (!possible)
      result.counterexample = Counterexample{{{a.what, a.text}, {b.what, b.text}}, "no number rounds to both"};
    return result;
  };
}

Claim figure_claim(const std::string& id, Voice voice, const std::string& place, const std::string& pages,
                   const std::string& statement, const Check& check, const std::vector<Variant>& variants) {
  return {
      id,
      {"hola", place, pages, voice},
      statement,
      "",
      "arithmetic on the figures as printed, and on all numbers that round to them (coordinates of Figure 1b are taken "
      "as they are)",
      check,
      variants};
}

}  // namespace deltaproof::claims
