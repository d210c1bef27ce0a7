#include "properties/claims/hola_parts.hpp"
#include "properties/claims/hola_steps.hpp"

namespace deltaproof::claims {
namespace {

/// (I - beta k k^T) x.
RationalVector reflected(const DeltaStep& step, const RationalVector& x) {
  const Rational along = step.beta * dot(step.key, x);
  RationalVector result = x;
  for (std::size_t i = 0; i < x.size(); ++i) result[i] -= along * step.key[i];
  return result;
}

RationalVector scaled(const Rational& factor, RationalVector x) {
  for (Rational& each : x) each *= factor;
  return x;
}

/// |k|^2 q - (k^T q) k, orthogonal to k.
RationalVector beside_key(const DeltaStep& step) {
  return scaled(squared_norm(step.key), step.query) - scaled(dot(step.key, step.query), step.key);
}

/// `along`, then `beside`, in one row.
RationalMatrix pair(const RationalVector& along, const RationalVector& beside) {
  RationalVector both = along;
  both.insert(both.end(), beside.begin(), beside.end());
  return row(both);
}

Rational eigenvalue(const DeltaStep& step) { return 1 - step.beta * squared_norm(step.key); }

Claim eigenvalues() {
  const StepStatement stated{
      {"(I - beta k k^T) [k, x], x orthogonal to k",
       [](const DeltaStep& step) { return pair(reflected(step, step.key), reflected(step, beside_key(step))); }},
      Relation::equal,
      {"[(1 - beta |k|^2) k, x]",
       [](const DeltaStep& step) { return pair(scaled(eigenvalue(step), step.key), beside_key(step)); }},
      {},
      {},
      "k k^T k = |k|^2 k, and k k^T x = 0."};
  StepStatement of_unit_keys = stated, all = stated;
  of_unit_keys.right = {"[(1 - beta) k, x]",
                        [](const DeltaStep& step) { return pair(scaled(1 - step.beta, step.key), beside_key(step)); }};
  all.right = {"(1 - beta |k|^2) [k, x]", [](const DeltaStep& step) {
                 return pair(scaled(eigenvalue(step), step.key), scaled(eigenvalue(step), beside_key(step)));
               }};
  return {"hola.eigenvalue",
          {"hola", "Section 3.4", "6", Voice::stated},
          "I - beta k k^T has the eigenvalue 1 - beta |k|^2 along the key and 1 across it",
          "",
          "exact rational arithmetic on small and random steps; the argument in the finding is the proof",
          check_of(stated),
          {{"along the key it is 1 - beta, whatever the norm", Outcome::refuted, check_of(of_unit_keys)},
           {"it is 1 - beta |k|^2 across the key too", Outcome::refuted, check_of(all)}}};
}

Claim unit_interval() {
  // x^2 <= x says 0 <= x <= 1.
  const StepStatement stated{
      {"(1 - beta |k|^2)^2", [](const DeltaStep& step) { return number(eigenvalue(step) * eigenvalue(step)); }},
      Relation::at_most,
      {"1 - beta |k|^2", [](const DeltaStep& step) { return number(eigenvalue(step)); }},
      unit_key(),
      {},
      "It is 1 - beta; x^2 <= x says that x is in [0, 1]."};
  StepStatement any_key = stated, half = stated;
  any_key.premise = {};
  half.right = {"(1 - beta |k|^2) / 2", [](const DeltaStep& step) { return number(eigenvalue(step) / 2); }};
  return {"hola.eigenvalue_unit_keys",
          {"hola", "Section 3.4", "6", Voice::stated},
          "for unit keys the eigenvalue along the key lies in [0, 1]",
          "unit keys, beta in [0, 1]",
          "exact rational arithmetic on small and random steps; the argument in the finding is the proof",
          check_of(stated),
          {{"it does for keys of any norm", Outcome::refuted, check_of(any_key)},
           {"it lies in [0, 1/2]", Outcome::refuted, check_of(half)}}};
}

/// The eigenvalue along a key of d ones.
Check eigenvalue_of_ones(int d, const Rational& beta, const Rational& stated) {
  return [=](const Effort&) {
    DeltaStep step;
    step.key.assign(static_cast<std::size_t>(d), 1);
    step.beta = beta;
    const RationalVector image = reflected(step, step.key);
    Result result;
    result.cases = 1;
    result.numbers = {{"d", std::to_string(d)}, {"beta", text(beta)}, {"eigenvalue", text(image.front())}};
    const bool right = image == scaled(stated, step.key);
    result.outcome = right ? Outcome::holds : Outcome::refuted;
    result.finding =
        fmt::format("A key of {} ones has |k|^2 = {}; the update multiplies it by {}.", d, d, text(image.front()));
    if (!right)
      result.counterexample = Counterexample{{{"d", std::to_string(d)}, {"beta", text(beta)}},
                                             fmt::format("{}, not {}", text(image.front()), text(stated))};
    return result;
  };
}

Claim example() {
  return {"hola.eigenvalue_example",
          {"hola", "Section 3.4; the numbers are our example", "6", Voice::derived},
          "with keys of norm sqrt(d), d = 256 and beta = 0.5, the eigenvalue along the key is -127",
          "|k|^2 = d",
          "exact, on a key of 256 ones",
          eigenvalue_of_ones(256, Rational(1, 2), -127),
          {{"it is -128", Outcome::refuted, eigenvalue_of_ones(256, Rational(1, 2), -128)},
           {"it is -127 for d = 64 too", Outcome::refuted, eigenvalue_of_ones(64, Rational(1, 2), -127)},
           {"for d = 64 it is -31", Outcome::holds, eigenvalue_of_ones(64, Rational(1, 2), -31)}}};
}

/// Which settings are said to diverge.
struct Divergence {
  std::string said;
  std::function<bool(int d, const Rational& beta, const Rational& alpha)> diverges;
};

/// Whether the state along a key of d ones, repeated with the value 0, grows in each of 8 steps. The factor is
/// constant: then it always does.
bool grows(int d, const Rational& beta, const Rational& alpha) {
  DeltaStep step;
  step.key.assign(static_cast<std::size_t>(d), 1);
  step.value = {0};
  step.beta = beta;
  step.alpha = alpha;
  step.state = RationalMatrix(static_cast<std::size_t>(d), 1);
  for (std::size_t i = 0; i < step.state.rows(); ++i) step.state(i, 0) = 1;
  for (int t = 0; t < 8; ++t) {
    const RationalMatrix next = after(step);
    if (squared_norm(next) <= squared_norm(step.state)) return false;
    step.state = next;
  }
  return true;
}

Check divergence(const Divergence& statement) {
  return [statement](const Effort&) {
    Result result;
    int diverging = 0;
    for (int d = 2; d <= 16; ++d) {
      for (int tenths = 1; tenths <= 10; ++tenths) {
        for (const Rational& alpha : {Rational(1), Rational(1, 2), Rational(1, 10)}) {
          const Rational beta(tenths, 10);
          const bool is = grows(d, beta, alpha);
          ++result.cases;
          diverging += is;
          if (is == statement.diverges(d, beta, alpha) || result.counterexample) continue;
          result.counterexample =
              Counterexample{{{"d", std::to_string(d)}, {"beta", text(beta)}, {"alpha", text(alpha)}},
                             fmt::format("the factor of each step is alpha (1 - beta d) = {}: the state {}",
                                         text(alpha * (1 - beta * d)), is ? "grows" : "does not grow")};
        }
      }
    }
    result.outcome = result.counterexample ? Outcome::refuted : Outcome::holds;
    result.numbers = {{"settings", std::to_string(result.cases)}, {"that diverge", std::to_string(diverging)}};
    result.finding = fmt::format("{} of {} settings (d to 16, beta in tenths, alpha 1, 1/2, 1/10) diverge; {}.",
                                 diverging, result.cases,
                                 result.counterexample ? result.counterexample->shows
                                                       : "those that the statement names, as the factor is constant");
    return result;
  };
}

Claim diverges() {
  const auto factor = [](int d, const Rational& beta, const Rational& alpha) -> Rational {
    return abs(Rational(alpha * (1 - beta * d)));
  };
  return {"hola.unnormalised_diverges",
          {"hola", "Section 3.4", "6", Voice::reading},
          "with keys of norm sqrt(d) on the state's path the recurrence diverges, for every beta and every decay",
          "|k|^2 = d, beta > 0",
          "exact: the state along a repeated key, 8 steps for 450 settings of d, beta and alpha, smallest d first",
          divergence({"always", [](int, const Rational&, const Rational&) { return true; }}),
          {{"it does where alpha |1 - beta d| > 1, and only there", Outcome::holds,
            divergence({"alpha |1 - beta d| > 1",
                        [=](int d, const Rational& b, const Rational& a) { return factor(d, b, a) > 1; }})},
           {"it does where beta d > 2, whatever the decay", Outcome::refuted,
            divergence({"beta d > 2", [](int d, const Rational& b, const Rational&) { return b * d > 2; }})},
           {"it never does", Outcome::refuted,
            divergence({"never", [](int, const Rational&, const Rational&) { return false; }})}}};
}

}  // namespace

std::vector<Claim> hola_spectrum_claims() { return {eigenvalues(), unit_interval(), example(), diverges()}; }

}  // namespace deltaproof::claims
