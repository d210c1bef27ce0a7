#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "tests/properties/claims/hola_ledger.hpp"

namespace deltaproof::claims {

using Row = std::vector<Rational>;

/// The numbers of "3/4", "(1, 0)", "[1; -1]" or "(1, 0) (0, 1)", in their order.
inline Row numbers_of(const std::string& text) {
  Row numbers;
  std::string digits;
  for (const char c : text + " ") {
    if ((c >= '0' && c <= '9') || c == '-' || c == '/') {
      digits.push_back(c);
    } else if (!digits.empty()) {
      numbers.push_back(Rational(digits));
      digits.clear();
    }
  }
  return numbers;
}

/// What a check of a claim found, and the inputs of its counterexample by name.
class Found {
 public:
  explicit Found(const std::string& id) : result_(hola_claim(id).check(Effort{})) {
    if (!result_.counterexample) throw std::logic_error(id + " has no counterexample");
  }
  Row row(const std::string& name) const {
    for (const Named& input : result_.counterexample->inputs) {
      if (input.name == name) return numbers_of(input.value);
    }
    throw std::out_of_range("no input " + name);
  }
  Rational number(const std::string& name) const { return row(name).at(0); }

 private:
  Result result_;
};

}  // namespace deltaproof::claims
