// Every order of a prefix sum sums all that comes before, and loses no more than its depth allows.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "reference/arithmetic/choices.hpp"
#include "reference/arithmetic/scan.hpp"
#include "reference/arithmetic/texts.hpp"
#include "reference/bounds/rounding.hpp"

namespace deltaproof {
namespace {

// Every order that any text may declare, with its name.
std::vector<std::pair<std::string, Scan>> orders() {
  std::vector<std::pair<std::string, Scan>> all;
  for (const TextInfo& text : text_table()) {
    for (const Choice& choice : choices_of(text.name)) {
      if (choice.name != "scan" || !all.empty()) continue;
      for (const std::string& value : choice.values) {
        Declared declared;
        declared.text = text.name;
        choice.set(declared, value);
        all.emplace_back(value, declared.scan);
      }
    }
  }
  return all;
}

constexpr Index lengths[] = {1, 2, 3, 5, 16, 17, 31, 32, 33, 48, 63, 64, 100, 128};

// Integers that fp32 sums exactly, different in each row and column.
TEST(PrefixSums, AreSumsOfAllRowsBefore) {
  EXPECT_GE(orders().size(), 6u);
  for (const auto& [name, scan] : orders()) {
    for (const Index n : lengths) {
      MatrixF x(n, 3);
      for (Index i = 0; i < n; ++i) x.row(i) << static_cast<float>(1 + i * i), static_cast<float>(-i), 1.0f;
      const MatrixF sums = prefix_sums(x, scan);
      for (Index i = 0; i < n; ++i) EXPECT_EQ(sums.row(i), x.topRows(i + 1).colwise().sum()) << name << ", row " << i;
    }
  }
}

// Largest error of a prefix in units of gamma_depth times the sum of absolute values.
double worst(const MatrixF& x, Scan scan, double depth) {
  const MatrixF sums = prefix_sums(x, scan);
  double largest = 0;
  for (Index j = 0; j < x.cols(); ++j) {
    long double exact = 0, size = 0;
    for (Index i = 0; i < x.rows(); ++i) {
      exact += static_cast<long double>(x(i, j));
      size += static_cast<long double>(std::abs(x(i, j)));
      if (i == 0) continue;
      const auto error = static_cast<double>(std::abs(static_cast<long double>(sums(i, j)) - exact));
      largest = std::max(largest, error / (gamma_n(std::min(depth, static_cast<double>(i)), u32) * static_cast<double>(size)));
    }
  }
  return largest;
}

// Addends that a sum near 1 loses almost whole, of either sign, among random ones.
TEST(PrefixSums, LoseNoMoreThanTheirDepthAllows) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const auto& [name, scan] : orders()) {
    for (const Index n : lengths) {
      for (int turn = 0; turn < 20; ++turn) {
        MatrixF x(n, 4);
        for (Index i = 0; i < x.size(); ++i) {
          const double lost = (i % 2 == 0 ? 0x1.fcp-25 : 0x1.02p-24) * (turn % 2 == 0 ? 1 : std::copysign(1, uniform(random)));
          x.data()[i] = static_cast<float>(i % 4 == 3 ? uniform(random) : i < 4 ? 1 : lost);
        }
        if (n > 1) {
          EXPECT_LE(worst(x, scan, scan_depth(scan, n)), 1) << name << ", " << n << " rows";
        }
      }
    }
  }
}

TEST(PrefixSums, OfASequentialScanLoseMoreThanHalfItsDepthAllows) {
  MatrixF x = MatrixF::Constant(64, 1, 0x1.fcp-25f);
  x(0, 0) = 1;
  EXPECT_GT(worst(x, Scan::sequential, scan_depth(Scan::sequential, 64) / 2), 1);
}

TEST(PrefixSums, OfASequentialScanAddOnceForEachRowAfterTheFirst) {
  for (const int rows : {0, 1, 2, 64}) {
    EXPECT_EQ(scan_depth(Scan::sequential, rows), rows == 0 ? 0 : rows - 1);
  }
}

}  // namespace
}  // namespace deltaproof
