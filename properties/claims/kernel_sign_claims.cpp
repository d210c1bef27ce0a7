// What published tolerance rules say of a flipped sign, of NaN, and of nothing.
#include <fmt/format.h>

#include <limits>

#include "properties/claims/kernel_claims.hpp"
#include "properties/claims/kernel_problems.hpp"
#include "properties/claims/rule_names.hpp"
#include "properties/claims/rule_values.hpp"

namespace deltaproof::claims {
namespace {

bool anything(const JudgedValues&) { return true; }
bool equal(const JudgedValues& values) { return values.run == values.reference; }

// A mean of squares over the run without the test for NaN that comes before it in ggml.
bool error_not_above_limit(const JudgedValues& values) {
  double square = 0, size = 0;
  for (std::size_t i = 0; i < values.run.size(); ++i) {
    square += (values.run[i] - values.reference[i]) * (values.run[i] - values.reference[i]);
    size += values.run[i] * values.run[i];
  }
  return !(square / size > 5e-4);
}

// One of two values has the wrong sign: the smaller one, or the larger.
Check sign_check(const Accepts& accept, bool of_smaller) {
  return [accept, of_smaller](const Effort& effort) {
    Result result;
    const auto flipped = [&](double size) {
      return of_smaller ? values_of({1, -size}, {1, size}) : values_of({-1, size}, {1, size});
    };
    const double limit = largest_accepted([&](double size) { return accept(flipped(size)); });
    const Drawn on(row_of(39, "typical", effort.seed));
    JudgedValues o = on.o;
    o.run = o.reference;
    int unseen = 0;
    for (double& value : o.run) {
      value = -value;
      unseen += value != 0 && accept(o) ? 1 : 0;
      value = -value;
    }
    result.cases = 60 + static_cast<std::int64_t>(o.run.size());
    result.numbers = {{"values of o of a typical problem whose flipped sign passes", fmt::format("{} of {}", unseen, o.run.size())}};
    result.outcome = limit == 0 ? Outcome::holds : Outcome::refuted;
    result.finding = limit == 0 ? "a flipped sign is rejected"
                                : fmt::format("beside a value of 1 one of up to {:.6g} may have the wrong sign", limit);
    if (limit > 0) result.counterexample = shown(flipped(limit), "the sign is wrong, and the rule accepts it");
    return result;
  };
}

Claim sign_claim(const PublishedRuleInfo& info) {
  return {"kernels.sign_" + id_of(info.rule), source_of(info),
          fmt::format("The rule rejects a run in which one value has the wrong sign. ({})", in_words(info)),
          "tolerances of bf16 inputs; the baseline is right",
          "two values, 1 and s: the largest s whose flipped sign passes, by bisection; every value of o of a drawn problem",
          sign_check(published(info.rule), true),
          {{"of two values, the larger of which is 1, the sign of the larger", Outcome::holds,
            sign_check(published(info.rule), false)},
           {"a rule that accepts everything does", Outcome::refuted, sign_check(anything, true)}}};
}

// What passes of a run, of the rules asked.
Check rejected_by_all(std::vector<std::pair<std::string, Accepts>> rules, const JudgedValues& values, const char* shows) {
  return [rules = std::move(rules), values, shows](const Effort&) {
    Result result;
    std::string accepting;
    for (const auto& [name, accept] : rules) {
      ++result.cases;
      if (accept(values)) accepting += fmt::format("{}{}", accepting.empty() ? "" : "; ", name);
    }
    result.outcome = accepting.empty() ? Outcome::holds : Outcome::refuted;
    result.finding = accepting.empty() ? "all of them reject it" : fmt::format("accepted by: {}", accepting);
    if (!accepting.empty()) result.counterexample = shown(values, shows);
    return result;
  };
}

std::vector<std::pair<std::string, Accepts>> all_published() {
  std::vector<std::pair<std::string, Accepts>> all;
  for (const PublishedRuleInfo& info : published_rules()) all.emplace_back(info.name, published(info.rule));
  return all;
}

Claim nan_claim() {
  const JudgedValues values = values_of({1, std::numeric_limits<double>::quiet_NaN()}, {1, 1});
  const char* shows = "a NaN passes";
  return {"kernels.rules_reject_nan", {"kernels", "docs/kill-matrix.md, 2", "", Voice::reading},
          "Every published rule rejects a run with a NaN in it.", "with the tests that come before the rule in its source",
          "each of the eight rules on one tensor of two values", rejected_by_all(all_published(), values, shows),
          {{"also `not: error > limit` without a test for NaN before it", Outcome::refuted,
            rejected_by_all({{"not: error > limit", error_not_above_limit}}, values, shows)}}};
}

Claim nothing_claim() {
  const JudgedValues values = values_of({}, {});
  const char* shows = "a comparison of no value passes";
  return {"kernels.rules_reject_nothing", {"kernels", "docs/kill-matrix.md, 2", "", Voice::reading},
          "A rule that accepts a run has compared something.", "",
          "each of the eight rules on a tensor without values",
          rejected_by_all(all_published(), values, shows),
          {{"a rule that asks that there are values, and that they are equal, has", Outcome::holds,
            rejected_by_all({{"equal", [](const JudgedValues& v) { return !v.run.empty() && equal(v); }}}, values, shows)},
           {"a rule that asks that all are equal has", Outcome::refuted,
            rejected_by_all({{"equal", equal}}, values, shows)}}};
}

}  // namespace

std::vector<Claim> kernel_sign_claims() {
  std::vector<Claim> all;
  for (const PublishedRuleInfo& info : published_rules()) all.push_back(sign_claim(info));
  all.push_back(nan_claim());
  all.push_back(nothing_claim());
  return all;
}

}  // namespace deltaproof::claims
