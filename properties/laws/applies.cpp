#include "properties/laws/applies.hpp"

#include <fmt/format.h>

#include "properties/laws/pieces.hpp"

namespace deltaproof::laws {

std::string outside_update_family(const Problem& problem) {
  const RuleInfo& rule = rule_info(problem.options().rule);
  if (rule.system != System::update_family) return fmt::format("{} is not of the update family", rule.name);
  if (longest_answered(problem) == 0) return "there is no token";
  return {};
}

std::string not_to_be_cut(const Problem& problem) {
  if (problem.options().rule == Rule::kla && problem.options().position != Position::one) {
    return "the position factor counts from the start of a sequence, so that its parts are other problems";
  }
  if (problem.options().rule == Rule::hola) return "hola's cache is no part of the state that is handed on";
  return outside_update_family(problem);
}

std::string nan_has_no_rank(const Problem& problem) {
  const Options& options = problem.options();
  if (options.rule != Rule::hola || options.hola.score == CacheScore::recency) return {};
  return "hola refuses a score that is NaN: it has no rank";
}

std::string without_residual(const Problem& problem) {
  const RuleInfo& rule = rule_info(problem.options().rule);
  if (std::string why = not_to_be_cut(problem); !why.empty()) return why;
  return rule.residual ? "" : fmt::format("{} writes without a residual", rule.name);
}

Generator draws_of(const Trial& trial, std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return Generator(trial.seed, {hash});
}

}  // namespace deltaproof::laws
