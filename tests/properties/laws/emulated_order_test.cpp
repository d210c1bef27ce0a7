// A right kernel that adds in another order where it is handed a state: flash-linear-attention's recurrent kernel.
#include <gtest/gtest.h>

#include <string>

#include "properties/accuracy/emulated_outputs.hpp"
#include "properties/laws/property.hpp"
#include "properties/regimes/families.hpp"
#include "reference/arithmetic/emulate.hpp"

namespace deltaproof {
namespace {

class Emulated : public Kernel {
 public:
  std::string name() const override { return "emulated fla-recurrent"; }
  std::string arithmetic() const override { return "fla-recurrent"; }
  std::string refusal(const Problem& problem) const override {
    return no_emulation(*built_in("fla-recurrent", problem.options().rule), problem);
  }
  Outputs run(const Problem& problem) const override {
    return emulated_outputs(problem, *built_in("fla-recurrent", problem.options().rule), false);
  }
};

Problem without_state() {
  RegimeShape shape;
  shape.tokens = 24, shape.K = 32, shape.V = 16;
  return regime_problem(*find_regime("rand_sig_gdn"), Rule::gated_delta, shape, 7).with_arithmetic("fla-recurrent");
}

TEST(OrderByInitialState, BreaksNoLaw) {
  const Problem problem = without_state();
  ASSERT_EQ(problem.find("initial_state"), nullptr);
  int passed = 0;
  for (const Property* law : all_laws()) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      const Verdict verdict = check_property(*law, {problem, Emulated(), seed});
      EXPECT_TRUE(verdict.status != Status::failed && verdict.status != Status::error)
          << law->name << ": " << verdict.reason;
      passed += verdict.status == Status::passed ? 1 : 0;
    }
  }
  EXPECT_GT(passed, 3 * 20);
}

}  // namespace
}  // namespace deltaproof
