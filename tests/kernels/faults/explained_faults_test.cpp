// Faults in the source of a built-in kernel, run on the host executor and explained from a case file alone: the catalogue's
// entry for the same mistake comes first, and where it has none nothing fits (docs/explain-hits.md).
#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "kernels/built_in/built_in_kernel.hpp"
#include "properties/defects/matrix_problems.hpp"
#include "tests/kernels/faults/fault_run.hpp"
#include "tests/properties/diagnose/explain/hypotheses_hits.hpp"

namespace deltaproof {
namespace {

/// A fault of tests/kernels/faults/*.txt, and the entry of the catalogue that is the same mistake; "": there is none.
struct SameMistake {
  const char* fault;
  const char* kernel;
  const char* defect;
  bool fits = true;  ///< the entry fits; false: nothing does
};

void PrintTo(const SameMistake& same, std::ostream* out) { *out << same.fault; }

// Of two no value is out of bound, and the catalogue's entry rounds other than the source: first, but other bits.
constexpr SameMistake same_mistakes[] = {
    {"recurrent_key_head", "recurrent", "gva_tiled"},
    {"recurrent_norm_eps", "recurrent", "l2_eps_outside", false},
    {"recurrent_coefficient_eps", "recurrent", "eps_0", false},
    {"recurrent_scale", "recurrent", "scale_none"},
    {"recurrent_output_cut", "recurrent", "o_trunc"},
    {"inverse_sign", "chunk", "merge_sign"},
    {"forward_rounded_twice", "chunk", "us_from_vb"},
    {"cache_lowest_scores", "hola", "cache_lowest"},
    {"cache_future_scores", "hola", "cache_future"},
    {"cache_sink", "hola", "sink_missing"},
    {"cache_stale_block", "hola", "read_stale_cache"},
    {"cache_own_token", "hola", "read_not_self"},
    {"cache_logit_scale", "hola", "logit_no_root_d"},
    {"cache_read_eps", "hola", "rms_eps_outside"},
    {"cache_rescale", "hola", "", false},  // the sum of the weights is rescaled, other than in softmax_no_rescale
    {"cache_gate", "hola", "gate_no_sigmoid"},
};

class ExplainedFaults : public testing::TestWithParam<SameMistake> {};
INSTANTIATE_TEST_SUITE_P(, ExplainedFaults, testing::ValuesIn(same_mistakes),
                         [](const auto& test) { return std::string(test.param.fault); });

std::shared_ptr<const Device> device_with(const char* fault) {
  HostDeviceOptions options;
  options.build = HostBuild::checked;
  options.threads = 1;
  options.folder = std::filesystem::path(DELTAPROOF_FAULTS) / fault;
  return open_host_device(options);
}

// Libraries of the chunk kernel with a fault have chunks of 32 alone.
std::vector<ProblemSpec> problems_for(const SameMistake& same) {
  std::vector<ProblemSpec> specs = problem_specs_for(same.kernel, *find_regime("typical"), 1);
  for (ProblemSpec& spec : specs) {
    if (same.kernel == std::string("chunk")) spec.options["chunk_size"] = "32";
  }
  return specs;
}

TEST_P(ExplainedFaults, NameTheSameMistakeFirst) {
  const SameMistake& same = GetParam();
  const BuiltInInfo& info = *find_built_in_kernel(same.kernel);
  const BuiltInKernel kernel(info, device_with(same.fault));
  const Defect* defect = find_defect(same.defect);
  int rank = 0;
  bool fits = false;
  std::string seen, first = "no run is wrong";
  for (const ProblemSpec& spec : problems_for(same)) {
    const Problem problem = problem_of(spec);
    if (!kernel.refusal(problem).empty()) continue;
    const ExplainedFile file = explained_file(spec, problem, kernel.run(problem), std::string(info.arithmetic));
    if (file.verdict.status == Status::passed) continue;
    const std::vector<Hypothesis>& ranked = file.hypotheses.ranked;
    rank = defect == nullptr ? 0 : rank_of(*defect, file.hypotheses);
    // As explains() of an explanation says it.
    const bool by_bound = file.out_of_bound || file.verdict.status == Status::failed;
    fits = !ranked.empty() && (by_bound ? ranked.front().fits() : ranked.front().unequal == 0);
    first = ranked.empty() ? "nothing" : std::string(ranked.front().defect->id);
    seen = file.out_of_bound ? "a value out of bound" : status_name(file.verdict.status);
    if (file.out_of_bound) break;
  }
  std::cout << "| `" << same.fault << "` | `" << same.defect << "` | " << seen << " | " << rank << " | "
            << (fits ? "yes" : "no") << " |\n";
  EXPECT_FALSE(seen.empty());
  EXPECT_EQ(rank, defect == nullptr ? 0 : 1) << "first: " << first;
  EXPECT_EQ(fits, same.fits) << "first: " << first;
}

}  // namespace
}  // namespace deltaproof
