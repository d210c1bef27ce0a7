// The layers with a cache against the emulation of their declared arithmetic, to the bit: o, states, scores and sets.
#include <gtest/gtest.h>

#include <functional>
#include <iostream>
#include <optional>

#include "kernels/bits.hpp"
#include "properties/accuracy/emulated_outputs.hpp"
#include "properties/runs/kernel_case.hpp"
#include "tests/kernels/host_kernels.hpp"

namespace deltaproof {
namespace {

// Empty where the kernel refuses a score that is NaN.
std::optional<Outputs> outputs_of(const std::function<Outputs()>& run) try {
  return run();
} catch (const std::runtime_error& error) {
  EXPECT_NE(std::string(error.what()).find("NaN"), std::string::npos) << error.what();
  return std::nullopt;
}

class HolaBits : public testing::TestWithParam<const char*> {
 protected:
  const BuiltInInfo& info() const { return *find_built_in_kernel(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(, HolaBits, testing::Values("hola", "hola_decode"),
                         [](const auto& test) { return std::string(test.param); });

// Every type, with what else is drawn: sizes of cache and block, scores, reads, states, heads, packed sequences, pools.
TEST_P(HolaBits, AreThoseOfTheDeclaredArithmetic) {
  const BuiltInKernel run = on_host(GetParam());
  // A run of hola_decode is many launches; the campaign takes more of both.
  const std::uint64_t of_each = info().name == "hola_decode" ? 6 : 12;
  std::int64_t problems = 0, values = 0;
  for (const char* regime : {"typical", "near_parallel", "resets", "equal_scores", "near_scores", "facts", "tiny_rows",
                             "outlier", "kla_mixnorm"}) {
    for (std::uint64_t index = 0; index < of_each; ++index) {
      const Problem p = kernel_case(info(), *find_regime(regime), 13, index);
      if (!run.refusal(p).empty()) continue;
      const std::optional<Outputs> actual = outputs_of([&] { return run.run(p); });
      const std::optional<Outputs> expected = outputs_of([&] { return emulated_outputs(p, true); });
      ASSERT_EQ(actual.has_value(), expected.has_value()) << p.name();
      if (!actual) {
        std::cout << p.name() << ": a score is NaN\n";
        continue;
      }
      const BitDifference difference = compare_judged_bits(p, *expected, *actual);
      EXPECT_EQ(difference.unequal, 0) << p.name() << ": of " << difference.compared << ", the first at "
                                       << to_string(difference.first);
      ++problems;
      values += difference.compared;
    }
  }
  EXPECT_GT(problems, 7 * static_cast<std::int64_t>(of_each));
  RecordProperty("problems", std::to_string(problems));
  RecordProperty("values", std::to_string(values));
}

// The check that the other rests on.
TEST_P(HolaBits, OneBitThatDiffersIsFound) {
  const Problem p = kernel_case(info(), *find_regime("typical"), 13, 1, CaseSizes::small);
  const Outputs expected = emulated_outputs(p, true);
  EXPECT_EQ(compare_judged_bits(p, expected, expected).unequal, 0);
  for (const char* tensor : {"o", "scores"}) {
    Outputs other = expected;
    for (std::byte& byte : other.tensors.at(tensor).bytes) byte ^= std::byte{1};
    EXPECT_GT(compare_judged_bits(p, expected, other).unequal, 0) << tensor;
  }
}

}  // namespace
}  // namespace deltaproof
