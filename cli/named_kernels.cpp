#include "cli/named_kernels.hpp"

#include <algorithm>
#include <string>

#include "properties/runs/problem_spec.hpp"

namespace deltaproof::cli {
namespace {

std::vector<Rule> given_rules(const CheckArguments& arguments, const std::vector<CaseFile>& cases) {
  std::vector<Rule> rules;
  for (const CaseFile& file : cases) rules.push_back(file.problem.options().rule);
  if (!arguments.kernel.problem) return rules;
  const ProblemSpec spec = parse_spec(*arguments.kernel.problem);
  const auto named = spec.options.find("rule");
  const RuleInfo* info = named == spec.options.end() ? nullptr : find_rule(named->second);
  if (info != nullptr) rules.push_back(info->rule);
  return rules;
}

bool computes_one(const BuiltInInfo& kernel, const std::vector<Rule>& rules) {
  return std::any_of(rules.begin(), rules.end(), [&](Rule rule) {
    return std::find(kernel.rules.begin(), kernel.rules.end(), rule) != kernel.rules.end();
  });
}

}  // namespace

std::vector<const BuiltInInfo*> named_kernels(const CheckArguments& arguments, const std::vector<CaseFile>& cases) {
  const auto table = built_in_kernels();
  const bool given = !cases.empty() || arguments.kernel.problem;
  const std::vector<Rule> rules = given_rules(arguments, cases);
  const bool some = std::any_of(table.begin(), table.end(), [&](const auto& each) { return computes_one(each, rules); });
  std::vector<const BuiltInInfo*> kernels;
  for (const BuiltInInfo& info : table) {
    const bool meant = !given || (some ? computes_one(info, rules) : !info.rules.empty());
    const auto& names = arguments.kernel.names;
    const bool named = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return name == info.name || (name == "all" && meant);
    });
    if (named) kernels.push_back(&info);
  }
  return kernels;
}

}  // namespace deltaproof::cli
