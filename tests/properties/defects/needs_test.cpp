// What a defect needs is looked for in the problem, and what is missing is said.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "properties/defects/catalogue.hpp"
#include "properties/defects/defect_kernel.hpp"
#include "properties/runs/kernel_case.hpp"

namespace deltaproof {
namespace {

Problem typical_case(const char* kernel, std::uint64_t index) {
  return kernel_case(*find_built_in_kernel(kernel), *find_regime("typical"), 1, index);
}

TEST(Needs, EachIsMetBySomeProblemAndMissedByAnother) {
  for (unsigned bit = 0; bit <= 23; ++bit) {
    const auto need = static_cast<Needs>(1u << bit);
    std::set<bool> met;
    for (std::uint64_t index = 0; index < 60 && met.size() < 2; ++index) {
      met.insert(missing(need, typical_case("recurrent", index)).empty());
    }
    EXPECT_EQ(met.size(), 2) << "need " << bit;
  }
}

TEST(Needs, OfACacheAreMetBySomeProblemAndMissedByAnother) {
  for (unsigned bit = 24; bit <= 31; ++bit) {
    const auto need = static_cast<Needs>(1u << bit);
    std::set<bool> met;
    for (std::uint64_t index = 0; index < 60 && met.size() < 2; ++index) {
      met.insert(missing(need, typical_case("hola", index)).empty());
    }
    EXPECT_EQ(met.size(), 2) << "need " << bit;
    EXPECT_NE(missing(need, typical_case("chunk", 1)), "");
  }
}

TEST(Needs, OfSeveralTheFirstThatIsMissingIsSaid) {
  const Problem linear = typical_case("chunk", 5);
  ASSERT_EQ(linear.options().rule, Rule::linear);
  EXPECT_EQ(missing(Needs::nothing, linear), "");
  EXPECT_EQ(missing(Needs::gates, linear), "there is no decay");
  EXPECT_EQ(missing(Needs::residual | Needs::gates, linear), "there is no decay");
  EXPECT_EQ(missing(Needs::residual, linear), "the rule writes no residual");
}

TEST(Needs, AFaultIsInTextsThatHaveItsPlaces) {
  const Declared chunk = built_in("deltaproof-chunk", Rule::gated_delta).value();
  const Declared linear = built_in("deltaproof-chunk", Rule::linear).value();
  const Declared channels = built_in("deltaproof-chunk", Rule::vector_decay_delta).value();
  const Declared recurrent = built_in("deltaproof-recurrent", Rule::gated_delta).value();
  const auto in = [](const char* id, const Declared& declared) {
    Generator draw(1, {});
    const Problem problem = typical_case("chunk", 1);
    return is_in(std::get<MakeFault>(find_defect(id)->edit)(problem, draw), declared);
  };
  for (const char* id : {"T_trunc", "merge_sign", "solve_off1", "T_corner0"}) {
    EXPECT_TRUE(in(id, chunk) && in(id, channels)) << id;
    EXPECT_FALSE(in(id, linear) || in(id, recurrent)) << id;
  }
  for (const char* id : {"P_next", "exp_unmasked"}) {
    EXPECT_TRUE(in(id, chunk) && in(id, linear)) << id;
    EXPECT_FALSE(in(id, channels) || in(id, recurrent)) << id;
  }
  for (const char* id : {"decay_after_write", "read_undecayed_token"}) {
    EXPECT_TRUE(in(id, recurrent)) << id;
    EXPECT_FALSE(in(id, chunk)) << id;
  }
  for (const char* id : {"residual_none", "read_before_write"}) EXPECT_TRUE(in(id, recurrent) && in(id, chunk)) << id;
  EXPECT_TRUE(in("us_from_vb", chunk));
  EXPECT_FALSE(in("us_from_vb", channels) || in("merge_ieee", chunk)) << "merge_ieee is what deltaproof-chunk declares";
  EXPECT_FALSE(in("cumsum_carried", recurrent));
}

// Every defect says something of some generated problem of some kernel.
TEST(Needs, EveryDefectFindsAProblem) {
  std::vector<std::pair<Problem, std::string>> runs;
  for (std::uint64_t index = 0; index < 24; ++index) {
    runs.emplace_back(typical_case("chunk", index), "deltaproof-chunk");
    runs.emplace_back(typical_case("recurrent", index), "deltaproof-recurrent");
    runs.emplace_back(typical_case("chunk", index), "fla-chunk");
    runs.emplace_back(typical_case("hola", index), "hola");
  }
  for (const Defect& defect : defect_catalogue()) {
    EXPECT_TRUE(std::ranges::any_of(runs, [&](const auto& run) {
      return DefectKernel(&defect, run.second).refusal(run.first).empty();
    })) << defect.id;
  }
}

}  // namespace
}  // namespace deltaproof
