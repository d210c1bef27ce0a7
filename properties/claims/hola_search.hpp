#pragma once

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "properties/claims/claim.hpp"
#include "properties/claims/exact.hpp"

/// Statements about all instances of a kind (steps, reads, selections), held against many of them in exact arithmetic.
/// An instance has `std::vector<Named> inputs_of(const Instance&)`.
namespace deltaproof::claims {

/// What one side of a statement is; a number is a matrix of one element.
template <class Instance>
struct Quantity {
  std::string name;
  std::function<RationalMatrix(const Instance&)> of;
};

/// What an instance must meet; without a function, all do.
template <class Instance>
struct Premise {
  std::string name;
  std::function<bool(const Instance&)> met;
};

enum class Relation { equal, at_most };  ///< element by element

template <class Instance>
struct Universal {
  Quantity<Instance> left;
  Relation relation = Relation::equal;
  Quantity<Instance> right;
  Premise<Instance> premise;  ///< as the source states it
  Premise<Instance>
      condition;         ///< a further one, tried where the statement fails without it; no function: there is none
  std::string argument;  ///< why it holds, for the finding
};

inline RationalMatrix number(const Rational& value) {
  RationalMatrix result(1, 1);
  result(0, 0) = value;
  return result;
}

inline RationalMatrix row(const RationalVector& values) {
  RationalMatrix result(1, values.size());
  for (std::size_t i = 0; i < values.size(); ++i) result(0, i) = values[i];
  return result;
}

bool related(const RationalMatrix& left, Relation relation, const RationalMatrix& right);

/// "1/2" for a matrix of one element, else as `text` has it.
std::string brief(const RationalMatrix& value);

/// The check, with a sentence more in its finding: what the source says to a reading of it.
Check noting(const Check& check, const std::string& sentence);

/// Unit vector of dimension n >= 1, by stereographic projection of a random one.
RationalVector unit_vector(RationalDraw& draw, std::size_t n);

namespace search {

template <class Instance>
Counterexample shown(const Universal<Instance>& statement, const Instance& instance) {
  const char* sign = statement.relation == Relation::equal ? "equal to" : "at most";
  return {inputs_of(instance),
          fmt::format("{} = {}, which is not {} {} = {}", statement.left.name, brief(statement.left.of(instance)), sign,
                      statement.right.name, brief(statement.right.of(instance)))};
}

}  // namespace search

/// Holds the statement against the instances, in their order: the first that fails is the counterexample.
template <class Instance>
Result decide(const Universal<Instance>& statement, const std::vector<Instance>& instances) {
  Result result;
  bool under_condition = static_cast<bool>(statement.condition.met);
  std::int64_t met = 0;
  for (const Instance& instance : instances) {
    if (statement.premise.met && !statement.premise.met(instance)) continue;
    ++result.cases;
    const bool inside = statement.condition.met && statement.condition.met(instance);
    if (inside) ++met;
    if (related(statement.left.of(instance), statement.relation, statement.right.of(instance))) continue;
    if (!result.counterexample) result.counterexample = search::shown(statement, instance);
    if (inside) under_condition = false;
  }
  result.numbers = {{"instances", std::to_string(result.cases)}};
  if (result.cases == 0) throw std::logic_error("no instance meets the premise: " + statement.premise.name);
  if (!result.counterexample) {
    result.outcome = Outcome::holds;
    result.finding = fmt::format("No counterexample in {} instances. {}", result.cases, statement.argument);
  } else if (under_condition && met > 0) {
    result.outcome = Outcome::conditional;
    result.condition = statement.condition.name;
    result.numbers.push_back({"instances under the condition", std::to_string(met)});
    result.finding = fmt::format("False as it stands: {}. Under the condition, no counterexample in {} instances. {}",
                                 result.counterexample->shows, met, statement.argument);
  } else {
    result.outcome = Outcome::refuted;
    result.finding = fmt::format("False: {}.", result.counterexample->shows);
  }
  return result;
}

}  // namespace deltaproof::claims
