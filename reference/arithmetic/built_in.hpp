#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/arithmetic/declared.hpp"

namespace deltaproof {

/// Names that `built_in` knows: those of the texts, then `deltaproof-chunk`, whose text depends on the rule.
const std::vector<std::string_view>& built_in_names();

/// A built-in declaration with its name.
struct NamedDeclaration {
  std::string_view name;
  Declared declared;
};

/// Of the built-in declarations for `rule` with the text of `declared`, the one that differs from it in the fewest
/// choices. Throws std::logic_error if its text does not compute the rule.
NamedDeclaration nearest_built_in(const Declared& declared, Rule rule);

}  // namespace deltaproof
