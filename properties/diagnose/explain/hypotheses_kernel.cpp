#include "properties/diagnose/explain/hypotheses_kernel.hpp"

#include <utility>

#include <fmt/format.h>

#include "reference/arithmetic/built_in.hpp"
#include "reference/arithmetic/emulate.hpp"
#include "reference/arithmetic/texts.hpp"

namespace deltaproof {
namespace {

bool is_recurrent(const Declared& declared) { return find_text(declared.text)->products.empty(); }

// Every value of a narrower type is one of fp32.
Problem in_fp32(const Problem& problem) {
  TensorMap inputs = problem.tensors();
  for (const char* name : {"q", "k", "v"}) {
    Tensor& rows = inputs.at(name);
    rows = Tensor::from(Dtype::f32, rows.shape, rows.values());
  }
  return problem.with_inputs(std::move(inputs));
}

std::string name_of(const Declared& declared, Rule rule) {
  const NamedDeclaration nearest = nearest_built_in(declared, rule);
  const std::string differs = difference(nearest.declared, declared);
  return differs.empty() ? std::string(nearest.name) : fmt::format("{} with {}", nearest.name, differs);
}

// Why the declared order cannot be followed to the bit.
std::string no_exact_kernel(const Problem& state, const std::optional<Declared>& declared) {
  const std::string& arithmetic = state.options().arithmetic;
  if (!declared) return fmt::format("arithmetic {} declares no order of roundings", arithmetic);
  for (const char* name : {"q", "k", "v"}) {
    if (state.find(name)->dtype == Dtype::f64) return fmt::format("{} is in F64, which no declared order computes", name);
  }
  const TextInfo* text = find_text(declared->text);
  if (text == nullptr || !text->covers(rule_info(state.options().rule))) {
    return fmt::format("{} does not compute rule {}", declared->text, rule_info(state.options().rule).name);
  }
  return no_emulation(*declared, state);
}

bool runs_token_by_token(const Problem& state, const std::optional<Declared>& declared) {
  if (declared) return find_text(declared->text) != nullptr && is_recurrent(*declared);
  return state.options().arithmetic == "fp64";
}

}  // namespace

std::optional<HypothesisKernel> without_roundings(const Problem& problem, bool recurrent) {
  const char* name = recurrent ? "deltaproof-recurrent" : "deltaproof-chunk";
  std::optional<Declared> declared = built_in(name, state_rule(problem.options()).rule);
  if (!declared) return std::nullopt;
  declared->exp2 = Exp2::correctly_rounded;
  Problem wide = in_fp32(problem);
  Problem state = wide.state_part();
  if (!no_emulation(*declared, state).empty()) return std::nullopt;
  const char* kind = recurrent ? "a token recurrence in fp32" : "a chunk kernel in fp32";
  return HypothesisKernel{kind, std::move(wide), std::move(state), *std::move(declared), false};
}

HypothesisKernels kernels_of_hypotheses(const Problem& problem, const std::optional<Declared>& declared) {
  const Problem state = problem.state_part();
  HypothesisKernels found;
  found.assumed = no_exact_kernel(state, declared);
  const bool recurrent = runs_token_by_token(state, declared);
  if (found.assumed.empty()) {
    found.kernels.push_back({name_of(*declared, state.options().rule), problem, state, *declared, true});
  } else if (!recurrent) {
    if (auto chunk = without_roundings(problem, false)) found.kernels.push_back(*std::move(chunk));
  }
  if (!recurrent || !found.assumed.empty()) {
    if (auto tokens = without_roundings(problem, true)) found.kernels.push_back(*std::move(tokens));
  }
  if (found.kernels.empty()) {
    found.assumed = fmt::format("no kernel that computes rule {} is known", rule_info(problem.options().rule).name);
  }
  return found;
}

}  // namespace deltaproof
