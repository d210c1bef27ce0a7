#pragma once

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "properties/claims/claim.hpp"

namespace deltaproof::claims {

/// A check with its statement filled in: bound(check, statement...)(effort) is check(effort,
/// statement...).
template <class Function, class... Statement>
Check bound(Function check, Statement... statement) {
  return [=](const Effort& effort) { return check(effort, statement...); };
}

/// The place of what is worked out from what stands there, or of what may be read into it.
inline Source derived(Source source) {
  source.voice = Voice::derived;
  return source;
}
inline Source reading(Source source) {
  source.voice = Voice::reading;
  return source;
}

/// What should be and what is, where an instance makes a statement false; none where it does not.
using Fault = std::optional<std::string>;

/// Tries a statement on instances in the order given, the smallest first: the first that makes it
/// false refutes it.
template <class Instance, class Faulty, class Inputs>
Result search(const std::vector<Instance>& instances, const Faulty& faulty, const Inputs& inputs) {
  Result result;
  for (const Instance& instance : instances) {
    ++result.cases;
    if (Fault fault = faulty(instance)) {
      result.outcome = Outcome::refuted;
      result.counterexample = Counterexample{inputs(instance), *fault};
      result.finding = fmt::format("false for the instance shown: {}", *fault);
      return result;
    }
  }
  if (instances.empty()) {  // nothing tried is nothing shown
    result.finding = "no instance to try";
    return result;
  }
  result.outcome = Outcome::holds;
  result.finding = fmt::format("no counterexample in {} instances", result.cases);
  return result;
}

/// Of "there is one": what refutes "there is none" is the witness. `tried` names an instance that
/// is none.
inline Result contrary(Result found, const std::vector<Named>& tried) {
  if (found.outcome == Outcome::refuted) {
    found.outcome = Outcome::holds;
    found.finding = fmt::format("an instance that does: {}", found.counterexample->shows);
    found.numbers = found.counterexample->inputs;
    found.counterexample.reset();
  } else if (found.outcome == Outcome::holds) {
    found.outcome = Outcome::refuted;
    found.finding = fmt::format("none of {} instances does", found.cases);
    found.counterexample = Counterexample{tried, "this instance does not, nor does any other that was tried"};
  }
  return found;
}

/// The lists one after another.
template <class... Lists>
std::vector<Claim> together(Lists... lists) {
  std::vector<Claim> all;
  (all.insert(all.end(), std::make_move_iterator(lists.begin()), std::make_move_iterator(lists.end())), ...);
  return all;
}

}  // namespace deltaproof::claims
