// What is said to change no bit changes none, on every family of inputs; what is not, does.
#include <gtest/gtest.h>

#include "properties/defects/catalogue.hpp"
#include "properties/defects/defect_kernel.hpp"
#include "properties/runs/kernel_case.hpp"

namespace deltaproof {
namespace {

// Whether any bit of o or of a final state changes in the first cases of a family.
bool changes(const Defect& defect, const Regime& regime, std::uint64_t cases) {
  for (const char* name : {"chunk", "recurrent"}) {
    const std::string arithmetic = "deltaproof-" + std::string(name);
    for (std::uint64_t index = 0; index < cases; ++index) {
      const Problem problem = kernel_case(*find_built_in_kernel(name), regime, 0, index);
      if (problem.dims().K > 64 || problem.dims().V > 64) continue;  // quick ones
      const DefectKernel wrong(&defect, arithmetic);
      if (!wrong.refusal(problem).empty()) continue;
      if (!same_bits(wrong.run(problem), DefectKernel(nullptr, arithmetic).run(problem))) return true;
    }
  }
  return false;
}

TEST(Controls, ChangeNoBitOnAnyFamilyOfInputs) {
  for (const Defect& defect : defect_catalogue()) {
    if (defect.equivalent.empty()) continue;
    for (const Regime& regime : regimes()) EXPECT_FALSE(changes(defect, regime, 8)) << defect.id << " " << regime.name;
  }
}

TEST(Controls, OneIsPlantedAndOthersHaveReasons) {
  std::vector<std::string_view> planted, equivalent;
  for (const Defect& defect : defect_catalogue()) {
    if (defect.stage == Stage::none) planted.push_back(defect.id);
    if (!defect.equivalent.empty()) equivalent.push_back(defect.id);
    EXPECT_EQ(defect.bug_class == BugClass::harness, !defect.equivalent.empty()) << defect.id;
  }
  EXPECT_EQ(planted, std::vector<std::string_view>{"no_op"});
  EXPECT_GE(equivalent.size(), 2);
}

}  // namespace
}  // namespace deltaproof
