#include <map>

#include "properties/claims/kla_figure_checks.hpp"
#include "properties/claims/kla_parts.hpp"
#include "properties/claims/kla_search.hpp"

namespace deltaproof::claims {
namespace {

using Text = std::string;

/// A published figure and what is published of how it came about; an empty text: not published.
struct Point {
  Text figure;
  std::map<Text, Text> of;
};
using Points = std::pair<Point, Point>;

std::vector<Named> inputs(const Points& points) {
  const Figure x = figure("kla", points.first.figure), y = figure("kla", points.second.figure);
  return {{x.place.empty() ? x.what : Text(x.what).append(" (").append(x.place).append(")"), x.text},
          {y.place.empty() ? y.what : Text(y.what).append(" (").append(y.place).append(")"), y.text}};
}

/// One curve, or one cause: what is alike in all that the statement takes to matter has one value.
Result single_valued(const Effort&, const std::vector<Points>& pairs, const std::vector<Text>& matters) {
  return search(
      pairs,
      [&](const Points& points) -> Fault {
        for (const Text& attribute : matters) {
          if (points.first.of.at(attribute) != points.second.of.at(attribute)) return std::nullopt;
        }
        const Figure x = figure("kla", points.first.figure), y = figure("kla", points.second.figure);
        if (x.range.low <= y.range.high && y.range.low <= x.range.high) return std::nullopt;
        return fmt::format("alike in {}, but {} and {}", fmt::join(matters, ", "), x.text, y.text);
      },
      inputs);
}

/// Two figures differ in one thing only, as far as published.
Result differ_only_in(const Effort&, const Points& points, const Text& thing) {
  Result found;
  found.cases = 1;
  found.outcome = Outcome::holds;
  found.finding = fmt::format("they differ in {} alone", thing);
  Text unknown;
  for (const auto& [attribute, value] : points.first.of) {
    const Text& other = points.second.of.at(attribute);
    if (attribute == thing) continue;
    if (value.empty() || other.empty()) {
      const char* whom = value.empty() && other.empty() ? " (of neither)" : " (of one alone)";
      unknown.append(unknown.empty() ? "" : ", ").append(attribute).append(whom);
    } else if (value != other) {
      found.outcome = Outcome::refuted;
      found.finding = fmt::format("they differ in {} as well: {} and {}", attribute, value, other);
      found.counterexample = Counterexample{inputs(points), found.finding};
      return found;
    }
  }
  if (!unknown.empty()) {
    found.outcome = Outcome::undecidable;
    found.finding = fmt::format("not published: {}", unknown);
  }
  found.numbers = inputs(points);
  return found;
}

std::vector<Points> at_4k() {
  return {{{"ppl.kla", {{"model", "KLA"}, {"length", "4K"}, {"table", "1"}}},
           {"long.kla.4k", {{"model", "KLA"}, {"length", "4K"}, {"table", "3"}}}},
          {{"ppl.gdn", {{"model", "GDN"}, {"length", "4K"}, {"table", "1"}}},
           {"long.gdn.4k", {{"model", "GDN"}, {"length", "4K"}, {"table", "3"}}}}};
}

Claim one_curve() {
  using Matters = std::vector<Text>;
  return {"kla.one-perplexity-curve",
          {"kla", "Tables 1 and 3", "2, 7", Voice::reading},
          "the perplexities at 4K of Table 1 (8.09, 8.50) and those of Table 3 lie on one curve "
          "for each model",
          "",
          "one curve has one value at a model and a length; printed numbers stand for all that "
          "round to them",
          bound(single_valued, at_4k(), Matters{"model", "length"}),
          {{"each table is a curve of its own", Outcome::holds,
            bound(single_valued, at_4k(), Matters{"model", "length", "table"})},
           {"the perplexity depends on the length alone", Outcome::refuted,
            bound(single_valued, at_4k(), Matters{"length"})}}};
}

Points validation_and_test() {
  return {{"mqar.kla.256", {{"model", "KLA"}, {"task", "MQAR"}, {"split", "validation"}, {"pairs", ""}}},
          {"ablation.default.test", {{"model", "KLA"}, {"task", "MQAR"}, {"split", "test"}, {"pairs", "32"}}}};
}

Claim two_splits() {
  return {"kla.validation-and-test",
          {"kla", "Tables 4 and 5; Appendix D", "8-9, 18-19", Voice::reading},
          "KLA's 99.00 % (Table 4, validation) and 98.39 % (Table 5, test) differ in nothing but "
          "the split",
          "",
          "what is published of both is held against each other",
          bound(differ_only_in, validation_and_test(), Text("split")),
          {{"they differ in nothing but the number of pairs", Outcome::refuted,
            bound(differ_only_in, validation_and_test(), Text("pairs"))}}};
}

Points no_norm_and_gdn(const Text& keys_of_no_norm, const Text& keys_of_gdn) {
  return {{"ablation.none.long", {{"coefficient", "sigmoid(b)"}, {"keys", keys_of_no_norm}, {"name", "NoNorm"}}},
          {"ablation.gdn.long", {{"coefficient", "sigmoid(b)"}, {"keys", keys_of_gdn}, {"name", "GDN"}}}};
}

Claim same_coefficient() {
  using Matters = std::vector<Text>;
  const std::vector<Points> pair{no_norm_and_gdn("", "")};
  return {"kla.nonorm-coefficient-alone",
          {"kla", "Section 3.3; Table 5; Appendix D", "5, 9, 19", Voice::reading},
          "the accuracy at 8 times the length follows from the write coefficient: dropping the "
          "denominator makes it collapse",
          "",
          "NoNorm and GDN have the same coefficient sigmoid(b) as published: one cause has one effect",
          bound(single_valued, pair, Matters{"coefficient"}),
          {{"it follows from the coefficient and from what else differs between NoNorm and GDN", Outcome::holds,
            bound(single_valued, pair, Matters{"coefficient", "name"})},
           {"it follows from keys and coefficient, if both have keys of norm 1", Outcome::refuted,
            bound(single_valued, std::vector<Points>{no_norm_and_gdn("norm 1", "norm 1")},
                  Matters{"coefficient", "keys"})}}};
}

Claim same_configuration() {
  return {"kla.nonorm-against-gdn",
          {"kla", "Section 3.3; Table 5; Appendix D", "5, 9, 19", Voice::reading},
          "NoNorm is the GDN reference but for its name: the two treat keys alike",
          "as published, without the code",
          "what is published of both is held against each other; the paper does not say how either "
          "treats its keys",
          bound(differ_only_in, no_norm_and_gdn("", ""), Text("name")),
          {{"the same by the authors' code, where NoNorm leaves keys as they are and GDN "
            "normalises them",
            Outcome::refuted, bound(differ_only_in, no_norm_and_gdn("as they are", "norm 1"), Text("name"))}}};
}

/// Two treatments of keys differ; an empty one is not known.
Result keys_differ(const Effort&, const Text& of_no_norm, const Text& of_gdn) {
  Result found;
  found.cases = 1;
  if (of_no_norm.empty() || of_gdn.empty()) {
    found.finding =
        "the paper does not say how either treats its keys; that the code does so was reported to this project, and "
        "the "
        "code was not read here";
    return found;
  }
  found.outcome = of_no_norm == of_gdn ? Outcome::refuted : Outcome::holds;
  found.finding = fmt::format("keys of NoNorm: {}; of GDN: {}", of_no_norm, of_gdn);
  if (found.outcome == Outcome::refuted) {
    found.counterexample = Counterexample{{{"keys of NoNorm", of_no_norm}, {"keys of GDN", of_gdn}}, "they are alike"};
  }
  return found;
}

Claim keys_in_code() {
  return {"kla.code-keys",
          {"kla", "the authors' public code; Table 5; Appendix D", "9, 19"},
          "in the official code NoNorm leaves keys as they are, while GDN normalises them",
          "as the code was reported; it was not read here",
          "what the paper publishes of both is held against each other",
          bound(keys_differ, Text(), Text()),
          {{"they differ if both leave keys as they are", Outcome::refuted,
            bound(keys_differ, Text("as they are"), Text("as they are"))},
           {"they differ if the code is as reported", Outcome::holds,
            bound(keys_differ, Text("as they are"), Text("norm 1"))}}};
}

}  // namespace

std::vector<Claim> kla_between_claims() {
  return {one_curve(), two_splits(), same_coefficient(), same_configuration(), keys_in_code()};
}

}  // namespace deltaproof::claims
