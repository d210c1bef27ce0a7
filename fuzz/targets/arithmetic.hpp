#pragma once

#include <functional>
#include <string>

#include "fuzz/finding.hpp"
#include "reference/arithmetic/declared.hpp"

namespace deltaproof::fuzz {

/// What is under test; tests put in what is wrong.
struct ArithmeticFunctions {
  std::function<Declared(const std::string&, const std::string&, Rule)> read = &declared_from_json;
  std::function<std::string(const Declared&)> write = &to_json;
};

/// The bytes as a declared arithmetic, for every rule in turn: refused with an InputError of one line, or read. What is
/// read survives to JSON and back, to the same JSON, and differs from itself in nothing.
void check_arithmetic(Bytes bytes, const ArithmeticFunctions& functions = {});

}  // namespace deltaproof::fuzz
