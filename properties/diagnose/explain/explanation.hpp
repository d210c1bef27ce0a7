#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "properties/diagnose/explain/broken_terms.hpp"
#include "properties/diagnose/explain/hypotheses.hpp"
#include "properties/diagnose/explain/spread.hpp"
#include "properties/diagnose/explain/stage.hpp"
#include "properties/diagnose/explain/value_pattern.hpp"

namespace deltaproof {

/// What an explanation looks at: what is wrong is held against the bound of the right answer or, where nothing is out of that,
/// against what the declared order of roundings can give.
enum class ExplainedBy { nothing, bound, declared_order };

/// What is wrong with a run, from its problem, its outputs and what it declares.
struct Explanation {
  Verdict verdict;
  ExplainedBy by = ExplainedBy::nothing;
  std::optional<BrokenTerms> first, worst;  ///< wrong values
  StageFinding stage;
  std::vector<TensorSpread> spread;
  std::vector<ValuePattern> patterns;
  std::optional<Hypotheses> hypotheses;  ///< not asked where nothing is wrong
  std::vector<std::string> notes;        ///< what was not looked at
  std::string reproduce;                 ///< command lines
  std::vector<std::string> next;
};

struct ExplainOptions {
  std::string tensor_core = "any";
  int threads = 0;                       ///< 0: all cores
  std::function<void(double)> progress;  ///< called with the share done, from any thread
};

/// Judges the outputs and says what is wrong with them. `declared`: the order of roundings, if not the built-in one of the
/// problem's arithmetic. Names of files and kernels are not read. Throws what check_accuracy throws.
Explanation explain(const Problem& problem, const Outputs& outputs, const std::optional<Declared>& declared,
                    const ExplainOptions& options = {});

/// Whether every value of a hypothesis is within the bound; where none was outside it, whether every bit is equal.
bool explains(const Explanation& explanation, const Hypothesis& hypothesis);

/// The verdict in a line, and what it means.
std::string verdict_sentence(const Explanation& explanation);

/// For people: lines of printable ASCII.
std::string text_of(const Explanation& explanation);
/// Format deltaproof.explanation/1 (docs/explain.md).
std::string json_of(const Explanation& explanation);

}  // namespace deltaproof
