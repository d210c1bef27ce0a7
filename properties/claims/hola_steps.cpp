#include "properties/claims/hola_steps.hpp"

#include <algorithm>

namespace deltaproof::claims {
namespace {

Rational size_of_step(const DeltaStep& step) {
  return complexity_of(step.state) + complexity_of(step.key) + complexity_of(step.value) + complexity_of(step.query) +
         complexity_of(Rational(1 - step.beta)) +
         complexity_of(Rational(1 - step.alpha));  // a full write without decay is the plainest
}

RationalMatrix column(const RationalVector& values) {
  RationalMatrix result(values.size(), 1);
  for (std::size_t i = 0; i < values.size(); ++i) result(i, 0) = values[i];
  return result;
}

std::vector<DeltaStep> small_steps() {
  const Rational half(1, 2);
  std::vector<DeltaStep> steps;
  const auto add = [&](const RationalVector& state, const RationalVector& key, const Rational& value,
                       const RationalVector& query) {
    for (const Rational& beta : {Rational(1), half, Rational(0)}) {
      for (const Rational& alpha : {Rational(1), half})
        steps.push_back({column(state), key, {value}, query, beta, alpha});
    }
  };
  const std::vector<int> numbers{1, -1, 0, 2, -2};
  for (const int state : numbers) {
    for (const int key : numbers) {
      for (const int value : numbers) add({state}, {key}, value, {1});
    }
  }
  const std::vector<RationalVector> two{{1, 0}, {0, 1}, {1, 1}, {1, -1}};
  for (const RationalVector& state : two) {
    for (const RationalVector& key : two) {
      for (const RationalVector& query : two) add(state, key, 1, query);
    }
  }
  std::stable_sort(steps.begin(), steps.end(),
                   [](const DeltaStep& a, const DeltaStep& b) { return size_of_step(a) < size_of_step(b); });
  return steps;
}

DeltaStep random_step(RationalDraw& draw, int number) {
  const auto rows = static_cast<std::size_t>(draw.integer(1, 4)),
             columns = static_cast<std::size_t>(draw.integer(1, 4));
  DeltaStep step;
  step.state = draw.matrix(rows, columns);
  step.key = number % 2 == 0 ? unit_vector(draw, rows) : draw.vector(rows);
  step.value = draw.vector(columns);
  step.query = draw.vector(rows);
  step.beta = number % 5 == 0 ? Rational(1) : draw.unit();
  step.alpha = number % 3 == 0 ? Rational(1) : draw.unit();
  const Rational square = squared_norm(step.key);
  if (number % 4 < 2) {  // what is already there
    step.value = transposed_times(step.alpha * step.state, step.key);
  } else if (number % 8 < 4 && square > 0) {  // a query orthogonal to the key
    const Rational along = dot(step.key, step.query) / square;
    for (std::size_t i = 0; i < rows; ++i) step.query[i] -= along * step.key[i];
  }
  return step;
}

}  // namespace

std::vector<Named> inputs_of(const DeltaStep& step) {
  return {{"S", text(step.state)}, {"k", text(step.key)},     {"v", text(step.value)},
          {"q", text(step.query)}, {"beta", text(step.beta)}, {"alpha", text(step.alpha)}};
}

RationalVector residual(const DeltaStep& step) {
  return step.value - transposed_times(step.alpha * step.state, step.key);
}

RationalMatrix written(const DeltaStep& step) { return step.beta * outer(step.key, residual(step)); }

RationalMatrix after(const DeltaStep& step) { return step.alpha * step.state + written(step); }

std::vector<DeltaStep> delta_steps(const Effort& effort) {
  std::vector<DeltaStep> steps = small_steps();
  RationalDraw draw(effort.seed + 1);
  for (int i = 0; i < 240; ++i) steps.push_back(random_step(draw, i));
  return steps;
}

StepPremise unit_key() {
  return {"the key has norm 1", [](const DeltaStep& step) { return squared_norm(step.key) == 1; }};
}

StepPremise no_decay() {
  return {"alpha = 1", [](const DeltaStep& step) { return step.alpha == 1; }};
}

StepPremise unit_key_without_decay() {
  return {"the key has norm 1 and alpha = 1",
          [](const DeltaStep& step) { return squared_norm(step.key) == 1 && step.alpha == 1; }};
}

Check check_of(const StepStatement& statement) {
  return [statement](const Effort& effort) { return decide(statement, delta_steps(effort)); };
}

}  // namespace deltaproof::claims
