// Recordings of kernels against their built-in orders of operations, word by word: 0 unequal, from the initial
// state and from each recorded state. And inputs changed by a little, for which they are not equal.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "reference/arithmetic/texts.hpp"
#include "reference/problem/format.hpp"
#include "tests/reference/arithmetic/recording.hpp"

namespace deltaproof {
namespace {

using namespace arithmetic_tests;

class RecordingsBits : public testing::TestWithParam<std::string> {};

TEST_P(RecordingsBits, AreThoseOfTheBuiltInText) {
  const Recording recording = read_recording(GetParam());
  EXPECT_EQ(unequal_in_full_run(recording, *recording.declared), Unequal{}) << "from the initial state";
  EXPECT_EQ(unequal_by_chunk(recording, *recording.declared), Unequal{}) << "from the recorded chunk states";
}

INSTANTIATE_TEST_SUITE_P(Golden, RecordingsBits, testing::ValuesIn(recordings_with_text()),
                         [](const auto& name) { return name.param; });

TEST(RecordingsWithText, AreAtLeastOneForEachText) {
  const std::vector<std::string> names = recordings_with_text();
  for (const TextInfo& text : text_table()) {
    if (text.name.starts_with("deltaproof-")) continue;  // of no foreign kernel: own_kernels_test
    EXPECT_TRUE(std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return read_recording(name).options.arithmetic == text.name;
    })) << text.name;
  }
}

// Inputs of one head of a trained model's layer, changed and run again.
class ChangedInput : public testing::Test {
 protected:
  static Unequal with(const std::function<void(HeadInputs&)>& change) {
    Recording recording = read_recording("kla_trained_layer0_T512");
    recording.heads.resize(1);
    change(recording.heads[0].inputs);
    return unequal_in_full_run(recording, *recording.declared);
  }

  // To the next number of 8 significant bits, or the one after it.
  static double one_bf16_step(double x) { return round_to_nearest_even(formats::bf16, x * (1 + 0x1p-7)); }
};

TEST_F(ChangedInput, OneElementOfVIsSeenInOAndTheStates) {
  const Unequal found = with([](HeadInputs& head) { head.v(100, 0) = one_bf16_step(head.v(100, 0)); });
  EXPECT_GT(found.o, 0);
  EXPECT_GT(found.states, 0);
}

TEST_F(ChangedInput, OneElementOfKIsSeenInOAndTheStates) {
  const Unequal found = with([](HeadInputs& head) { head.k(100, 0) = one_bf16_step(head.k(100, 0)); });
  EXPECT_GT(found.o, 0);
  EXPECT_GT(found.states, 0);
}

TEST_F(ChangedInput, OneElementOfQIsSeenInOAlone) {
  const Unequal found = with([](HeadInputs& head) { head.q(100, 0) = one_bf16_step(head.q(100, 0)); });
  EXPECT_GT(found.o, 0);
  EXPECT_EQ(found.states, 0);
}

// As many as docs/arithmetic.md, 5, says.
TEST_F(ChangedInput, AUnitInTheLastPlaceOfEveryBetaIsSeen) {
  const Unequal found = with([](HeadInputs& head) {
    head.write = head.write.unaryExpr([](double b) {
      return static_cast<double>(std::nextafter(static_cast<float>(b), std::numeric_limits<float>::infinity()));
    });
  });
  EXPECT_EQ(found, (Unequal{211, 6912}));
}

// Equality speaks of the run, not of every bit of its inputs: the kernel rounds some away.
TEST_F(ChangedInput, OneLogDecayByAMillionthIsNotSeen) {
  const Unequal found = with([](HeadInputs& head) {
    const auto g = static_cast<float>(head.g(100, 0) * (1 + 0x1p-20));
    ASSERT_NE(g, static_cast<float>(head.g(100, 0)));
    head.g(100, 0) = g;
  });
  EXPECT_EQ(found, Unequal{});
}

}  // namespace
}  // namespace deltaproof
