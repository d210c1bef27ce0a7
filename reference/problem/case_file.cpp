#include "reference/problem/case_file.hpp"

#include <algorithm>
#include <string_view>

#include "reference/problem/message.hpp"
#include "reference/problem/options.hpp"
#include "reference/problem/schema.hpp"

namespace deltaproof {
namespace {

constexpr std::string_view kGradients[] = {
    "do",   "d_final_state",   "dq",           "dk", "dv", "dg", "dbeta",
    "deta", "d_initial_state", "chunk_dstates"};

bool is_gradient(const std::string& name) {
  return std::find(std::begin(kGradients), std::end(kGradients), name) != std::end(kGradients);
}

std::string text_or(const Metadata& metadata, const std::string& key, std::string fallback) {
  const auto found = metadata.find(key);
  return found == metadata.end() ? std::move(fallback) : found->second;
}

/// Moves the tensors that `wanted` accepts out of `from`.
template <class Predicate>
TensorMap take(TensorMap& from, Predicate wanted) {
  TensorMap taken;
  for (auto entry = from.begin(); entry != from.end();) {
    const auto next = std::next(entry);
    if (wanted(entry->first)) taken.insert(from.extract(entry));
    entry = next;
  }
  return taken;
}

// What a golden vector says of an output beyond the output itself (docs/golden.md): no part of the problem.
bool beside_an_output(const std::vector<TensorSpec>& specs, const std::string& name) {
  return std::any_of(specs.begin(), specs.end(), [&](const TensorSpec& spec) {
    return name == spec.name + ".f64" || name == spec.name + ".radius";
  });
}

void check_outputs(const std::string& file, const Problem& problem,
                   const std::vector<TensorSpec>& specs, const TensorMap& tensors) {
  const Options& options = problem.options();
  const PartRows rows{part_rows(problem, options.states_every),
                      part_rows(problem, options.hola.cache_block)};
  for (const TensorSpec& spec : specs) {
    const auto found = tensors.find(spec.name);
    if (found == tensors.end()) continue;
    check_dtype(file, spec, found->second);
    check_shape(file, spec, found->second, problem.dims(), rows);
  }
}

}  // namespace

const Tensor* Outputs::find(const std::string& tensor) const {
  const auto found = tensors.find(tensor);
  return found == tensors.end() ? nullptr : &found->second;
}

CaseFile read_case(const std::filesystem::path& path) {
  const std::string file = path.string();
  Safetensors stored = read_safetensors(path);
  const std::vector<TensorSpec> specs = output_specs(parse_options(file, stored.metadata));
  TensorMap outputs = take(stored.tensors, [&](const std::string& name) {
    return std::any_of(specs.begin(), specs.end(),
                       [&](const TensorSpec& spec) { return spec.name == name; });
  });
  std::vector<std::string> gradients;
  for (const auto& [name, tensor] : take(stored.tensors, is_gradient)) gradients.push_back(name);
  take(stored.tensors, [&](const std::string& name) { return beside_an_output(specs, name); });

  Problem problem = Problem::make(file, stored.metadata, std::move(stored.tensors));
  check_outputs(file, problem, specs, outputs);
  // Messages name the path; the problem itself goes by its file name.
  CaseFile result{path,         std::move(problem).with_name(path.filename().string()),
                  std::nullopt, std::move(gradients),
                  {},           {},
                  {},           {}};
  if (!outputs.empty()) result.outputs = Outputs{std::move(outputs)};
  result.kernel = text_or(stored.metadata, "kernel", "recorded");
  result.source = text_or(stored.metadata, "source", "");
  result.note = text_or(stored.metadata, "note", "");
  result.metadata = std::move(stored.metadata);
  return result;
}

void write_case(const std::filesystem::path& path, const Metadata& metadata,
                const TensorMap& tensors) {
  Safetensors file{metadata, tensors};
  file.metadata.emplace("format", "deltaproof.case/1");
  write_safetensors(path, file);
}

}  // namespace deltaproof
