// The certificates on every named family of inputs and every rule.
#include <gtest/gtest.h>

#include <cstdio>

#include "properties/regimes/families.hpp"
#include "truth.hpp"

namespace deltaproof::testing {
namespace {

constexpr AnswerRequest everything{.every = 1, .u = true};

void hold(const Regime& regime, Rule rule, const RegimeShape& shape) {
  const std::string name = std::string(regime.name) + ", " + std::string(rule_info(rule).name);
  SCOPED_TRACE(name);
  const HeadInputs head = regime_head(regime, rule, shape, 51);
  const WorkingPrecision precision(truth_bits);
  const Truth truth = update_truth(head);
  const Ratios in_double = compare(answer_double(head, everything), truth);
  EXPECT_LE(in_double.worst(), 1) << "o " << in_double.o << " state " << in_double.state << " u "
                                  << in_double.u;
  EXPECT_TRUE(in_double.certified);
  const Ratios in_mpfr = compare(answer_mpfr(head, everything, 113), truth);
  EXPECT_LE(in_mpfr.worst(), 1);
  if (shape.tokens > 48)
    std::printf("%-36s T=%-4d error/radius: o %.4f state %.4f u %.4f\n", name.c_str(),
                static_cast<int>(shape.tokens), in_double.o, in_double.state, in_double.u);
}

TEST(Regimes, RadiiContainTheTruthOnEveryFamilyAndRule) {
  for (const Regime& regime : regimes())
    for (const RuleInfo& info : rule_table())
      if (info.system == System::update_family)
        hold(regime, info.rule, {.tokens = 48, .K = 16, .V = 3, .initial_state = true});
}

TEST(Regimes, RadiiContainTheTruthOnLongerSequences) {
  for (const Regime& regime : regimes()) {
    const Rule rule = regime.rule == Rule::hola ? Rule::gated_delta : regime.rule;  // of the state beside a cache
    hold(regime, rule, {.tokens = 256, .K = 32, .V = 2});
  }
}

TEST(Regimes, EveryRouteAgreesOnEverySystem) {
  for (const Regime& regime : regimes())
    for (const RuleInfo& info : rule_table()) {
      SCOPED_TRACE(std::string(regime.name) + ", " + std::string(info.name));
      const HeadInputs head =
          regime_head(regime, info.rule, {.tokens = 16, .K = 8, .V = 3, .slots = 4}, 52);
      const HeadAnswer in_double = answer_double(head, {}), in_mpfr = answer_mpfr(head, {}, 150),
                       interval = answer_mpfi(head, {}, 300);
      for (Index i = 0; i < in_double.o.size(); ++i) {
        const double centre = interval.o.data()[i], width = interval.o_radius.data()[i];
        EXPECT_LE(std::abs(in_double.o.data()[i] - centre), in_double.o_radius.data()[i] + width);
        EXPECT_LE(std::abs(in_mpfr.o.data()[i] - centre), in_mpfr.o_radius.data()[i] + width);
      }
      EXPECT_TRUE(in_mpfr.o_radius.allFinite() && interval.o_radius.allFinite());
    }
}

}  // namespace
}  // namespace deltaproof::testing
