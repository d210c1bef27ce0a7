#include "properties/laws/scaling.hpp"

#include <utility>

#include "kernels/bits.hpp"
#include "properties/accuracy/emulated_outputs.hpp"
#include "properties/laws/bounded.hpp"
#include "properties/laws/promises.hpp"
#include "properties/laws/second_run.hpp"
#include "properties/laws/tensors.hpp"
#include "reference/arithmetic/emulate.hpp"

namespace deltaproof::laws {
namespace {

constexpr int largest_exponent = 5, tries = 8;

Outputs scaled_by(Outputs outputs, const OutputExponents& by) {
  for (const auto& [name, exponent] : {std::pair{"o", by.o}, std::pair{"final_state", by.final_state},
                                       std::pair{"chunk_states", by.final_state}, std::pair{"scores", by.scores}}) {
    const auto found = outputs.tensors.find(name);
    if (found != outputs.tensors.end()) found->second = scaled(found->second, exponent);
  }
  return without_signs_of_zero(std::move(outputs));
}

// The same numbers in f64, in which a power of two costs no bit.
Outputs in_doubles(Outputs outputs) {
  for (auto& [name, tensor] : outputs.tensors) tensor = Tensor::from(Dtype::f64, tensor.shape, tensor.values());
  return outputs;
}

bool survives(const Problem& problem, const std::vector<std::string>& names, int exponent) {
  for (const std::string& name : names) {
    const Tensor* tensor = problem.find(name);
    if (tensor != nullptr && scaled(scaled(*tensor, exponent), -exponent).bytes != tensor->bytes) return false;
  }
  return true;
}

// True if the declared order of roundings, read to the bit, obeys the law on these problems.
bool promises_bits(const Trial& trial, const Problem& first, const Problem& second, const OutputExponents& by,
                   bool with_states) {
  const std::optional<Declared> declared = declared_of(trial.kernel, first);
  const auto is_emulated = [&](const Problem& problem) {
    return declared && no_emulation(*declared, problem.state_part()).empty();
  };
  if (!is_emulated(first) || !is_emulated(second)) return false;
  const Outputs one = scaled_by(emulated_outputs(first, *declared, with_states), by);
  const Outputs other = without_signs_of_zero(emulated_outputs(second, *declared, with_states));
  return compare_bits(second, one, other).unequal == 0 && all_finite(second, other, answered(second));
}

}  // namespace

std::optional<int> exact_exponent(const Problem& problem, const std::vector<std::string>& names,
                                  const std::vector<std::string>& others, Generator& draw) {
  for (int i = 0; i < tries; ++i) {
    const int size = draw.integer(1, largest_exponent), exponent = draw.integer(0, 1) == 0 ? size : -size;
    if (survives(problem, names, exponent) && survives(problem, others, -exponent)) return exponent;
  }
  return std::nullopt;
}

void expect_scaled(const Trial& trial, const Problem& first, const Problem& second, const OutputExponents& by,
                   const std::string& what, Verdict& verdict) {
  const std::optional<Outputs> before = second_run(trial, first, verdict);
  if (!before) return;
  const std::optional<Outputs> got = second_run(trial, second, verdict);
  if (!got) return;
  if (promises_bits(trial, first, second, by, before->find("chunk_states") != nullptr)) {
    expect_bits(second, scaled_by(*before, by), without_signs_of_zero(*got), what, verdict, answered(second));
    return;
  }
  if (first.options().rule == Rule::hola) {
    return skip(verdict, "the declared order of roundings does not promise bits, and the runs may keep other tokens");
  }
  const RunBound one = bound_in_range(first, trial.kernel, *before), other = bound_in_range(second, trial.kernel, *got);
  Bounded bounded(verdict);
  bounded.about(what);
  bounded.outputs(second, scaled_by(in_doubles(*before), by), sum_of(scaled_by(one.bound, by), other.bound), *got);
  bounded.conclude();
}

}  // namespace deltaproof::laws
