#include "tests/reference/arithmetic/support.hpp"

#include "reference/arithmetic/built_in.hpp"
#include "reference/arithmetic/emulate.hpp"

namespace deltaproof::arithmetic_tests {

std::string TextCase::name() const { return std::string(arithmetic) + ", " + std::string(rule_info(rule).name); }

std::vector<TextCase> text_cases() {
  std::vector<TextCase> cases;
  for (const std::string_view name : built_in_names()) {
    for (const RuleInfo& rule : rule_table()) {
      const std::optional<Declared> declared = built_in(name, rule.rule);
      if (declared) cases.push_back({name, find_text(declared->text), rule.rule, *declared});
    }
  }
  return cases;
}

std::vector<TextCase> emulated_cases() {
  std::vector<TextCase> cases;
  for (TextCase& each : text_cases()) {
    Options options;
    options.rule = each.rule;
    if (no_emulation(each.declared, options).empty()) cases.push_back(std::move(each));
  }
  return cases;
}

HeadInputs family_head(const Regime& regime, Rule rule, const Format& input, const Shape& shape, std::uint64_t seed,
                       bool initial_state) {
  RegimeShape sizes{.tokens = shape.tokens, .K = shape.K, .V = shape.V, .initial_state = initial_state};
  const bool beyond_f16 = regime.keys == KeyGeometry::huge || regime.keys == KeyGeometry::extreme;
  if (beyond_f16 && input == formats::f16) sizes.input = Dtype::f16;
  HeadInputs head = regime_head(regime, rule, sizes, seed);
  head.options.chunk_size = shape.chunk;
  head.options.scale = static_cast<float>(head.options.scale);
  if (input == formats::bf16) return head;
  for (Matrix* m : {&head.q, &head.k, &head.v}) {
    *m = m->unaryExpr([&](double x) { return round_to_nearest_even(input, x * 1.01234567); });
  }
  return head;
}

}  // namespace deltaproof::arithmetic_tests
