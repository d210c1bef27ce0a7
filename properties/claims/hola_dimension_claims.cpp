#include <fmt/format.h>

#include <algorithm>

#include "properties/claims/hola_figures.hpp"
#include "properties/claims/hola_parts.hpp"

namespace deltaproof::claims {
namespace {

/// Dimensions d for which a printed relation can be: inside [low, high].
Range logit_dimensions(const Figure& factor, const Figure& logit) {
  const Range root = factor.range / logit.range;  // factor / sqrt(d) = logit
  return root * root;
}

Range root_dimensions(const Figure& root) { return root.range * root.range; }

std::string span(const Range& dimensions) {
  return fmt::format("{} to {}", decimal(dimensions.low, 2), decimal(dimensions.high, 2));
}

/// A dimension that is to be in each of some spans.
struct Dimensions {
  std::vector<Named> spans_of;  ///< relation and its span, for the finding
  std::vector<Range> spans;
  std::vector<int> candidates;
};

/// Holds if one of the candidates is in every span.
Check dimension_check(const Dimensions& statement) {
  return [statement](const Effort&) {
    Result result;
    result.numbers = statement.spans_of;
    std::string found;
    for (const int d : statement.candidates) {
      ++result.cases;
      const bool everywhere = std::all_of(statement.spans.begin(), statement.spans.end(),
                                          [&](const Range& each) { return each.low <= d && d <= each.high; });
      if (everywhere && found.empty()) found = std::to_string(d);
    }
    for (const Named& each : statement.spans_of)
      result.finding.append(fmt::format("{} allows d from {}. ", each.name, each.value));
    result.outcome = found.empty() ? Outcome::refuted : Outcome::holds;
    const int first = statement.candidates.front(), last = statement.candidates.back();
    const std::string looked_at =
        first == last ? fmt::format("d = {} is", first) : fmt::format("no d from {} to {} is", first, last);
    const std::string none = looked_at + (first == last ? " outside." : " allowed by all.");
    result.finding.append(found.empty() ? none : "d = " + found + " is allowed.");
    if (found.empty()) result.counterexample = Counterexample{statement.spans_of, none};
    return result;
  };
}

std::vector<int> up_to(int most) {
  std::vector<int> all;
  for (int d = 1; d <= most; ++d) all.push_back(d);
  return all;
}

Dimensions of_logit(std::vector<int> candidates) {
  const Range allowed = logit_dimensions(hola("logit_factor"), hola("logit_range"));
  return {{{"6.6 / sqrt(d) = 0.83", span(allowed)}}, {allowed}, std::move(candidates)};
}

Dimensions of_root(const Figure& root, std::vector<int> candidates) {
  const Range allowed = root_dimensions(root);
  return {{{"sqrt(d) = " + root.text, span(allowed)}}, {allowed}, std::move(candidates)};
}

Dimensions both(Dimensions one, const Dimensions& other) {
  one.spans_of.insert(one.spans_of.end(), other.spans_of.begin(), other.spans_of.end());
  one.spans.insert(one.spans.end(), other.spans.begin(), other.spans.end());
  return one;
}

const char* const dimension_method =
    "arithmetic on the printed figures, each standing for all numbers that round to it";

Claim logit_dimension() {
  return {"hola.logit_dimension",
          {"hola", "Section 3.4", "6", Voice::derived},
          "logits within 6.6 / sqrt(d) = 0.83 are those of d = 64",
          "",
          dimension_method,
          dimension_check(of_logit({64})),
          {{"they are those of d = 128", Outcome::refuted, dimension_check(of_logit({128}))},
           {"they are those of d = 63", Outcome::holds, dimension_check(of_logit({63}))}}};
}

Claim root_dimension() {
  const Figure root = hola("norm_after_rmsnorm");
  return {"hola.norm_dimension",
          {"hola", "Section 3.4", "6", Voice::derived},
          "a norm sqrt(d) of about 11 is that of d = 121",
          "",
          dimension_method,
          dimension_check(of_root(root, {121})),
          {{"it is that of d = 64", Outcome::refuted, dimension_check(of_root(root, {64}))},
           {"it is that of d = 128", Outcome::holds, dimension_check(of_root(root, {128}))}}};
}

Claim one_dimension() {
  const Figure root = hola("norm_after_rmsnorm");
  return {"hola.examples_one_dimension",
          {"hola", "Section 3.4", "6", Voice::reading},
          "both examples, 6.6 / sqrt(d) = 0.83 and sqrt(d) = 11, are of one d",
          "",
          dimension_method,
          dimension_check(both(of_logit(up_to(512)), of_root(root, {}))),
          {{"6.6 / sqrt(d) = 0.83 and sqrt(d) = 8 are of one d", Outcome::holds,
            dimension_check(both(of_logit(up_to(512)), of_root(printed("8"), {})))},
           {"6.6 / sqrt(d) = 0.83 and sqrt(d) = 16 are of one d", Outcome::refuted,
            dimension_check(both(of_logit(up_to(512)), of_root(printed("16"), {})))}}};
}

Claim main_dimension() {
  const int d = static_cast<int>(hola("head_dimension").value);
  const Figure root = hola("norm_after_rmsnorm");
  return {"hola.examples_main_model",
          {"hola", "Sections 3.4 and 4.1", "6-7", Voice::reading},
          "the examples of Section 3.4 are of the main model, d = 256",
          "",
          dimension_method,
          dimension_check(both(of_logit({d}), of_root(root, {}))),
          {{"in the main model sqrt(d) = 16", Outcome::holds, dimension_check(of_root(printed("16"), {d}))},
           {"the logit example alone is of the main model", Outcome::refuted, dimension_check(of_logit({d}))}}};
}

/// Whether factor / sqrt(d), the largest logit of unit vectors, reaches the printed range.
Check reaches(const Rational& factor, int from, int to) {
  return [=](const Effort&) {
    const Range wanted = hola("logit_range").range;
    Result result;
    for (int d = from; d <= to; ++d) {
      ++result.cases;
      const Rational square = factor * factor / d;
      if (square >= wanted.low * wanted.low) continue;
      result.counterexample = Counterexample{{{"d", std::to_string(d)}, {"factor", text(factor)}},
                                             fmt::format("the largest logit squared is {}, less than {}", text(square),
                                                         text(Rational(wanted.low * wanted.low)))};
      break;
    }
    result.numbers = {{"least logit that rounds to the printed one", decimal(wanted.low, 3)},
                      {"dimensions looked at", std::to_string(result.cases)}};
    result.outcome = result.counterexample ? Outcome::refuted : Outcome::holds;
    result.finding = result.counterexample ? fmt::format("For d = {} {}.", result.counterexample->inputs.front().value,
                                                         result.counterexample->shows)
                                           : "The largest logit reaches the printed range.";
    return result;
  };
}

Claim unit_range() {
  return {
      "hola.unit_logit_range",
      {"hola", "Section 3.4", "6", Voice::reading},
      "unit queries and keys, with the logit cos / sqrt(d), give logits up to 0.83",
      "d >= 2",
      "exact, on squares: cos is at most 1",
      reaches(1, 2, 256),
      {{"they do with a further factor of 6.6, at d = 64", Outcome::holds, reaches(hola("logit_factor").value, 64, 64)},
       {"they do with that factor at d = 256", Outcome::refuted, reaches(hola("logit_factor").value, 256, 256)}}};
}

}  // namespace

std::vector<Claim> hola_dimension_claims() {
  return {logit_dimension(), root_dimension(), one_dimension(), main_dimension(), unit_range()};
}

}  // namespace deltaproof::claims
