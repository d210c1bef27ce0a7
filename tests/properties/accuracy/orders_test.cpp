// Recordings made to show one choice of an order each: the built-in declaration gives every bit of it, another
// value of that choice does not.
#include <gtest/gtest.h>

#include "kernels/recorded.hpp"
#include "properties/accuracy/conclude.hpp"
#include "recordings.hpp"
#include "reference/arithmetic/choices.hpp"

namespace deltaproof {
namespace {

CaseFile order_recording(const std::string& name) {
  return read_case(std::string(DELTAPROOF_SOURCE_DIR "/golden/orders/") + name + ".safetensors");
}

struct Shown {
  std::string recording, choice, other;  ///< another value of the choice
  std::string layout = {};               ///< that autotuning chose
  bool outside_pin = false;              ///< the other value rounds elsewhere
};

std::int64_t unequal_with(const CaseFile& file, const Shown& shown, std::int64_t& outside) {
  Declared declared = built_in(file.problem.options().arithmetic, file.problem.options().rule).value();
  for (const Choice& choice : choices_of(declared.text)) {
    if (choice.name == shown.choice) choice.set(declared, shown.other);
  }
  const ConformityContext context = conformity_context(file.problem, *file.outputs, declared);
  const Conformity found = judge_conformity(
      context, plan_units(file.problem, *file.outputs, choose_bound(declared.text, file.problem)), 1);
  outside = found.pin.violations;
  return found.bits.unequal;
}

class Order : public testing::TestWithParam<Shown> {};

TEST_P(Order, IsShownToTheBit) {
  const Shown& shown = GetParam();
  const CaseFile file = order_recording(shown.recording);
  const Verdict verdict = judge(file, *file.outputs);
  EXPECT_EQ(verdict.status, Status::passed) << describe(verdict);
  ASSERT_TRUE(verdict.conformity.has_value());
  EXPECT_EQ(verdict.conformity->bits_unequal, 0);
  EXPECT_EQ(verdict.conformity->bits_compared, verdict.compared);
  EXPECT_EQ(verdict.conformity->layout, shown.layout);
  std::int64_t outside = 0;
  EXPECT_GT(unequal_with(file, shown, outside), 0);
  EXPECT_EQ(outside > 0, shown.outside_pin) << outside;
}

INSTANTIATE_TEST_SUITE_P(
    Recordings, Order,
    testing::Values(Shown{"gdn_subnormal_decay", "exp2", "approx"},
                    Shown{"recurrent_subnormal_decay", "exp2", "approx_ftz"},
                    Shown{"delta_near_parallel", "row_sum", "halves_lower_fused"},
                    Shown{"delta_near_parallel", "merge_sum", "descending"},
                    Shown{"gdn_one_warp_scan", "scan", "pieces_of_32", "scan pairs instead of pieces_of_32"},
                    Shown{"gdn_beta_bf16", "k_beta", "f32", "", true},
                    Shown{"kda_beta_fp32", "k_beta", "input", "", true}),
    [](const auto& each) { return as_test_name(each.param.recording + "_" + each.param.choice); });

}  // namespace
}  // namespace deltaproof
