// Correct kernels, emulated to the bit, on inputs whose roundings are far from random: the advisory tier is silent.
#include <gtest/gtest.h>

#include <sstream>

#include "low_entropy.hpp"
#include "properties/accuracy/emulated_outputs.hpp"
#include "recordings.hpp"

namespace deltaproof {
namespace {

/// A kernel and what its run is judged as.
struct Judged {
  std::string kernel, arithmetic;
};

std::ostream& operator<<(std::ostream& out, const Judged& each) {
  return out << each.kernel << " as " << each.arithmetic;
}

std::string everything_found(const AdvisoryReport& report) {
  std::ostringstream text;
  text << report.sigma_outside << " values outside, the worst " << report.sigma_largest << " (limit "
       << report.sigma_limit << ") at " << to_string(report.sigma_worst);
  for (const Structure& s : report.structures) {
    text << "\n  " << s.statistic << " of " << s.tensor << ", " << s.group << " " << s.index << ": " << s.value
         << " (expected " << s.expected << ", limit " << s.limit << ")";
  }
  return text.str();
}

class CorrectKernel : public testing::TestWithParam<std::tuple<LowEntropy, Judged>> {};

TEST_P(CorrectKernel, DoesNotAlarm) {
  const auto& [inputs, judged] = GetParam();
  for (std::uint64_t seed = 1; seed <= inputs.seeds; ++seed) {
    Recipe recipe(seed);
    inputs.change(recipe);
    const Problem problem = recipe.problem(judged.kernel);
    const Verdict verdict =
        judge_by_bound_alone(problem.with_arithmetic(judged.arithmetic), emulated_outputs(problem, true));
    ASSERT_TRUE(verdict.advisory.has_value());
    const AdvisoryReport& report = *verdict.advisory;
    EXPECT_EQ(report.off, "");
    EXPECT_GT(report.units + report.units_off, 0);
    EXPECT_TRUE(report.sigma_outside == 0 && report.structures.empty()) << "seed " << seed << ": "
                                                                        << everything_found(report);
    EXPECT_NE(verdict.status, Status::suspect) << describe(verdict);
    EXPECT_NE(verdict.status, Status::failed) << describe(verdict);
  }
}

INSTANTIATE_TEST_SUITE_P(Advisory, CorrectKernel,
                         testing::Combine(testing::ValuesIn(low_entropy_inputs()),
                                          testing::Values(Judged{"fla-chunk", "fla-chunk"},
                                                          Judged{"nvlabs-chunk", "nvlabs-chunk"},
                                                          Judged{"fla-simple-gla-chunk", "fla-simple-gla-chunk"},
                                                          Judged{"fla-chunk", "generic"},
                                                          Judged{"nvlabs-chunk", "generic"},
                                                          Judged{"fla-simple-gla-chunk", "generic"})),
                         [](const auto& each) {
                           const Judged& judged = std::get<1>(each.param);
                           return std::get<0>(each.param).name + "_" + as_test_name(judged.kernel) + "_as_" +
                                  as_test_name(judged.arithmetic);
                         });

// A final state that is stored in 16 bits is rounded once more, and that is in the model.
TEST(FinalStateIn16Bits, DoesNotAlarm) {
  for (const char* arithmetic : {"fla-chunk", "nvlabs-chunk", "fla-simple-gla-chunk"}) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      Recipe recipe(seed);
      recipe.sizes.T = 64;  // one chunk, so that its state is judged without chunk_states
      const Problem problem = recipe.problem(arithmetic);
      Outputs outputs = emulated_outputs(problem, true);
      Tensor& state = outputs.tensors.at("final_state");
      state = Tensor::from(Dtype::bf16, state.shape, state.values());
      outputs.tensors.erase("chunk_states");
      const Verdict verdict = judge_by_bound_alone(problem, outputs);
      ASSERT_TRUE(verdict.advisory.has_value());
      EXPECT_EQ(verdict.advisory->sigma_compared, 2 * (64 * 32 + 32 * 32));
      EXPECT_TRUE(verdict.advisory->sigma_outside == 0 && verdict.advisory->structures.empty())
          << arithmetic << ", seed " << seed << ": " << everything_found(*verdict.advisory);
    }
  }
}

}  // namespace
}  // namespace deltaproof
