#include <gtest/gtest.h>

#include <set>

#include "reference/rules/rule.hpp"

namespace deltaproof {
namespace {

TEST(RuleTable, EveryNameFindsItsLine) {
  std::set<std::string_view> names;
  for (const RuleInfo& info : rule_table()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name << " is in the table twice";
    ASSERT_EQ(find_rule(info.name), &info);
    EXPECT_EQ(&rule_info(info.rule), &info);
    EXPECT_FALSE(info.summary.empty());
  }
  EXPECT_EQ(names.size(), 12U);
}

TEST(RuleTable, UnknownNamesAreNotFound) {
  EXPECT_EQ(find_rule("gated-delta"), nullptr);
  EXPECT_EQ(find_rule(""), nullptr);
}

TEST(RuleTable, AdditiveRulesHaveNeitherResidualNorGate) {
  for (const RuleInfo& info : rule_table()) {
    if (info.system != System::update_family) continue;
    EXPECT_EQ(info.residual, !info.write.empty()) << info.name;
  }
}

// r belongs to the update family (of which hola has a state), and only a decay that there is can be left out.
TEST(RuleTable, OtherSystemsHaveNoResidualAndOptionalDecaysAreDecays) {
  for (const RuleInfo& info : rule_table()) {
    const bool has_state = info.system == System::update_family || info.system == System::hola;
    EXPECT_TRUE(has_state || !info.residual) << info.name;
    EXPECT_TRUE(info.decay != Decay::none || !info.optional_decay) << info.name;
  }
}

}  // namespace
}  // namespace deltaproof
