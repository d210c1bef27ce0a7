// The kernel `cache_read` against its arithmetic in plain C++, to the bit, and against real numbers
// within a bound.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/kernels/hola_fixture.hpp"
#include "tests/kernels/hola_inputs.hpp"
#include "tests/kernels/hola_mirror.hpp"

namespace deltaproof {
namespace {

testing::AssertionResult same_read(const ReadOutput& expected, const ReadOutput& actual) {
  const auto differ = [](const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() != b.size() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) != 0;
  };
  if (differ(expected.key_factors, actual.key_factors)) return testing::AssertionFailure() << "factors differ";
  if (differ(expected.cache_o, actual.cache_o)) return testing::AssertionFailure() << "reads differ";
  if (expected.o.bytes != actual.o.bytes) return testing::AssertionFailure() << "o differs";
  return testing::AssertionSuccess();
}

class CacheReads : public testing::TestWithParam<CallRead> {};
INSTANTIATE_TEST_SUITE_P(, CacheReads, testing::Values(CallRead::rmsnorm, CallRead::l2),
                         [](const auto& test) { return test.param == CallRead::l2 ? "l2" : "rmsnorm"; });

TEST_P(CacheReads, HaveTheBitsOfTheirOrder) {
  const auto device = host_device();
  for (const Dtype type : input_types) {
    for (const auto& [K, V] : {std::pair<std::int64_t, std::int64_t>{16, 24}, {1, 1}, {65, 130}, {256, 256}}) {
      const ReadInput input = random_read_input(type, GetParam(), K, V);
      EXPECT_TRUE(same_read(mirrored_read(input), stage_read(*device, input))) << dtype_name(type) << ' ' << K;
    }
  }
}

TEST_P(CacheReads, AreWithinTheirBoundOfRealNumbers) {
  const auto device = host_device();
  for (const Dtype type : input_types) {
    ReadInput input = random_read_input(type, GetParam(), 64, 40);
    for (const float tau : {0.5f, 4.0f}) {
      input.logit_scale = input.logit_scale * tau;
      const BoundedRead right = bounded_read(input);
      const std::vector<float> read = stage_read(*device, input).cache_o;
      for (std::size_t i = 0; i < read.size(); ++i) {
        ASSERT_LE(std::abs(double{read[i]} - right.cache_o[i]), right.bound[i]) << i;
        ASSERT_LT(right.bound[i], 1e-3);
      }
    }
  }
}

// The bound catches a read without the sink, and one without 1 / sqrt(K).
TEST(CacheReadBound, TellsWrongReads) {
  const auto device = host_device();
  const ReadInput input = random_read_input(Dtype::bf16, CallRead::rmsnorm, 64, 40);
  const auto within = [&](ReadInput wrong) {
    const BoundedRead right = bounded_read(input);
    const std::vector<float> read = stage_read(*device, wrong).cache_o;
    std::size_t out = 0;
    for (std::size_t i = 0; i < read.size(); ++i) out += std::abs(double{read[i]} - right.cache_o[i]) > right.bound[i];
    return out == 0;
  };
  EXPECT_TRUE(within(input));
  ReadInput wrong = input;
  wrong.sink = filled_tensor(Dtype::f32, {2}, -300);
  EXPECT_FALSE(within(wrong));
  wrong = input;
  wrong.logit_scale = wrong.logit_scale * 8;
  EXPECT_FALSE(within(wrong));
  wrong = input;
  wrong.read_block = false;
  EXPECT_FALSE(within(wrong));
  wrong = input;
  for (std::size_t i = wrong.selected.size() - 12; i < wrong.selected.size(); ++i) wrong.selected[i] = -1;
  EXPECT_FALSE(within(wrong));
}

// Nothing is visible in a first block without its own tokens; and where the sink's logit is beyond
// all others.
TEST_P(CacheReads, OfTheSinkAloneAreZero) {
  const auto device = host_device();
  ReadInput input = random_read_input(Dtype::bf16, GetParam(), 16, 24);
  input.read_block = false;
  ReadOutput output = stage_read(*device, input);
  EXPECT_TRUE(same_read(mirrored_read(input), output));
  const std::size_t row = 2 * 24;
  for (std::size_t i = 0; i < 5 * row; ++i) EXPECT_EQ(output.cache_o[i], 0.0f);
  EXPECT_NE(output.cache_o[5 * row], 0.0f);
  input.sink = filled_tensor(Dtype::f32, {2}, 3e38);
  input.read_block = true;
  output = stage_read(*device, input);
  for (const float x : output.cache_o) EXPECT_EQ(x, 0.0f);
  input.sink = filled_tensor(Dtype::f32, {2}, -3e38);  // no sink: weights add up to 1
  input.v = filled_tensor(Dtype::bf16, input.v.shape, 1);
  output = stage_read(*device, input);
  for (const float x : output.cache_o) EXPECT_EQ(x, 1.0f);
}

TEST_P(CacheReads, AClosedGateLeavesOUntouched) {
  const auto device = host_device();
  ReadInput input = random_read_input(Dtype::f16, GetParam(), 16, 24);
  input.gate = filled_tensor(Dtype::f32, {2}, -200);
  input.o.bytes.assign(input.o.bytes.size(), std::byte{0xff});  // NaN, of a payload of its own
  EXPECT_EQ(stage_read(*device, input).o.bytes, input.o.bytes);
  input.gate = filled_tensor(Dtype::f32, {2}, -4);
  EXPECT_NE(stage_read(*device, input).o.bytes, input.o.bytes);
}

TEST_P(CacheReads, SchedulesAndTheCheckedBuildChangeNothing) {
  const ReadInput input = random_read_input(Dtype::bf16, GetParam(), 40, 24);
  const ReadOutput expected = mirrored_read(input);
  for (const ScheduleInfo& schedule : schedule_table()) {
    HostDeviceOptions options;
    options.schedule = schedule.schedule, options.seed = 4;
    EXPECT_TRUE(same_read(expected, stage_read(*host_device(options), input))) << schedule.name;
  }
  HostDeviceOptions checked;
  checked.build = HostBuild::checked;
  EXPECT_TRUE(same_read(expected, stage_read(*host_device(checked), input)));
}

TEST(CacheReadInputs, SetsOfTokensThatAreNotEarlierAreRefused) {
  ReadInput input = random_read_input(Dtype::bf16, CallRead::l2, 16, 24);
  input.selected[0] = 0;  // of the first block, before which there is none
  try {
    stage_read(*host_device(), input);
    FAIL();
  } catch (const KernelError& error) {
    EXPECT_STREQ(error.what(), "selected names token 0 to block 0 of sequence 0, before which it does not lie");
  }
}

}  // namespace
}  // namespace deltaproof
