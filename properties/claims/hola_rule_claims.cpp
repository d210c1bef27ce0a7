#include "properties/claims/hola_parts.hpp"
#include "properties/claims/hola_steps.hpp"

namespace deltaproof::claims {
namespace {

const char* const method =
    "exact rational arithmetic: all small steps with one key channel, smallest first, then random ones with up to 4 "
    "channels; "
    "the argument in the finding is the proof";

/// alpha S + beta k (v - factor S^T k)^T, factor: alpha or 1.
StepQuantity residual_form(bool decayed) {
  return {decayed ? "alpha S + beta k (v - alpha S^T k)^T" : "alpha S + beta k (v - S^T k)^T",
          [decayed](const DeltaStep& step) {
            const RationalMatrix before = decayed ? step.alpha * step.state : step.state;
            return step.alpha * step.state +
                   step.beta * outer(step.key, step.value - transposed_times(before, step.key));
          }};
}

StepQuantity expanded(bool decayed_value) {
  return {decayed_value ? "alpha ((I - beta k k^T) S + beta k v^T)" : "(I - beta k k^T) alpha S + beta k v^T",
          [decayed_value](const DeltaStep& step) {
            const RationalMatrix reflection =
                RationalMatrix::identity(step.key.size()) - step.beta * outer(step.key, step.key);
            const Rational factor = decayed_value ? step.alpha : Rational(1);
            return reflection * (step.alpha * step.state) + factor * step.beta * outer(step.key, step.value);
          }};
}

StepQuantity no_write() {
  return {"0", [](const DeltaStep& step) { return RationalMatrix(step.state.rows(), step.state.columns()); }};
}

StepPremise nothing_left() {
  return {"e = 0", [](const DeltaStep& step) { return squared_norm(residual(step)) == 0; }};
}

/// v - S_t^T k.
RationalVector residual_after(const DeltaStep& step) { return step.value - transposed_times(after(step), step.key); }

Claim expansion() {
  const StepStatement stated{expanded(false),
                             Relation::equal,
                             residual_form(true),
                             {},
                             {},
                             "k k^T S = k (S^T k)^T, and the rest is distributivity."};
  StepStatement undecayed = stated, all_decayed = stated;
  undecayed.right = residual_form(false);
  all_decayed.left = expanded(true);
  return {"hola.gdn_expansion",
          {"hola", "Section 3.5, Eq. (1)", "4, 6", Voice::derived},
          "with the residual e = v - alpha S^T k, decay and write together are (I - beta k k^T) alpha S + beta k v^T",
          "",
          method,
          check_of(stated),
          {{"the residual is taken of the state before its decay", Outcome::refuted, check_of(undecayed)},
           {"the value decays too", Outcome::refuted, check_of(all_decayed)}}};
}

Claim repeated() {
  const StepStatement stated{{"Delta", written},   Relation::equal, no_write(), nothing_left(), {},
                             "Delta = beta k e^T."};
  StepStatement unchanged = stated, small = stated;
  unchanged.left = {"S_t", after};
  unchanged.right = {"S_{t-1}", [](const DeltaStep& step) { return step.state; }};
  unchanged.condition = no_decay();
  small.premise = {"|e| <= 1", [](const DeltaStep& step) { return squared_norm(residual(step)) <= 1; }};
  return {"hola.repeated_write",
          {"hola", "Section 3.1, Eq. (1)", "4", Voice::derived},
          "a pair that the state already predicts is not written again",
          "e = 0",
          method,
          check_of(stated),
          {{"the state stays as it is", Outcome::conditional, check_of(unchanged)},
           {"nothing is written where the residual is small", Outcome::refuted, check_of(small)}}};
}

Claim shrinks() {
  const StepStatement stated{
      {"|v - S_t^T k|^2", [](const DeltaStep& step) { return number(squared_norm(residual_after(step))); }},
      Relation::at_most,
      {"|e|^2", [](const DeltaStep& step) { return number(squared_norm(residual(step))); }},
      unit_key(),
      {},
      "v - S_t^T k = (1 - beta |k|^2) e, and the factor is in [0, 1]."};
  StepStatement any_key = stated, factor = stated, gone = stated;
  any_key.premise = gone.premise = {};
  factor = {{"v - S_t^T k", [](const DeltaStep& step) { return row(residual_after(step)); }},
            Relation::equal,
            {"(1 - beta |k|^2) e",
             [](const DeltaStep& step) { return (1 - step.beta * squared_norm(step.key)) * row(residual(step)); }},
            {},
            {},
            "S_t^T k = alpha S^T k + beta |k|^2 e."};
  gone.premise = unit_key();
  gone.right = no_write();
  gone.right.of = [](const DeltaStep&) { return number(0); };
  return {"hola.residual_shrinks",
          {"hola", "Section 3.1, Eq. (1)", "4", Voice::derived},
          "writing a pair does not make what is left of its own residual larger",
          "unit keys, beta in [0, 1]",
          method,
          check_of(stated),
          {{"what is left is (1 - beta |k|^2) e", Outcome::holds, check_of(factor)},
           {"it does not grow whatever the norm of the key", Outcome::refuted, check_of(any_key)},
           {"nothing is left after one write", Outcome::refuted, check_of(gone)}}};
}

Claim interference() {
  const StepQuantity moved{"Delta^T q",
                           [](const DeltaStep& step) { return row(transposed_times(written(step), step.query)); }};
  const StepStatement stated{
      moved,
      Relation::equal,
      {"beta (k^T q) e",
       [](const DeltaStep& step) { return step.beta * dot(step.key, step.query) * row(residual(step)); }},
      {},
      {},
      "(k e^T)^T q = e (k^T q)."};
  StepStatement never = stated;
  never.right = {"0", [](const DeltaStep& step) { return RationalMatrix(1, step.value.size()); }};
  StepStatement orthogonal = never;
  orthogonal.premise = {"k^T q = 0", [](const DeltaStep& step) { return dot(step.key, step.query) == 0; }};
  return {"hola.interference",
          {"hola", "Sections 1 and 3.1", "2-4", Voice::derived},
          "a write changes what every other overlapping key reads: at q by beta (k^T q) e",
          "",
          method,
          check_of(stated),
          {{"a write leaves what other keys read as it is", Outcome::refuted, check_of(never)},
           {"it does where the keys are orthogonal", Outcome::holds, check_of(orthogonal)}}};
}

}  // namespace

std::vector<Claim> hola_rule_claims() { return {expansion(), repeated(), shrinks(), interference()}; }

}  // namespace deltaproof::claims
