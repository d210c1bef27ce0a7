#include "properties/golden/vector_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "properties/golden/difference.hpp"
#include "properties/golden/text_or.hpp"
#include "properties/runs/problem_spec.hpp"
#include "reference/problem/message.hpp"
#include "reference/problem/options.hpp"
#include "reference/problem/schema.hpp"

namespace deltaproof::golden {
namespace {

constexpr const char* route =
    "the rule token by token in MPFI intervals; each number rounded once, where both ends of its enclosure round alike";

bool is_answer(const Options& options, const std::string& tensor) {
  const auto specs = output_specs(options);
  return std::ranges::any_of(specs, [&](const TensorSpec& spec) {
    return tensor == spec.name || tensor == spec.name + ".f64" || tensor == spec.name + ".radius";
  });
}

std::string name_of(L2Norm norm) {
  switch (norm) {
    case L2Norm::none:
      return "none";
    case L2Norm::q:
      return "q";
    case L2Norm::k:
      return "k";
    case L2Norm::both:
      return "kernel";
  }
  throw std::logic_error("unknown normalisation");
}

// Everything but what the answer's own making says.
std::string metadata_difference(const Metadata& file, const Metadata& wanted) {
  for (const auto& [key, value] : wanted) {
    const std::string actual = text_or(file, key, "");
    if (actual != value) return fmt::format("metadata '{}' is {}, should be {}", key, in_quotes(actual), in_quotes(value));
  }
  for (const auto& [key, value] : file) {
    if (!wanted.contains(key) && key != "precision_bits") return fmt::format("metadata '{}' should not be there", key);
  }
  return "";
}

Metadata with_provenance(Metadata metadata) {
  metadata["vector"] = vector_format;
  metadata["arithmetic"] = "fp64";
  metadata["kernel"] = "correctly rounded";
  metadata["route"] = route;
  metadata.emplace("source", "deltaproof golden write");
  return metadata;
}

std::string whole_number_missing(const Metadata& metadata) {
  const std::string text = text_or(metadata, "precision_bits", "");
  const bool whole = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  return whole ? "" : fmt::format("metadata 'precision_bits' is {}, should be a whole number", in_quotes(text));
}

// What of the problem is not what its text draws.
std::string problem_difference(const Question& question) {
  const std::string spec = text_or(question.metadata, "spec", "");
  if (spec.empty()) return metadata_difference(question.metadata, with_provenance(question.metadata));
  const Question wanted = drawn(spec, text_or(question.metadata, "note", ""));
  const std::string difference = metadata_difference(question.metadata, with_provenance(wanted.metadata));
  if (!difference.empty()) return difference;
  const Difference tensors = difference_of(question.inputs, wanted.inputs);
  return tensors.text.empty() ? "" : "not the problem that its spec draws: " + tensors.text;
}

Verification verified(const std::string& name, Safetensors file) {
  Verification result;
  result.rule = text_or(file.metadata, "rule", "?");
  if (text_or(file.metadata, "vector", "") != vector_format) {
    result.wrong = fmt::format("metadata 'vector' is {}, should be '{}': `deltaproof golden write` adds answers to a problem",
                               in_quotes(text_or(file.metadata, "vector", "")), vector_format);
    return result;
  }
  const Options options = parse_options(name, file.metadata);
  TensorMap claimed;
  for (const auto& [tensor, value] : file.tensors) {
    if (is_answer(options, tensor)) claimed[tensor] = value;
  }
  const Question question = read_question(name, std::move(file));
  result.wrong = problem_difference(question);
  if (result.wrong.empty()) result.wrong = whole_number_missing(question.metadata);
  if (!result.wrong.empty()) return result;
  const Answers exact = answers(Problem::make(name, question.metadata, question.inputs), Route::second);
  result.bits = exact.bits;
  result.alone = exact.alone;
  const Difference difference = difference_of(claimed, exact.tensors);
  result.numbers = difference.compared;
  result.wrong = difference.text;
  return result;
}

}  // namespace

Question drawn(const std::string& spec, const std::string& note) {
  const ProblemSpec parsed = parse_spec(spec);
  const Problem problem = problem_of(parsed);
  Question question{parsed.options, problem.tensors()};
  question.metadata["format"] = "deltaproof.case/1";
  question.metadata["scale"] = fmt::format("{}", problem.options().scale);
  question.metadata["qk_l2norm"] = name_of(problem.options().qk_l2norm);
  question.metadata["chunk_size"] = std::to_string(problem.options().chunk_size);
  question.metadata["note"] = note;
  question.metadata["spec"] = to_text(parsed);
  for (const std::string& unused : problem.unused()) question.inputs.erase(unused);
  return question;
}

Question read_question(const std::string& name, Safetensors file) {
  const Options options = parse_options(name, file.metadata);
  Question question;
  for (auto& [tensor, value] : file.tensors) {
    if (!is_answer(options, tensor)) question.inputs[tensor] = std::move(value);
  }
  question.metadata = std::move(file.metadata);
  if (text_or(question.metadata, "note", "").empty())
    throw InputError(name + ": metadata has no 'note'; a vector says what it is for");
  return question;
}

Safetensors answered(const std::string& name, const Question& question) {
  Safetensors file{with_provenance(question.metadata), question.inputs};
  const Problem problem = Problem::make(name, question.metadata, question.inputs);
  file.metadata["scale"] = fmt::format("{}", problem.options().scale);  // its default would have to be computed
  Answers exact = answers(problem, Route::first);
  file.metadata["precision_bits"] = std::to_string(exact.bits);
  file.tensors.merge(exact.tensors);
  return file;
}

Verification verify_vector(const std::string& name, Safetensors file) {
  const std::string rule = text_or(file.metadata, "rule", "?");
  try {
    return verified(name, std::move(file));
  } catch (const InputError& error) {
    return {.wrong = error.what(), .rule = rule};
  }
}

}  // namespace deltaproof::golden
