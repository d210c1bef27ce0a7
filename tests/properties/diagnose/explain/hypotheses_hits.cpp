#include "tests/properties/diagnose/explain/hypotheses_hits.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "kernels/recorded.hpp"
#include "properties/defects/defect_kernel.hpp"
#include "properties/defects/faulty_kernel.hpp"
#include "properties/defects/matrix_problems.hpp"
#include "reference/arithmetic/built_in.hpp"

namespace deltaproof {
namespace {

// An order that no file names: that of another library's kernels.
std::string other_order(const std::string& kernel, const Problem& problem) {
  if (kernel != "chunk") return kernel;
  return built_in("fla-chunk", problem.options().rule) ? "fla-chunk" : "fla-kda-chunk";
}

/// The outputs of a kernel of `order` with and without the defect; nothing if it says nothing there.
struct Runs {
  Outputs wrong, right;
};
std::optional<Runs> runs_with(const Defect& defect, const std::string& order, const Problem& problem, bool with_states) {
  const DefectKernel wrong(&defect, order), right(nullptr, order);
  if (!wrong.refusal(problem).empty() || !wrong.has_scores(problem)) return std::nullopt;
  if (!with_states) return Runs{wrong.run(problem), right.run(problem)};
  if (std::holds_alternative<WrongRun>(defect.edit) || std::holds_alternative<HolaFault>(defect.edit)) return std::nullopt;
  const FaultyKernel kernel(problem, built_in(wrong.arithmetic(), problem.options().rule).value());
  Outputs without = kernel.run();
  Outputs with = with_defect(defect, problem, without, kernel, 1, 0);
  return Runs{std::move(with), std::move(without)};
}

/// A file that goes away.
class CaseOnDisk {
 public:
  CaseOnDisk(const Metadata& metadata, const TensorMap& tensors)
      : path_(std::filesystem::temp_directory_path() / name_of_its_own()) {
    write_case(path_, metadata, tensors);
  }
  ~CaseOnDisk() { std::filesystem::remove(path_); }
  CaseOnDisk(const CaseOnDisk&) = delete;
  CaseOnDisk& operator=(const CaseOnDisk&) = delete;
  CaseFile read() const { return read_case(path_); }

 private:
  static std::string name_of_its_own() {
    static std::atomic<int> count = 0;
    return fmt::format("deltaproof_hypotheses_{}_{}.safetensors", ::getpid(), count++);
  }

  std::filesystem::path path_;
};

CaseFile through_a_file(const ProblemSpec& spec, const Problem& problem, const Outputs& outputs,
                        const std::string& declares) {
  Metadata metadata = spec.options;
  metadata["arithmetic"] = declares;
  if (problem.options().rule == Rule::hola) metadata.emplace("qk_l2norm", "kernel");
  TensorMap tensors = problem.tensors();
  for (const auto& [name, tensor] : outputs.tensors) tensors[name] = tensor;
  return CaseOnDisk(metadata, tensors).read();
}

}  // namespace

ExplainedFile explained_file(const ProblemSpec& spec, const Problem& problem, const Outputs& outputs,
                             const std::string& declares) {
  const CaseFile file = through_a_file(spec, problem, outputs, declares);
  AccuracyOptions options;
  options.threads = 1;
  options.name_fits = false;
  const Measured measured = measure(file.problem, RecordedKernel(file), options);
  const bool bad = std::ranges::any_of(measured.blocks, [](const MeasuredBlock& block) { return block.is_bad(); });
  HypothesesOptions of_search;
  of_search.threads = 1;
  return {measured.verdict, bad, hypotheses(file.problem, *file.outputs, std::nullopt, measured, of_search)};
}

int rank_of(const Defect& defect, const Hypotheses& hypotheses) {
  int rank = 0;
  for (const Hypothesis& hypothesis : hypotheses.ranked) {
    ++rank;
    if (hypothesis.defect == &defect || std::ranges::count(hypothesis.equivalents, &defect) > 0) return rank;
  }
  return 0;
}

Hit hit_of(const Defect& defect, const std::string& kernel, FileOf file) {
  Hit best{&defect, {}, Status::passed, false, 0, false, {}, 0};
  const auto worse = [](const Hit& hit) { return std::pair(hit.out_of_bound, hit.status != Status::passed); };
  for (const ProblemSpec& spec : problem_specs_for(kernel, *find_regime("typical"), 1)) {
    const Problem problem = problem_of(spec);
    const std::string order = file == FileOf::declared_order ? kernel : other_order(kernel, problem);
    const std::optional<Runs> runs = runs_with(defect, order, problem, file == FileOf::other_order_with_states);
    if (!runs || same_bits(runs->wrong, runs->right)) continue;
    const std::string declares = file == FileOf::declared_order ? DefectKernel(nullptr, order).arithmetic() : "generic";
    const ExplainedFile explained = explained_file(spec, problem, runs->wrong, declares);
    const std::vector<Hypothesis>& ranked = explained.hypotheses.ranked;
    Hit hit{&defect, order, explained.verdict.status, explained.out_of_bound, rank_of(defect, explained.hypotheses),
            false, {}, 0};
    if (hit.rank > 0) hit.fits = ranked[static_cast<std::size_t>(hit.rank) - 1].fits();
    if (!ranked.empty()) hit.first = ranked.front().defect->id, hit.equivalents = ranked.front().equivalents.size();
    if (best.kernel.empty() || worse(hit) > worse(best)) best = hit;
    if (best.out_of_bound) break;
  }
  return best;
}

}  // namespace deltaproof
