#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "properties/diagnose/explain/explanation.hpp"
#include "reports/text.hpp"

namespace deltaproof {
namespace {

/// Lines under a label, the label on the first.
class Lines {
 public:
  void add(const char* label, const std::string& line) {
    text_ += fmt::format("    {:<11}{}\n", last_ == label ? "" : label, printable(line));
    last_ = label;
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_, last_;
};

std::string share_text(double share) {
  // Not 100 where something is left.
  const double percent = share < 1 ? std::min(100 * share, 99.99) : 100;
  return fmt::format("{:.4g} %", percent);
}

void add_places(const Explanation& e, Lines& lines) {
  const auto add = [&](const char* label, const BrokenTerms& broken) {
    lines.add(label, to_string(broken.where));
    lines.add(label, fmt::format("value {}, {} {}, error {}, allowed {}", number_text(broken.value, 9),
                                 e.by == ExplainedBy::bound ? "expected" : "of the declared order", number_text(broken.expected, 9),
                                 number_text(broken.error), number_text(broken.allowed)));
  };
  if (e.first) add("starts", *e.first);
  if (!e.first && e.verdict.has_first_bad) lines.add("starts", to_string(e.verdict.first_bad));
  if (e.worst && to_string(e.worst->where) != to_string(e.first->where)) add("worst", *e.worst);
}

void add_stage(const Explanation& e, Lines& lines) {
  const StageFinding& stage = e.stage;
  if (stage.coarse == FailureStage::none || (stage.stage.empty() && stage.candidates.empty())) return;
  if (!stage.stage.empty()) {
    lines.add("stage", stage.stage);
  } else {
    lines.add("stage", fmt::format("{}: they cannot be told apart from these outputs", fmt::join(stage.candidates, " or ")));
  }
  for (const std::string& sentence : stage.because) lines.add("stage", "- " + sentence);
  if (!stage.would_tell.empty()) lines.add("stage", "would tell: " + stage.would_tell);
}

void add_spread(const Explanation& e, Lines& lines) {
  for (const TensorSpread& spread : e.spread) {
    if (spread.bad == 0) {
      lines.add("spread", fmt::format("{}: none of {} values", spread.tensor, spread.judged));
      continue;
    }
    lines.add("spread", fmt::format("{}: {} of {} values", spread.tensor, spread.bad, spread.judged));
    std::string words;
    for (const AxisSpread& axis : spread.axes) {
      if (!axis.words.empty()) words += (words.empty() ? "" : "; ") + axis.words;
    }
    if (!words.empty()) lines.add("spread", "  " + words);
    for (const std::string& pattern : spread.patterns) lines.add("spread", "  " + pattern);
  }
}

std::string terms_text(const BrokenTerms& broken) {
  constexpr std::size_t shown = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, broken.terms.size()); ++i) {
    const BoundTerm& term = broken.terms[i];
    text += fmt::format("{}{} = {}{}", text.empty() ? "" : "; ", term.name, number_text(term.value),
                        broken.error <= term.value ? "" : " (exceeded alone)");
  }
  return text;
}

void add_bound(const Explanation& e, Lines& lines) {
  const auto add = [&](const char* which, const std::optional<BrokenTerms>& broken) {
    if (!broken || broken->terms.empty()) return;
    lines.add("bound", fmt::format("at the {} wrong value the error is beyond {} of {} terms, each alone", which, broken->exceeded,
                                   broken->terms.size()));
    lines.add("bound", "  " + terms_text(*broken));
  };
  add("first", e.first);
  if (e.worst && to_string(e.worst->where) != to_string(e.first->where)) add("worst", e.worst);
}

std::string hypothesis_text(const Explanation& e, const Hypothesis& h) {
  const Defect& defect = *h.defect;
  std::string text = fmt::format("{} ({}{}{})", defect.sentence, defect.id, h.place.empty() ? "" : "; ", h.place);
  text += fmt::format(": explains {} of the error", share_text(h.explained));
  if (h.outside > 0) return text + fmt::format(", {} of {} values outside the bound", h.outside, h.compared);
  if (e.by == ExplainedBy::bound) text += ", every value within the bound";
  return text + (h.unequal == 0 ? ", every bit equal" : fmt::format(", {} of {} bits differ", h.unequal, h.compared));
}

void add_untried(const Hypotheses& found, Lines& lines) {
  if (found.untried.empty()) return;
  constexpr std::size_t shown = 4;
  std::map<std::string, std::int64_t> whys;
  for (const auto& [defect, why] : found.untried) ++whys[why];
  std::vector<std::pair<std::int64_t, std::string>> sorted;
  for (const auto& [why, count] : whys) sorted.emplace_back(-count, why);
  std::sort(sorted.begin(), sorted.end());
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, sorted.size()); ++i) {
    text += fmt::format("{}{}: {}", i == 0 ? "" : "; ", -sorted[i].first, sorted[i].second);
  }
  if (sorted.size() > shown) text += fmt::format("; {} more reasons", sorted.size() - shown);
  lines.add("not tried", fmt::format("{} defects that say nothing here ({})", found.untried.size(), text));
}

void add_hypotheses(const Explanation& e, Lines& lines) {
  if (!e.hypotheses) return;
  const Hypotheses& found = *e.hypotheses;
  constexpr std::size_t fitting_shown = 6, others_shown = 3, same_shown = 8;
  std::size_t fitting = 0, others = 0;
  for (const Hypothesis& h : found.ranked) fitting += explains(e, h);
  if (fitting == 0) {
    lines.add("resembles", fmt::format("nothing: none of the {} known defects that were tried fits", found.tried));
  }
  std::size_t shown = 0;
  for (const Hypothesis& h : found.ranked) {
    if (!explains(e, h) || shown++ >= fitting_shown) continue;
    lines.add("resembles", "behaves as if " + hypothesis_text(e, h));
    if (h.equivalents.empty()) continue;
    std::string same;
    for (std::size_t i = 0; i < std::min(same_shown, h.equivalents.size()); ++i) {
      same += fmt::format("{}{}", i == 0 ? "" : ", ", h.equivalents[i]->id);
    }
    if (h.equivalents.size() > same_shown) same += fmt::format(" and {} more", h.equivalents.size() - same_shown);
    lines.add("resembles", "  the same bits on this input: " + same);
  }
  if (fitting > fitting_shown) lines.add("resembles", fmt::format("and {} more that fit", fitting - fitting_shown));
  for (const Hypothesis& h : found.ranked) {
    if (!explains(e, h) && others++ < others_shown) lines.add("nearest", "does not fit: " + hypothesis_text(e, h));
  }
  lines.add("tried", fmt::format("{} known defects in {}, emulated; {} fit{}", found.tried,
                                 found.kernel.empty() ? "no kernel" : found.kernel, fitting, fitting == 1 ? "s" : ""));
  if (!found.assumed.empty()) lines.add("tried", found.assumed);
  add_untried(found, lines);
}

void add_conformity(const Explanation& e, Lines& lines) {
  if (!e.verdict.conformity) return;
  const ConformityReport& report = *e.verdict.conformity;
  lines.add("declared", report.declaration);
  if (!report.pin.empty()) {
    lines.add("declared", fmt::format("{}: {} of {} values outside what it can give", report.pin, report.pin_violations,
                                      report.pin_compared));
  }
  if (!report.bits.empty()) {
    lines.add("declared", fmt::format("bits: {} of {} differ from its emulation ({})", report.bits_unequal, report.bits_compared,
                                      report.bits));
  }
  for (const std::string& fit : report.fits) lines.add("declared", "would fit: " + fit);
}

}  // namespace

std::string text_of(const Explanation& e) {
  Lines lines;
  add_places(e, lines);
  add_stage(e, lines);
  add_spread(e, lines);
  for (const ValuePattern& pattern : e.patterns) lines.add("values", pattern.sentence);
  add_bound(e, lines);
  add_hypotheses(e, lines);
  add_conformity(e, lines);
  for (const std::string& note : e.verdict.notes) lines.add("note", note);
  for (const std::string& note : e.notes) lines.add("note", note);
  std::string text = printable(verdict_sentence(e)) + "\n" + lines.take();
  if (!e.reproduce.empty()) text += "reproduce: " + printable(e.reproduce) + "\n";
  for (const std::string& command : e.next) text += "next: " + printable(command) + "\n";
  return text;
}

}  // namespace deltaproof
