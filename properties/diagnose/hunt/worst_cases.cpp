#include "properties/diagnose/hunt/worst_cases.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "kernels/stepwise.hpp"
#include "properties/diagnose/hunt/proposal.hpp"

namespace deltaproof {
namespace {

std::string note_of(const HuntState& state, Objective objective, const Worst& worst) {
  const Dtype type = worst.candidate.spec.shape.input;
  const TypicalValues* typical = state.typical_of(objective, type);
  std::string note;
  switch (objective) {
    case Objective::bound: note = fmt::format("largest error over bound {:.5g}", worst.value); break;
    case Objective::sigma: note = fmt::format("largest error {:.3g} sigma", worst.value); break;
    case Objective::relative: note = fmt::format("relative error {:.3g} of a head's o", worst.value); break;
  }
  if (typical != nullptr && typical->largest > 0) {
    note += fmt::format(", {:.3g} times the largest of {} typical problems", worst.value / typical->largest,
                        typical->problems);
  }
  return note;
}

std::string told(const Candidate& candidate) {
  std::string text = "; problem: " + to_text(candidate.spec);
  for (const EntryMove& move : candidate.entries) text += "; then " + to_text(move);
  return text;
}

void add_outputs(const Problem& problem, const Kernel& kernel, TensorMap& tensors) try {
  const bool has_cache = problem.options().rule == Rule::hola;
  const Outputs outputs = has_cache ? kernel.run(problem) : run_stepwise(kernel, problem).outputs;
  for (const auto& [name, tensor] : outputs.tensors) tensors[name] = tensor;
} catch (const KernelError&) {  // what the finding is about
}

}  // namespace

std::vector<WorstCase> worst_cases(const HuntState& state, std::size_t count) {
  std::vector<WorstCase> all;
  for (const Objective objective : objectives_of(state.identity)) {
    std::size_t rank = 0;
    for (const Worst& worst : state.archives[static_cast<std::size_t>(objective)].ranked(objective)) {
      if (rank == count) break;
      all.push_back({fmt::format("{}-{}", objective_name(objective), ++rank), worst.candidate,
                     note_of(state, objective, worst) + told(worst.candidate), worst.evaluation});
    }
  }
  std::map<std::string, int> ranks;
  for (const Finding& finding : state.findings) {
    const std::string status = status_name(finding.status);
    all.push_back({fmt::format("{}-{}", status, ++ranks[status]), finding.candidate,
                   finding.reason + told(finding.candidate), finding.evaluation});
  }
  return all;
}

void write_worst_case(const std::filesystem::path& folder, const WorstCase& worst, const Kernel& kernel) {
  const Problem problem = problem_of(worst.candidate);
  Metadata metadata = metadata_of(worst.candidate, problem);
  metadata["kernel"] = kernel.name();
  metadata["arithmetic"] = kernel.arithmetic();
  metadata["source"] = "deltaproof hunt";
  metadata["note"] = worst.note;
  TensorMap tensors = problem.tensors();
  add_outputs(problem, kernel, tensors);
  write_case(folder / (worst.name + ".safetensors"), metadata, tensors);
}

}  // namespace deltaproof
