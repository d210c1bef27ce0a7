#include "properties/claims/hola_parts.hpp"
#include "properties/claims/hola_steps.hpp"

namespace deltaproof::claims {
namespace {

const char* const method =
    "exact rational arithmetic: all small steps with one key channel, smallest first, then random ones with up to 4 "
    "channels; "
    "norms are compared by their squares; the argument in the finding is the proof";

Rational square(const Rational& x) { return x * x; }

StepQuantity size_of_write() {
  return {"|Delta|_F^2", [](const DeltaStep& step) { return number(squared_norm(written(step))); }};
}

StepQuantity change() {
  return {"S_t - S_{t-1}", [](const DeltaStep& step) { return after(step) - step.state; }};
}

StepQuantity size_of_change() {
  return {"|S_t - S_{t-1}|_F^2", [](const DeltaStep& step) { return number(squared_norm(after(step) - step.state)); }};
}

StepQuantity score() {
  return {"(beta |e|)^2",
          [](const DeltaStep& step) { return number(square(step.beta) * squared_norm(residual(step))); }};
}

StepQuantity score_with_key(int power) {
  return {power == 1 ? "(beta |k| |e|)^2" : "(beta |k|^2 |e|)^2", [power](const DeltaStep& step) {
            Rational product = square(step.beta) * squared_norm(residual(step));
            for (int i = 0; i < power; ++i) product *= squared_norm(step.key);
            return number(product);
          }};
}

StepQuantity residual_alone() {
  return {"|e|^2", [](const DeltaStep& step) { return number(squared_norm(residual(step))); }};
}

Claim write_norm() {
  const StepStatement stated{size_of_write(),
                             Relation::equal,
                             score_with_key(1),
                             {},
                             {},
                             "|k e^T|_F^2 is the sum of k_i^2 e_j^2, that is |k|^2 |e|^2."};
  StepStatement without = stated, twice = stated;
  without.right = score();
  twice.right = score_with_key(2);
  return {"hola.write_norm",
          {"hola", "Section 3.3, Eq. (5)", "5", Voice::stated},
          "the Frobenius norm of a write beta k e^T is beta |k| |e|",
          "beta >= 0",
          method,
          check_of(stated),
          {{"it is beta |e| for keys of any norm", Outcome::refuted, check_of(without)},
           {"it is beta |k|^2 |e|", Outcome::refuted, check_of(twice)}}};
}

Claim write_score() {
  const StepStatement stated{size_of_write(), Relation::equal, score(), unit_key(), {}, "|k| = 1 in Eq. (5)."};
  StepStatement any_key = stated, alone = stated;
  any_key.premise = {};
  alone.right = residual_alone();
  return {"hola.write_score",
          {"hola", "Section 3.3, Eq. (6)", "5", Voice::stated},
          "for a unit key the norm of the write is the score beta |e|",
          "|k| = 1, beta >= 0",
          method,
          check_of(stated),
          {{"it is for keys of any norm", Outcome::refuted, check_of(any_key)},
           {"it is |e|, without beta", Outcome::refuted, check_of(alone)}}};
}

Claim score_is_change() {
  const StepStatement stated{size_of_change(), Relation::equal, score(),
                             unit_key(),       no_decay(),      "With alpha = 1 the state changes by the write alone."};
  StepStatement corrected = stated, bound = stated;
  corrected.premise = unit_key_without_decay();
  corrected.condition = bound.condition = {};
  bound.relation = Relation::at_most;
  return {"hola.score_is_change",
          {"hola", "Sections 3.3 and 3.5", "5-6", Voice::reading},
          "the score beta |e| is the size of the whole change of the state, |S_t - S_{t-1}|_F, in the gated model too",
          "unit keys",
          method,
          check_of(stated),
          {{"it is where the state does not decay", Outcome::holds, check_of(corrected)},
           {"with decay the score still bounds the change", Outcome::refuted, check_of(bound)}}};
}

Claim total_change() {
  const StepStatement stated{change(),
                             Relation::equal,
                             {"(alpha - 1) S_{t-1} + Delta",
                              [](const DeltaStep& step) { return (step.alpha - 1) * step.state + written(step); }},
                             {},
                             {},
                             "S_t = alpha S_{t-1} + Delta, less S_{t-1}."};
  StepStatement write_alone = stated, decayed_write = stated;
  write_alone.right = {"Delta", written};
  decayed_write.right = {"(alpha - 1) S_{t-1} + alpha Delta", [](const DeltaStep& step) {
                           return (step.alpha - 1) * step.state + step.alpha * written(step);
                         }};
  return {"hola.total_change",
          {"hola", "Section 3.5", "6", Voice::derived},
          "the state of the gated model changes by (alpha - 1) S_{t-1} + Delta",
          "",
          method,
          check_of(stated),
          {{"it changes by Delta alone", Outcome::refuted, check_of(write_alone)},
           {"the write decays in the same step", Outcome::refuted, check_of(decayed_write)}}};
}

struct Example {
  Rational residual_a = 10, beta_a = Rational(1, 10), residual_b = 2, beta_b = Rational(4, 5);
  Rational score_a, score_b;
};

Check example_check(const Example& example) {
  return [example](const Effort&) {
    const Rational a = example.beta_a * example.residual_a, b = example.beta_b * example.residual_b;
    Result result;
    result.cases = 2;
    result.numbers = {{"score of A", decimal(a, 2)}, {"score of B", decimal(b, 2)}};
    const bool right = a == example.score_a && b == example.score_b && b > a && example.residual_a > example.residual_b;
    result.outcome = right ? Outcome::holds : Outcome::refuted;
    result.finding = fmt::format("A scores {} and B {}, with residuals {} and {}.", decimal(a, 2), decimal(b, 2),
                                 text(example.residual_a), text(example.residual_b));
    if (!right) {
      result.counterexample =
          Counterexample{{{"|e| of A", text(example.residual_a)},
                          {"beta of A", text(example.beta_a)},
                          {"|e| of B", text(example.residual_b)},
                          {"beta of B", text(example.beta_b)}},
                         fmt::format("scores {} and {}, not {} and {} with B before A and |e| the other way round",
                                     text(a), text(b), text(example.score_a), text(example.score_b))};
    }
    return result;
  };
}

Claim example() {
  Example stated, wrong, equal;
  stated.score_a = wrong.score_a = equal.score_a = 1;
  stated.score_b = equal.score_b = Rational(8, 5);
  wrong.score_b = Rational(4, 5);
  equal.beta_b = equal.beta_a;
  return {"hola.score_example",
          {"hola", "Section 3.3; the example is ours", "5", Voice::derived},
          "A with residual 10 and beta 0.1 scores 1, B with residual 2 and beta 0.8 scores 1.6: B is kept, |e| would "
          "keep A",
          "",
          "exact",
          example_check(stated),
          {{"B scores 0.8", Outcome::refuted, example_check(wrong)},
           {"B is kept with A's beta, too", Outcome::refuted, example_check(equal)}}};
}

}  // namespace

std::vector<Claim> hola_score_claims() {
  return {write_norm(), write_score(), score_is_change(), total_change(), example()};
}

}  // namespace deltaproof::claims
