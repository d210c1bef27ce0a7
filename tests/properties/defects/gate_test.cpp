// The checks that kernels are run against kill every defect, and none of the controls.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "properties/defects/catalogue.hpp"
#include "properties/defects/gate.hpp"

namespace deltaproof {
namespace {

std::vector<const Defect*> defects(bool equivalent) {
  std::vector<const Defect*> list;
  for (const Defect& defect : defect_catalogue()) {
    if (defect.equivalent.empty() != equivalent) list.push_back(&defect);
  }
  return list;
}

std::string test_name(const testing::TestParamInfo<const Defect*>& test) {
  std::string name;
  for (const char c : test.param->id) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

class Gate : public testing::TestWithParam<const Defect*> {};
INSTANTIATE_TEST_SUITE_P(, Gate, testing::ValuesIn(defects(false)), test_name);

TEST_P(Gate, KillsIt) {
  const Defect& defect = *GetParam();
  const std::optional<Kill> kill = killed_by_gate(&defect);
  ASSERT_TRUE(kill) << defect.id << " survives: " << defect.sentence;
  std::cout << defect.id << " | " << kill->problem << " | " << kill->kernel << " | " << kill->property << " | "
            << kill->rule << " | " << kill->reason << "\n";
}

// Runs of the whole set; the laws, which take many runs each, on a few problems.
void expect_survival(const Defect* defect, const GateOptions& gate = default_gate()) {
  GateOptions runs = gate, laws = gate;
  runs.laws = false;
  laws.regimes = {"typical"};
  laws.cases = 2;
  for (const GateOptions& options : {runs, laws}) {
    const std::optional<Kill> kill = killed_by_gate(defect, options);
    EXPECT_FALSE(kill) << kill->problem << " " << kill->property << " " << kill->rule << ": " << kill->reason;
  }
}

TEST(GateOfNoDefect, LetsTheRightKernelsPass) {
  GateOptions gate = default_gate();
  gate.cache_kernels.clear();
  expect_survival(nullptr, gate);
}

TEST(GateOfNoDefect, LetsTheRightKernelsWithACachePass) {
  GateOptions gate = default_gate();
  gate.kernels.clear();
  expect_survival(nullptr, gate);
}

class GateOfControls : public testing::TestWithParam<const Defect*> {};
INSTANTIATE_TEST_SUITE_P(, GateOfControls, testing::ValuesIn(defects(true)), test_name);

TEST_P(GateOfControls, LetsItPass) { expect_survival(GetParam()); }

// Each of those that are not equivalent is killed above; fewer than today's would be a loss.
TEST(GateCount, HoldsAllOfToday) {
  EXPECT_GE(defect_catalogue().size(), 226);
  EXPECT_GE(defects(false).size(), 222);
}

// A family of inputs, a kernel and a defect that do not meet kill nothing: the gate must hold problems.
TEST(GateCount, WithoutProblemsNothingIsKilled) {
  GateOptions none = default_gate();
  none.cases = 0;
  EXPECT_FALSE(killed_by_gate(find_defect("decay_none"), none));
  none.regimes = {"no such family"};
  EXPECT_THROW(killed_by_gate(find_defect("decay_none"), none), std::logic_error);
}

}  // namespace
}  // namespace deltaproof
