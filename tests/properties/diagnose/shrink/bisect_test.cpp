#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "properties/diagnose/shrink/passes.hpp"

namespace deltaproof {
namespace {

// Numbers of which those in `needed` must stay; counts what was tried.
struct Numbers {
  std::vector<std::int64_t> left, needed;
  int tried = 0;

  Numbers(std::int64_t count, std::vector<std::int64_t> wanted) : left(static_cast<std::size_t>(count)), needed(std::move(wanted)) {
    std::iota(left.begin(), left.end(), 0);
  }
  bool take(const laws::Indices& kept) {
    ++tried;
    std::vector<std::int64_t> then;
    for (const std::int64_t i : kept) then.push_back(left[static_cast<std::size_t>(i)]);
    for (const std::int64_t n : needed) {
      if (std::find(then.begin(), then.end(), n) == then.end()) return false;
    }
    left = then;
    return true;
  }
};

TEST(Bisect, TheFavouriteAloneIsTriedFirst) {
  Numbers numbers(1000, {700});
  EXPECT_TRUE(keep_fewer(1000, 700, [&](const laws::Indices& kept) { return numbers.take(kept); }));
  EXPECT_EQ(numbers.left, (std::vector<std::int64_t>{700}));
  EXPECT_EQ(numbers.tried, 1);
}

TEST(Bisect, FindsWhatIsNeededInHalves) {
  for (const std::vector<std::int64_t>& needed : {std::vector<std::int64_t>{3}, {0, 999}, {123, 124, 800}}) {
    Numbers numbers(1000, needed);
    EXPECT_TRUE(keep_fewer(1000, 500, [&](const laws::Indices& kept) { return numbers.take(kept); }));
    EXPECT_EQ(numbers.left, needed);
    EXPECT_LT(numbers.tried, 30 * static_cast<int>(needed.size()));
  }
}

TEST(Bisect, NothingIsLeftOutOfOneOrWhereAllIsNeeded) {
  Numbers one(1, {0});
  EXPECT_FALSE(keep_fewer(1, 0, [&](const laws::Indices& kept) { return one.take(kept); }));
  EXPECT_EQ(one.tried, 0);
  Numbers all(4, {0, 1, 2, 3});
  EXPECT_FALSE(keep_fewer(4, 2, [&](const laws::Indices& kept) { return all.take(kept); }));
}

TEST(Bisect, LeavesOutAsManyAsGo) {
  for (const std::int64_t needed : {1, 2, 77, 511, 512}) {
    std::int64_t count = 512;
    int tried = 0;
    const bool any = leave_out([&] { return count; }, [&](std::int64_t n) {
      ++tried;
      if (count - n < needed) return false;
      count -= n;
      return true;
    });
    EXPECT_EQ(any, needed < 512);
    EXPECT_EQ(count, needed);
    EXPECT_LT(tried, 24);
  }
}

}  // namespace
}  // namespace deltaproof
