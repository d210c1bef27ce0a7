#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "properties/regimes/families.hpp"
#include "reference/arithmetic/texts.hpp"
#include "reference/problem/head.hpp"

namespace deltaproof::arithmetic_tests {

/// A built-in declaration, by its name, for a rule that it computes.
struct TextCase {
  std::string_view arithmetic;
  const TextInfo* text;
  Rule rule;
  Declared declared;

  std::string name() const;
};

/// Every built-in declaration with every rule that it covers.
std::vector<TextCase> text_cases();
/// Those whose every bit can be emulated.
std::vector<TextCase> emulated_cases();

struct Shape {
  Index tokens = 0, K = 0, V = 0, chunk = 64;
};

/// A head of a family with q, k and v that fill `input` (bf16 values times 1.0123..., rounded), with or without an
/// initial state.
HeadInputs family_head(const Regime& regime, Rule rule, const Format& input, const Shape& shape, std::uint64_t seed,
                       bool initial_state);

}  // namespace deltaproof::arithmetic_tests
