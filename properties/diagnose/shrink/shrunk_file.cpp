#include "properties/diagnose/shrink/shrunk_file.hpp"

#include <fmt/format.h>

#include <utility>

namespace deltaproof {
namespace {

std::string counted(std::int64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

RunCase case_for(const CaseFile& file, const Kernel& kernel) {
  RunCase run{file.metadata, file.problem.with_arithmetic(kernel.arithmetic()), {}};
  run.metadata["arithmetic"] = kernel.arithmetic();
  run.metadata["kernel"] = kernel.name();
  return run;
}

RunCase recorded_case(const CaseFile& file) {
  RunCase run{file.metadata, file.problem, file.outputs.value_or(Outputs{})};
  run.metadata["arithmetic"] = file.problem.options().arithmetic;
  return run;
}

std::string to_text(const RunCase& run) {
  const Dimensions& d = run.problem.dims();
  const CaseSize size = size_of(run);
  const std::string tokens = d.B > 1 ? fmt::format("{} each", counted(d.T, "token")) : counted(d.T, "token");
  const std::string keys = d.H == d.HV ? "" : fmt::format(" ({} of keys)", d.H);
  return fmt::format("{} of {}, {}{}, K = {}, V = {}, {}", counted(d.N, "sequence"), tokens, counted(d.HV, "head"), keys,
                     d.K, d.V, counted(size.bytes, "byte"));
}

void write_shrunk_case(const std::filesystem::path& path, const ShrunkCase& shrunk, const std::string& source) {
  const RunCase& run = shrunk.smallest.run;
  Metadata metadata = run.metadata;
  std::string note = fmt::format("shrunk from {}: {}; {} of {} tried cases fail in this way", source,
                                 to_string(shrunk.failure), shrunk.taken, shrunk.tried);
  // What a golden vector says of its problem and answer is not true of a part of it.
  for (const char* key : {"vector", "route", "spec", "precision_bits"}) metadata.erase(key);
  if (!shrunk.why_over.empty()) note += fmt::format("; the search ended early: {}", shrunk.why_over);
  std::string& kept = metadata["note"];
  kept = kept.empty() ? note : kept + "; " + note;
  TensorMap tensors = run.problem.tensors();
  for (const auto& [name, tensor] : run.outputs.tensors) tensors.emplace(name, tensor);
  write_case(path, metadata, tensors);
}

std::string snippet_name(const std::filesystem::path& path) { return path.stem().string() + "_test.cpp"; }

}  // namespace deltaproof
