#include "properties/diagnose/shrink/valid_slices.hpp"

#include <fmt/format.h>

namespace deltaproof {

std::string why_not_later(const RunCase& run) {
  const Options& options = run.problem.options();
  if (options.rule == Rule::hola) return "what the cache holds hangs on all of them";
  const System system = rule_info(options.rule).system;
  if (system == System::softmax) return "later ones attend to them";
  if (system == System::gsa) return "states of gsa between chunks are not recorded";
  if (options.rule == Rule::kla && options.position != Position::one) {
    return "the write coefficient hangs on a token's place in its sequence";
  }
  const Tensor* states = run.outputs.find("chunk_states");
  if (states == nullptr) return "there are no chunk_states to begin with";
  const bool kept_in_double = options.arithmetic == "fp64";
  if (states->dtype == Dtype::f64 || (states->dtype == Dtype::f32 && !kept_in_double)) return "";
  return fmt::format("chunk_states in {} do not hold the kernel's states exactly", dtype_name(states->dtype));
}

std::string why_not_fewer_columns(const RunCase& run) {
  const Options& options = run.problem.options();
  if (options.rule != Rule::hola || options.hola.score == CacheScore::recency) return "";
  return "what the cache keeps hangs on norms over all of them";
}

std::vector<std::string> cannot_be_sliced(const RunCase& run) {
  std::vector<std::string> kept;
  if (const std::string why = why_not_later(run); !why.empty()) kept.push_back("first tokens stay: " + why);
  if (const std::string why = why_not_fewer_columns(run); !why.empty()) kept.push_back("value channels stay: " + why);
  kept.push_back("key channels, values and options stay: with others the kernel would have to be run again");
  return kept;
}

}  // namespace deltaproof
