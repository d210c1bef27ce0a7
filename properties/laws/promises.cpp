#include "properties/laws/promises.hpp"

#include "reference/arithmetic/texts.hpp"

namespace deltaproof::laws {

std::optional<Declared> declared_of(const Kernel& kernel, Rule rule) {
  std::optional<Declared> own = kernel.declared();
  return own ? own : built_in(kernel.arithmetic(), rule);
}

std::optional<Declared> declared_of(const Kernel& kernel, const Problem& problem) {
  return declared_of(kernel, state_rule(problem.options()).rule);
}

std::int64_t tokens_together(const Trial& trial) {
  const Options& options = trial.problem.options();
  const std::optional<Declared> declared = declared_of(trial.kernel, trial.problem);
  const TextInfo* text = declared ? find_text(declared->text) : nullptr;
  // A text without products of matrices goes token by token.
  return text != nullptr && text->products.empty() ? 1 : options.chunk_size;
}

bool order_depends_on_initial_state(const Trial& trial) {
  const std::optional<Declared> declared = declared_of(trial.kernel, trial.problem);
  if (!declared) return true;
  const TextInfo* text = find_text(declared->text);
  const bool recurrent = text == nullptr || text->products.empty();
  return recurrent && (declared->lanes == Lanes::by_initial_state || declared->lanes == Lanes::any);
}

}  // namespace deltaproof::laws
