// A decay of 2^0 = 1 multiplies by 1, which changes no bit: the gated rule is then the rule without decay. Asked of
// kernels that declare one order of roundings for both rules; of others the bits may differ.
#include <fmt/format.h>

#include <optional>

#include "properties/laws/promises.hpp"
#include "properties/laws/second_run.hpp"
#include "properties/laws/table.hpp"
#include "properties/laws/tensors.hpp"

namespace deltaproof::laws {
namespace {

// The rule without decay; the same rule where its g may be left out.
std::optional<Rule> without_decay(Rule rule) {
  switch (rule) {
    case Rule::gated_delta:
    case Rule::vector_decay_delta:
      return Rule::delta;
    case Rule::scalar_decay:
    case Rule::vector_decay:
      return Rule::linear;
    default:
      return rule_info(rule).optional_decay ? std::optional(rule) : std::nullopt;
  }
}

std::string why_not(const Trial& trial) {
  if (trial.problem.find("g") == nullptr) return "there is no decay";
  const Rule rule = trial.problem.options().rule;
  const std::optional<Rule> other = without_decay(rule);
  if (!other) return fmt::format("rule {} without its decay is no rule", rule_info(rule).name);
  const std::optional<Declared> with = declared_of(trial.kernel, rule), without = declared_of(trial.kernel, *other);
  if (with && without && *with == *without) return {};
  return fmt::format("the kernel does not declare one order of roundings for rules {} and {}", rule_info(rule).name,
                     rule_info(*other).name);
}

void check(const Trial& trial, Verdict& verdict) {
  TensorMap inputs = trial.problem.tensors();
  inputs.at("g") = filled(inputs.at("g"), 0);
  const Problem gated = trial.problem.with_inputs(inputs);
  inputs.erase("g");
  Options options = trial.problem.options();
  options.rule = *without_decay(options.rule);
  const Problem plain = trial.problem.with_options(options, std::move(inputs));
  const std::optional<Outputs> expected = second_run(trial, plain, verdict);
  if (!expected) return;
  expect_second_run(trial, gated, *expected, "gates of 0 give other bits than no gates", verdict);
}

}  // namespace

const Property zero_gate{"zero_gate", "a gated rule with g = 0 gives the bits of the rule without decay", &why_not,
                         &check};

}  // namespace deltaproof::laws
