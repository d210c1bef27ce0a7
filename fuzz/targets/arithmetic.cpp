#include "fuzz/targets/arithmetic.hpp"

#include <optional>
#include <string_view>

#include "reference/arithmetic/resolved.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof::fuzz {
namespace {

std::optional<Declared> read(const ArithmeticFunctions& functions, const std::string& json, Rule rule) {
  try {
    return functions.read("input", json, rule);
  } catch (const InputError& refused) {
    const std::string_view text = refused.what();
    if (text.empty() || text.find('\n') != std::string_view::npos) throw Finding("a refusal that is not one line of text");
    return std::nullopt;
  }
}

void check_read(const ArithmeticFunctions& functions, const Declared& declared, Rule rule) {
  const std::string json = functions.write(declared);
  const std::optional<Declared> again = read(functions, json, rule);
  if (!again) throw Finding("a declaration's own JSON is refused: " + json);
  if (!(*again == declared)) throw Finding("a declaration changed by JSON: " + difference(declared, *again) + " in " + json);
  if (functions.write(*again) != json) throw Finding("a declaration's JSON reads back to other text: " + json);
  if (!difference(declared, *again).empty()) throw Finding("equal declarations differ: " + difference(declared, *again));
  for (const Format& input : {formats::bf16, formats::f16, formats::f32}) {
    resolve(declared, input, input, true, true);  // an accepted declaration means something for every type
  }
}

}  // namespace

void check_arithmetic(Bytes bytes, const ArithmeticFunctions& functions) {
  const std::string json(bytes.begin(), bytes.end());
  for (const RuleInfo& rule : rule_table()) {
    const std::optional<Declared> declared = read(functions, json, rule.rule);
    if (declared) check_read(functions, *declared, rule.rule);
  }
}

}  // namespace deltaproof::fuzz
