#include "properties/accuracy/refused_score.hpp"

#include "properties/accuracy/conformity.hpp"
#include "properties/accuracy/emulated_outputs.hpp"
#include "reference/arithmetic/emulate.hpp"
#include "reference/arithmetic/hola_bits.hpp"

namespace deltaproof {

std::optional<std::string> refused_score(const Kernel& kernel, const Problem& problem) try {
  if (problem.options().rule != Rule::hola) return std::nullopt;
  const Problem state = problem.state_part();
  const std::optional<Declared> declared = declared_order(kernel, state);
  if (declared && no_emulation(*declared, state).empty()) emulated_outputs(problem, *declared, false);
  return std::nullopt;
} catch (const UnrankedScore& score) {
  return score.what();
}

}  // namespace deltaproof
