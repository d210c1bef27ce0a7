#include "tests/properties/diagnose/shrink/defect_case.hpp"

#include <fmt/format.h>

#include <utility>

#include "kernels/built_in/capabilities.hpp"
#include "properties/accuracy/emulated_outputs.hpp"
#include "properties/defects/catalogue.hpp"
#include "reference/arithmetic/built_in.hpp"

namespace deltaproof {
namespace {

ProblemSpec of_rule(const char* rule, std::int64_t channels) {
  ProblemSpec spec;
  spec.options = {{"rule", rule}};
  spec.shape.K = spec.shape.V = channels;
  spec.shape.H = 4, spec.shape.HV = 8;
  spec.shape.tokens = 512;
  spec.shape.initial_state = true;
  return spec;
}

ProblemSpec with(ProblemSpec spec, const char* option, const char* value) {
  spec.options[option] = value;
  return spec;
}

std::vector<ProblemSpec> of_cache(std::int64_t channels) {
  ProblemSpec row = with(with(of_rule("hola", channels), "cache_size", "16"), "cache_block", "48");
  ProblemSpec whole = with(with(of_rule("hola", channels), "cache_size", "600"), "read", "l2");
  return {row, packed(with(row, "state_layout", "vk"), {200, 150, 0, 162}), whole};
}

}  // namespace

RunCase case_of(const ProblemSpec& spec) {
  Problem problem = problem_of(spec);
  Metadata metadata = spec.options;
  metadata["format"] = "deltaproof.case/1";
  const Options& options = problem.options();
  if (options.scale_given) metadata["scale"] = fmt::format("{}", options.scale);  // a family may have one
  if (options.qk_l2norm == L2Norm::both) metadata["qk_l2norm"] = "kernel";         // hola's default, too
  return {std::move(metadata), std::move(problem), {}};
}

std::vector<ProblemSpec> long_problems(const std::string& order, std::int64_t channels) {
  if (order.starts_with("hola")) return of_cache(channels);
  const ProblemSpec row = of_rule("gated_delta", channels);
  ProblemSpec tail = row, oblong = row;
  tail.shape.tokens = 500;
  oblong.shape.V = channels / 2;
  const ProblemSpec kla = packed(with(of_rule("kla", channels), "state_layout", "vk"), {200, 150, 0, 162});
  ProblemSpec pool = packed(with(of_rule("vector_decay_delta", channels), "qk_l2norm", "kernel"), {200, 100, 0, 212});
  pool.shape.input = Dtype::f32;
  pool.pool = true;
  ProblemSpec rows = packed(with(of_rule("gated_delta", channels), "qk_l2norm", "kernel"), {200, 100, 0, 212});
  rows.pool = true;
  return {row, tail, oblong, kla, rows, pool};
}

std::optional<DefectCase> failing_case(const Defect& defect, std::int64_t channels) {
  const bool cached = std::holds_alternative<HolaFault>(defect.edit);
  const std::vector<std::string> orders =
      cached ? std::vector<std::string>{"hola", "hola_decode"} : std::vector<std::string>{"chunk", "fla-chunk", "recurrent"};
  RunChecks checks;
  checks.accuracy.name_fits = false;
  for (const std::string& order : orders) {
    for (const char* regime : {"typical", "resets"}) {
      for (ProblemSpec spec : long_problems(order, channels)) {
        spec.regime = regime;
        auto kernel = std::make_unique<DefectKernel>(&defect, order);
        spec.options["arithmetic"] = kernel->arithmetic();
        RunCase run = case_of(spec);
        run.metadata["kernel"] = kernel->name();
        if (!kernel->refusal(run.problem).empty() || !kernel->has_scores(run.problem)) continue;
        JudgedCase judged = KernelJudge(*kernel, checks).judge(std::move(run));
        if (!is_failure(judged.verdict.status)) continue;
        return DefectCase{order, std::move(kernel), std::move(judged)};
      }
    }
  }
  return std::nullopt;
}

std::optional<RunCase> recorded_run(const Defect& defect, const DefectCase& found) {
  RunCase run = found.run.run;
  const bool in_kernel = std::holds_alternative<MakeFault>(defect.edit) || std::holds_alternative<DamageOutputs>(defect.edit);
  const auto declared = built_in(found.kernel->arithmetic(), run.problem.options().rule);
  if (!in_kernel || !declared) return run.outputs.tensors.empty() ? std::nullopt : std::optional(std::move(run));
  const FaultyKernel kernel(run.problem, *declared);
  const Outputs right = kernel.run();
  if (!why_not(defect, run.problem, right).empty() && std::holds_alternative<DamageOutputs>(defect.edit)) {
    return std::nullopt;
  }
  run.outputs = with_defect(defect, run.problem, right, kernel, 1, 0);
  return run;
}

}  // namespace deltaproof
