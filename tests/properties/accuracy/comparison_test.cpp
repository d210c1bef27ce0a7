// Comparing one block: NaN anywhere counts as bad or as unknown, never as good; merging forgets
// nothing.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "properties/accuracy/comparison.hpp"
#include "small_problems.hpp"

namespace deltaproof {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// A block of `o` with all that it points to.
struct Block {
  Matrix value, expected, bound, radius;

  static Block of(double value, double expected, double bound, double radius = 0) {
    const auto one = [](double x) { return Matrix(Matrix::Constant(1, 1, x)); };
    return {one(value), one(expected), one(bound), one(radius)};
  }

  ComparedBlock compared(std::int64_t token = 0, std::int64_t head = 0) const {
    ComparedBlock block;
    block.tensor = "o";
    block.first_token = token;
    block.head = head;
    block.value = &value;
    block.expected = &expected;
    block.bound = &bound;
    block.radius = &radius;
    return block;
  }
};

Comparison compare(const Block& block) {
  Comparison comparison;
  comparison.add(block.compared());
  return comparison;
}

TEST(Comparison, AcceptsAnErrorEqualToTheBound) {
  const Comparison c = compare(Block::of(1.5, 1, 0.25, 0.25));
  EXPECT_EQ(c.violations, 0);
  EXPECT_EQ(c.worst.ratio, 1);
  EXPECT_FALSE(c.first_bad.found);
}

TEST(Comparison, RefusesTheNextNumberAbove) {
  const Comparison c = compare(Block::of(std::nextafter(1.5, 2), 1, 0.5));
  EXPECT_EQ(c.violations, 1);
  EXPECT_GT(c.worst.ratio, 1);
  EXPECT_TRUE(c.first_bad.found);
}

TEST(Comparison, ExactValuesNeedNoBound) {
  const Comparison c = compare(Block::of(2, 2, 0));
  EXPECT_EQ(c.violations, 0);
  EXPECT_EQ(c.worst.ratio, 0);
}

TEST(Comparison, ABoundOfZeroRefusesEveryError) {
  const Comparison c = compare(Block::of(2, std::nextafter(2.0, 3), 0));
  EXPECT_EQ(c.violations, 1);
  EXPECT_EQ(c.worst.ratio, infinity);
}

class NonFiniteValue : public testing::TestWithParam<double> {};

TEST_P(NonFiniteValue, IsAViolationUnderEveryFiniteBound) {
  for (const double bound : {0.0, 1.0, 1e300}) {
    const Comparison c = compare(Block::of(GetParam(), 0, bound));
    EXPECT_EQ(c.non_finite, 1);
    EXPECT_EQ(c.violations, 1);
    EXPECT_EQ(c.unbounded, 0);
    EXPECT_EQ(c.worst.ratio, infinity);
    EXPECT_TRUE(c.first_bad.found);
  }
}

// Where no bound is proved, an intermediate of the declared formats may overflow in a right kernel.
TEST_P(NonFiniteValue, IsUnknownWhereNothingIsProved) {
  for (const auto& [expected, bound] : {std::pair{0.0, infinity}, std::pair{0.0, nan}, std::pair{infinity, 1.0}}) {
    const Comparison c = compare(Block::of(GetParam(), expected, bound));
    EXPECT_EQ(c.unbounded, 1);
    EXPECT_EQ(c.violations, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Comparison, NonFiniteValue, testing::Values(nan, infinity, -infinity));

TEST(Comparison, AnUnknownBoundOrReferenceIsNeitherGoodNorBad) {
  const Block blocks[] = {Block::of(1, 1, nan), Block::of(1, 1, infinity),
                          Block::of(1, 1, 0.5, nan), Block::of(1, nan, 0.5),
                          Block::of(1, infinity, 0.5)};
  for (const Block& block : blocks) {
    const Comparison c = compare(block);
    EXPECT_EQ(c.compared, 1);
    EXPECT_EQ(c.unbounded, 1);
    EXPECT_EQ(c.violations, 0);
    EXPECT_FALSE(c.worst.found);
    EXPECT_TRUE(c.probes().empty());
  }
}

std::vector<std::string> accepted(const Comparison& c) {
  std::vector<std::string> names;
  for (const Probe& probe : c.probes())
    if (probe.accepted) names.push_back(probe.wrong_answer);
  return names;
}

TEST(Comparison, ProbesTellWhichWrongAnswersABoundAccepts) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(accepted(compare(Block::of(1, 1, 0.5))), Names());
  EXPECT_EQ(accepted(compare(Block::of(1, 1, 1))), Names({"zeros"}));
  EXPECT_EQ(accepted(compare(Block::of(1, 1, 2))), Names({"flipped sign", "zeros"}));
  // An answer of zero differs from neither: there is nothing to probe.
  EXPECT_TRUE(compare(Block::of(0, 0, 1)).probes().empty());
}

TEST(Comparison, AProbeIsRejectedByOneElement) {
  Block block{Matrix::Ones(1, 2), Matrix::Ones(1, 2), Matrix::Constant(1, 2, 3),
              Matrix::Zero(1, 2)};
  EXPECT_EQ(accepted(compare(block)).size(), 2u);
  block.bound(0, 1) = 0.5;
  EXPECT_TRUE(accepted(compare(block)).empty());
}

TEST(Comparison, ProbesAShiftWhereThereIsOne) {
  const Block block = Block::of(1, 1, 0.5);
  const Matrix earlier = Matrix::Constant(1, 1, 0.75);
  ComparedBlock shifted = block.compared();
  shifted.shifted = &earlier;
  Comparison c;
  c.add(shifted);
  EXPECT_EQ(accepted(c), std::vector<std::string>({"shifted by one token"}));
}

// The probe of zeros, which every answer but zero has.
Probe zeros(const Comparison& c) {
  for (const Probe& probe : c.probes())
    if (probe.wrong_answer == "zeros") return probe;
  ADD_FAILURE() << "no probe";
  return {};
}

// A chunk that is well bounded says nothing of another one.
TEST(Comparison, ProbesEachChunkByItself) {
  // Tokens 0 to 255 in chunks of 64: the bound accepts zeros from token 100 on.
  Block block{Matrix::Ones(256, 1), Matrix::Ones(256, 1), Matrix::Constant(256, 1, 0.5),
              Matrix::Zero(256, 1)};
  for (Index t = 100; t < 256; ++t) block.bound(t, 0) = 1;
  const Probe probe = zeros(compare(block));
  EXPECT_TRUE(probe.accepted);
  EXPECT_EQ(probe.places, 2) << "the second chunk rejects zeros at its first token";
  EXPECT_EQ(probe.first.tensor, "o");
  EXPECT_EQ(probe.first.sequence, 0);
  EXPECT_EQ(probe.first.token, 128);
  block.bound(130, 0) = block.bound(255, 0) = 0.5;
  EXPECT_FALSE(zeros(compare(block)).accepted);
  EXPECT_EQ(zeros(compare(block)).places, 0);
}

// Blocks of one chunk, as units may hand them in, are one place.
TEST(Comparison, ProbesAChunkInPartsAsOne) {
  const Block wide = Block::of(1, 1, 1), narrow = Block::of(1, 1, 0.5);
  Comparison first, second;
  first.add(wide.compared(64));
  second.add(narrow.compared(127));
  EXPECT_TRUE(zeros(first).accepted);
  first.merge(second);
  EXPECT_FALSE(zeros(first).accepted);
  first.add(wide.compared(128));
  EXPECT_EQ(zeros(first).places, 1);
  EXPECT_EQ(zeros(first).first.token, 128);
}

TEST(Comparison, ProbesEachStateByItself) {
  const Block narrow = Block::of(1, 1, 0.5), wide = Block::of(1, 1, 1);
  Comparison c;
  for (const std::int64_t token : {64, 128, 192}) {
    ComparedBlock state = (token == 64 ? narrow : wide).compared(token);
    state.tensor = "chunk_states";
    state.is_state = true;
    c.add(state);
  }
  EXPECT_EQ(zeros(c).places, 2);
  EXPECT_EQ(zeros(c).first.token, 128);
}

TEST(Comparison, ProbesEachSequenceByItself) {
  const Block narrow = Block::of(1, 1, 0.5), wide = Block::of(1, 1, 1);
  Comparison c;
  for (const std::int64_t sequence : {3, 0, 2, 1}) {
    ComparedBlock block = (sequence < 2 ? narrow : wide).compared();
    block.sequence = sequence;
    c.add(block);
  }
  EXPECT_EQ(zeros(c).places, 2);
  EXPECT_EQ(zeros(c).first.sequence, 2);
}

TEST(Comparison, CountsOnlyNonFiniteValuesOfAStateWithoutReference) {
  Block block{Matrix::Ones(2, 2), Matrix::Zero(2, 2), Matrix::Zero(2, 2), Matrix::Zero(2, 2)};
  block.value(1, 0) = nan;
  Comparison c;
  c.add_non_finite(block.compared(5));
  EXPECT_EQ(c.compared, 1);
  EXPECT_EQ(c.non_finite, 1);
  EXPECT_EQ(c.first_bad.location.token, 6);
  EXPECT_EQ(c.first_bad.location.column, 0);
}

// Everything a verdict shows.
std::string shown(const Comparison& c) {
  std::string text = std::to_string(c.compared) + " " + std::to_string(c.violations) + " " +
                     std::to_string(c.unbounded) + " " + std::to_string(c.non_finite);
  if (c.worst.found) text += " " + std::to_string(c.worst.ratio) + to_string(c.worst.location);
  if (c.first_bad.found) text += " " + to_string(c.first_bad.location);
  for (const Probe& probe : c.probes())
    text += " " + probe.tensor + std::to_string(probe.head) + probe.wrong_answer +
            (probe.accepted ? "+" : "-") + std::to_string(probe.places) + to_string(probe.first);
  return text;
}

RC_GTEST_PROP(Comparison, MergesInAnyOrderToTheSameResult, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(2, 7);
  const auto seed = *rc::gen::inRange<std::int64_t>(0, 1 << 20);
  std::vector<Comparison> parts;
  for (std::size_t n = 0; n < count; ++n) {
    Block block{Matrix(3, 2), Matrix(3, 2), Matrix(3, 2), Matrix::Zero(3, 2)};
    for (Index i = 0; i < 6; ++i) {
      const auto at = static_cast<std::int64_t>(n * 6) + i;
      // Few values, so that ratios tie; now and then a NaN.
      block.expected.data()[i] = std::round(2 * scattered(at, seed));
      block.value.data()[i] = block.expected.data()[i] + std::round(2 * scattered(at, seed + 1));
      block.bound.data()[i] = scattered(at, seed + 2) > 0.8 ? infinity : 1;
      if (scattered(at, seed + 3) > 0.9) block.value.data()[i] = nan;
    }
    Comparison part;
    part.add(block.compared(static_cast<std::int64_t>(3 * n), static_cast<std::int64_t>(n % 2)));
    parts.push_back(std::move(part));
  }
  std::vector<std::size_t> order(count);
  for (std::size_t n = 0; n < count; ++n) order[n] = n;
  const auto merged = [&] {
    Comparison all;
    for (const std::size_t n : order) all.merge(parts[n]);
    return shown(all);
  };
  const std::string in_order = merged();
  const auto by_key = [&](std::size_t a, std::size_t b) {
    return scattered(static_cast<std::int64_t>(a), seed + 9) <
           scattered(static_cast<std::int64_t>(b), seed + 9);
  };
  std::sort(order.begin(), order.end(), by_key);
  RC_ASSERT(merged() == in_order);
}

// The first value without a bound is named whatever the order of the units.
TEST(Comparison, NamesTheFirstUnboundedValueInAnyOrder) {
  Comparison early, late;
  const Block block = Block::of(1, 1, infinity);
  early.add(block.compared(3));
  late.add(block.compared(7));
  Comparison forward, backward;
  forward.merge(early), forward.merge(late);
  backward.merge(late), backward.merge(early);
  EXPECT_EQ(to_string(forward.first_unbounded), to_string(backward.first_unbounded));
}

}  // namespace
}  // namespace deltaproof
