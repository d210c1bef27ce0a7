#include "fuzz/targets/case_file.hpp"

#include <fmt/format.h>

#include "fuzz/memory_file.hpp"
#include "kernels/recorded.hpp"
#include "properties/accuracy/accuracy.hpp"
#include "reference/problem/input_error.hpp"

namespace deltaproof::fuzz {
namespace {

/// Everything that a case file holds, of gradients only their names.
struct Contents {
  TensorMap tensors;
  Metadata metadata;
};

Contents contents_of(const CaseFile& file) {
  Contents contents{file.problem.tensors(), file.metadata};
  if (file.outputs) contents.tensors.insert(file.outputs->tensors.begin(), file.outputs->tensors.end());
  return contents;
}

void require_equal(const Contents& before, const Contents& after) {
  if (before.metadata != after.metadata) throw Finding("metadata changed by writing and reading");
  if (before.tensors.size() != after.tensors.size()) throw Finding("tensors appeared or vanished by writing and reading");
  for (const auto& [name, tensor] : before.tensors) {
    const auto other = after.tensors.find(name);
    if (other == after.tensors.end()) throw Finding("tensor " + name + " vanished by writing and reading");
    if (tensor.dtype != other->second.dtype || tensor.shape != other->second.shape ||
        tensor.bytes != other->second.bytes) {
      throw Finding("tensor " + name + " changed by writing and reading");
    }
  }
}

// Small enough to be judged in milliseconds.
bool is_tiny(const Problem& problem) {
  const Dimensions& d = problem.dims();
  std::int64_t elements = 0;
  for (const auto& [name, tensor] : problem.tensors()) elements += tensor.size();
  return d.T <= 32 && d.N <= 8 && d.B <= 8 && d.HV <= 4 && d.K <= 32 && d.V <= 32 && d.slots <= 16 && elements <= 8192;
}

void judge(const CaseFile& file) {
  AccuracyOptions options;
  options.threads = 1;
  options.name_fits = false;
  try {
    const Verdict verdict = check_accuracy(file.problem, RecordedKernel(file), options);
    if (verdict.status != Status::passed && verdict.reason.empty()) {
      throw Finding(fmt::format("a verdict '{}' without a reason", status_name(verdict.status)));
    }
  } catch (const InputError&) {  // of what only judging looks at
  }
}

}  // namespace

void check_case_file(Bytes bytes, const CaseFileFunctions& functions) {
  static MemoryFile given, written;
  given.set(bytes);
  std::optional<CaseFile> file;
  try {
    file = functions.read(given.path());
  } catch (const InputError& refused) {
    const std::string_view text = refused.what();
    if (text.empty() || text.find('\n') != std::string_view::npos) throw Finding("a refusal that is not one line of text");
    return;
  }
  const Contents contents = contents_of(*file);
  Contents again;
  try {
    functions.write(written.writable_path(), contents.metadata, contents.tensors);
    again = contents_of(functions.read(written.writable_path()));
  } catch (const InputError& refused) {
    throw Finding(std::string("what was read cannot be written and read again: ") + refused.what());
  }
  require_equal(contents, again);
  if (file->outputs && is_tiny(file->problem)) judge(*file);
}

}  // namespace deltaproof::fuzz
